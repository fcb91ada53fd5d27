"""What the model would see of a raw result, in short."""

from __future__ import annotations

from typing import Any

from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.result import Text
from toolgraft.shown import Shown, for_model


def shown(raw: dict[str, Any], **limits: Any) -> Shown:
    return for_model(to_result(raw), Limits(**limits))


def said(raw: dict[str, Any], **limits: Any) -> list[str]:
    """Text as it is, everything else as its class and media type."""
    parts = shown(raw, **limits).parts
    return [part.text if isinstance(part, Text) else f"<{type(part).__name__} {part.mime_type}>" for part in parts]


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


def image(data: str, **more: Any) -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": "image/png", **more}
