"""Whether a host that makes a schema strict by itself would break it.

LangChain's `convert_to_openai_tool(strict=True)` and the Agents SDK close every object and require every member of
whatever schema they are given: a map then takes nothing, an optional argument must be made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgraft.schema.strict.lint import lint


def strict_breaks(schema: Mapping[str, Any]) -> str | None:
    """Say what a host would break by sending this schema as strict; None where it may.

    Args:
        schema: `Converted.plain` or `Converted.strict`. The strict form is what strict mode takes already.
    """
    faults = lint(schema, undocumented=True)
    return f"{faults[0].sentence} (at '{faults[0].pointer or '/'}')" if faults else None
