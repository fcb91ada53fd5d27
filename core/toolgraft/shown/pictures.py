"""Pictures over their budget of bytes or pixels: scaled down where Pillow is installed, else refused with a note."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from toolgraft.config.options import Limits
from toolgraft.content import payload
from toolgraft.content.magic import dimensions
from toolgraft.result import Image, Text

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_HEADS: Final = (64, 4 * 1024, 64 * 1024, 1024 * 1024)
"""How many first bytes are looked at for a picture's size; a JPEG may have much before it."""

_DECODED: Final = 80_000_000
"""Pixels that are decoded at all, about 320 MB; a picture that claims more is refused unread."""

_MOST: Final = 16
"""Pictures of one result that are scaled down, each of which may take a second."""

_TRIES: Final = 6


class Pictures:
    """Brings the pictures of one result within their budget.

    Args:
        limits: The budget of each, `image_bytes` and `image_pixels`.
        whole_at: Where their own bytes are found.
    """

    def __init__(self, limits: Limits, whole_at: str) -> None:
        self._limits = limits
        self._whole_at = whole_at
        self._left = _MOST

    def within(self, image: Image) -> tuple[Image | Text, ...]:
        """Give a picture as it is, scaled down with a note, or only the note."""
        over = excess(image, self._limits)
        if not over:
            return (image,)
        self._left -= 1
        scaled, said = _scaled(image, self._limits) if self._left >= 0 else (None, f"only {_MOST} are scaled down")
        if scaled is None:
            left_out = f"left out: over the limit of {over}; {said}. Its bytes are in {self._whole_at}"
            return (Text(f"[{_described(image)} {left_out}]", origin=image.origin),)
        note = f"scaled down to {said}: over the limit of {over}. Its own bytes are in {self._whole_at}"
        return scaled, Text(f"[{_described(image)} {note}]", origin=image.origin)


def excess(image: Image, limits: Limits) -> str:
    """Say which limit a picture is over; empty when it is within."""
    if payload.size(image.data) > limits.image_bytes:
        return f"{limits.image_bytes:,} bytes"
    extent = _extent(image)
    if extent and extent[0] * extent[1] > limits.image_pixels:
        return f"{limits.image_pixels:,} pixels"
    return ""


def _extent(image: Image) -> tuple[int, int] | None:
    for count in _HEADS:
        extent = dimensions(payload.head(image.data, count), image.mime_type)
        if extent or payload.size(image.data) <= count:
            return extent
        if image.mime_type != "image/jpeg":
            break
    return None


def _described(image: Image) -> str:
    extent = _extent(image)
    size = f", {extent[0]}x{extent[1]} pixels" if extent else ""
    return f"picture: {image.mime_type}{size}, {payload.size(image.data):,} bytes,"


def _scaled(image: Image, limits: Limits) -> tuple[Image | None, str]:
    """Give the smaller picture and its size, or None and the reason."""
    extent = _extent(image)
    if extent and extent[0] * extent[1] > _DECODED:
        return None, f"too many pixels to be scaled down (over {_DECODED:,})"
    raw = payload.decode(image.data)
    if raw is None:
        return None, "its data is not base64"
    try:
        from PIL import Image as Pillow
    except ImportError:
        return None, "install toolgraft[images] to have such pictures scaled down"
    try:
        with Pillow.open(io.BytesIO(raw), formats=("PNG", "JPEG", "GIF", "WEBP")) as picture:
            if picture.width * picture.height > _DECODED:
                return None, f"too many pixels to be scaled down (over {_DECODED:,})"
            return _shrink(picture, image, limits)
    except Exception as error:
        return None, f"it cannot be read ({type(error).__name__})"


def _shrink(picture: Picture, image: Image, limits: Limits) -> tuple[Image | None, str]:
    """Make it smaller until it fits; of a moving picture the first frame."""
    from PIL import ImageOps

    first = ", the first frame of several" if getattr(picture, "is_animated", False) else ""
    jpeg = picture.format == "JPEG"
    small = picture if jpeg or picture.mode in ("RGB", "RGBA", "L") else picture.convert("RGBA")
    ratio = min(1.0, (limits.image_pixels / (small.width * small.height)) ** 0.5)
    wanted = small.width, small.height
    for _ in range(_TRIES):
        small.thumbnail((max(1, int(wanted[0] * ratio)), max(1, int(wanted[1] * ratio))))
        ImageOps.exif_transpose(small, in_place=True)
        raw, mime_type = _encoded(small, limits.image_bytes, jpeg=jpeg)
        if len(raw) <= limits.image_bytes:
            smaller = replace(image, data=base64.b64encode(raw).decode(), mime_type=mime_type)
            return smaller, f"{small.width}x{small.height} pixels, {len(raw):,} bytes{first}"
        ratio *= 0.6
    return None, "it cannot be made small enough"


def _encoded(picture: Picture, limit: int, *, jpeg: bool) -> tuple[bytes, str]:
    """Encode without loss where it came so and is small enough, else as JPEG on white."""
    if not jpeg:
        raw = _saved(picture, "PNG")
        if len(raw) <= limit:
            return raw, "image/png"
    return _saved(_on_white(picture), "JPEG"), "image/jpeg"


def _on_white(picture: Picture) -> Picture:
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    from PIL import Image as Pillow

    white = Pillow.new("RGB", picture.size, "white")
    white.paste(picture, mask=picture.getchannel("A"))
    return white


def _saved(picture: Picture, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, quality=85)
    return out.getvalue()
