"""The reason in an answer that is no MCP message: `{"detail": ...}` and its kind, or a short plain text."""

from __future__ import annotations

import json
from typing import Any, Final, cast

import httpx2

from toolgraft.config.redact import redact_text

SHOWN: Final = 300
"""Characters of what others wrote that are shown."""

_READ: Final = 64 * 1024
_REASONS: Final = 3
_DEPTH: Final = 8
_KEYS: Final = ("detail", "error_description", "message", "msg", "reason", "title", "error", "errors")


def said_in(response: httpx2.Response, body: bytes) -> str:
    """The reason that an answer gives in its body; empty where it gives none."""
    kind = response.headers.get("content-type", "").lower()
    if "json" in kind or body.lstrip().startswith(b"{"):
        return reason_in(body)
    plain = kind.startswith("text/plain") or (not kind and b"<" not in body[:SHOWN])
    return shown(body[:_READ].decode(errors="replace")) if plain else ""


def reason_in(body: bytes) -> str:
    """The reason that JSON gives; empty where it gives none, or is no JSON."""
    try:
        return shown(_reason(json.loads(body[:_READ]), 0))
    except (ValueError, RecursionError):
        return ""


def shown(text: str) -> str:
    """Others' text in one line, shortened, without control characters and what looks like a secret."""
    text = " ".join(text.split())
    return redact_text(printed(text)[:SHOWN])


def printed(text: str) -> str:
    """The text, with a mark for each character that is not printable."""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def _reason(value: object, depth: int) -> str:
    if depth > _DEPTH:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _reasons(cast("list[object]", value), depth)
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        for key in _KEYS:
            if found := _reason(given.get(key), depth + 1):
                return f"{where}: {found}" if (where := _where(given.get("loc"))) else found
    return ""


def _reasons(values: list[object], depth: int) -> str:
    """The first few of a list, as of a form that is wrong in many places."""
    found = [reason for value in values[: _REASONS + 1] if (reason := _reason(value, depth + 1))]
    more = "; ..." if len(found) > _REASONS else ""
    return "; ".join(found[:_REASONS]) + more


def _where(loc: object) -> str:
    """Where a form is wrong, as FastAPI tells it: `["body", "city"]`."""
    steps = cast("list[object]", loc) if isinstance(loc, list) else []
    return ".".join(str(step) for step in steps[:_DEPTH] if isinstance(step, str | int))
