"""Requests in which LangChain marks every tool as strict.

With `bind_tools(strict=True)`, `with_structured_output(strict=True)` and, by Chat Completions, with
`create_agent(ChatOpenAI(...), response_format=...)`, the objects of whatever schema a tool has are closed and all their
members required after it was read off the tool: a map takes nothing any more, an optional argument must be made up.
LangChain asks no tool about it. But who reads the schema, and whether to make it strict, stands in the reader's frames.
"""

from __future__ import annotations

from inspect import currentframe
from typing import Final

from langchain_core.utils.function_calling import convert_to_openai_function

_FRAMES: Final = 8
"""How far away the reader stands at most."""


def is_strict_request() -> bool:
    """Whether the schema that is being read is about to be made strict, by `convert_to_openai_function`."""
    frame = currentframe()
    for _ in range(_FRAMES):
        if frame is None:
            break
        if frame.f_code is convert_to_openai_function.__code__:
            return bool(frame.f_locals.get("strict"))
        frame = frame.f_back
    return False
