"""What an authorization server says of a refusal, fit to be shown: short, printable, without what looks secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolgraft.config.redact import redact_text
from toolgraft.oauth.wire.members import text

_SHOWN: Final = 300


def said(raw: Mapping[str, Any] | None) -> str:
    """Its code and its description, beginning with a colon; empty where it says nothing."""
    if raw is None:
        return ""
    code, more = text(raw, "error"), text(raw, "error_description")
    told = " ".join(each for each in (code, f"({shown(more)})" if more else "") if each)
    return f": {shown(told)}" if told else ""


def shown(given: str) -> str:
    """Others' text in one line, shortened."""
    plain = "".join(each if each.isprintable() else "\ufffd" for each in " ".join(given[:_SHOWN].split()))
    return redact_text(plain)
