"""From a server's answer to a `ToolResult`, within bounds of work and away from the event loop where it is large."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toolgraft.config import Limits
from toolgraft.content import check_size, to_result
from toolgraft.content.size import is_large
from toolgraft.content.unknown import MakePart, with_known
from toolgraft.output_schema import Check
from toolgraft.result import ToolResult
from toolgraft.spec import ToolRef


async def received(
    raw: Mapping[str, Any], ref: ToolRef, limits: Limits, checked: Check, part: MakePart | None
) -> ToolResult:
    """Convert and check an answer.

    Args:
        raw: The wire JSON of a `CallToolResult`.
        ref: The tool that answered.
        limits: Its `wire_bytes` and `wire_values` hold.
        checked: The check against the tool's output schema.
        part: Makes parts of content blocks of unknown kinds, or None. It is a plugin's, and stays in the loop.

    Raises:
        ResultError: The result is too large, or misses its output schema under `output_check="error"`.
    """
    work = partial(_converted, raw, ref, limits, checked)
    if is_large(raw):
        from anyio.to_thread import run_sync

        result = await run_sync(work)
    else:
        result = work()
    return result if part is None else with_known(result, part)


def _converted(raw: Mapping[str, Any], ref: ToolRef, limits: Limits, checked: Check) -> ToolResult:
    check_size(raw, limits, ref)
    return checked(to_result(raw))
