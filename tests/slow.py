"""The tests that `scripts/test --quick` leaves out: those of processes, real agents and whole matrices."""

from __future__ import annotations

from typing import Final

SLOW: Final = frozenset(
    {
        "cli/test_demo.py",
        "connection/test_asking.py",
        "connection/test_elicitation.py",
        "connection/test_fault_matrix.py",
        "connection/test_kinds.py",
        "connection/test_limits.py",
        "connection/test_processes.py",
        "contract/test_adapters.py",
        "house/test_readme.py",
        "langchain_adapter/test_elsewhere.py",
        "langchain_adapter/test_fast_path.py",
        "langchain_adapter/test_graft.py",
        "langchain_adapter/test_sync_in_async.py",
        "openai_adapter/test_graft.py",
        "plugins/test_installed.py",
        "real_servers/test_real_servers.py",
        "results_wire/test_wire.py",
        "schema/test_corpus.py",
        "schema/test_hostile.py",
        "testing/test_demo.py",
        "toolbox/test_blocking.py",
        "toolbox/test_calls.py",
        "toolbox/test_cancelling.py",
        "toolbox/test_endings.py",
        "toolbox/test_live.py",
        "toolbox/test_mistakes.py",
    }
)
"""Files below `tests/`."""
