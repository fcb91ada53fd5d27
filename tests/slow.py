"""The tests that `scripts/test --quick` leaves out: those of processes, real agents and whole matrices."""

from __future__ import annotations

from typing import Final

SLOW: Final = frozenset(
    {
        "cli/test_call.py",
        "cli/test_consent.py",
        "cli/test_demo.py",
        "cli/test_program.py",
        "config/test_load_real.py",
        "connection/test_anywhere.py",
        "connection/test_asking.py",
        "connection/test_child.py",
        "connection/test_connecting.py",
        "connection/test_elicitation.py",
        "connection/test_eras.py",
        "connection/test_expired_sessions.py",
        "connection/test_fault_matrix.py",
        "connection/test_http.py",
        "connection/test_http_remedies.py",
        "connection/test_identities.py",
        "connection/test_kinds.py",
        "connection/test_limits.py",
        "connection/test_lost_pipes.py",
        "connection/test_person.py",
        "connection/test_processes.py",
        "connection/test_reconnecting.py",
        "content/test_totality.py",
        "contract/test_adapters.py",
        "house/test_readme.py",
        "langchain_adapter/test_elsewhere.py",
        "langchain_adapter/test_failures.py",
        "langchain_adapter/test_fast_path.py",
        "langchain_adapter/test_graft.py",
        "langchain_adapter/test_sync_in_async.py",
        "openai_adapter/test_graft.py",
        "plugins/test_installed.py",
        "real_servers/test_real_servers.py",
        "results_wire/test_errors.py",
        "results_wire/test_wire.py",
        "schema/test_combined_law.py",
        "schema/test_corpus.py",
        "schema/test_hostile.py",
        "testing/test_demo.py",
        "toolbox/test_blocking.py",
        "toolbox/test_callers.py",
        "toolbox/test_calls.py",
        "toolbox/test_cancelling.py",
        "toolbox/test_endings.py",
        "toolbox/test_interrupts.py",
        "toolbox/test_live.py",
        "toolbox/test_mistakes.py",
        "toolbox/test_toolbox.py",
    }
)
"""Files below `tests/`."""
