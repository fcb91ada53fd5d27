"""What bytes are, by their own first bytes: media type and, for pictures, width and height."""

from __future__ import annotations

from typing import Final

IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Media types that the models of every provider take as pictures."""

HEAD: Final = 512
"""How many first bytes `sniff` wants to see."""

_PREFIXES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
)
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_BRANDS: Final = {b"avif": "image/avif", b"heic": "image/heic", b"heix": "image/heic", b"M4A ": "audio/mp4"}
_PROLOGUE: Final = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!", b">"))


def sniff(first: bytes) -> str | None:
    """Tell the media type from the first bytes (about `HEAD` of them), or None where they say nothing."""
    for prefix, mime_type in _PREFIXES:
        if first.startswith(prefix):
            return mime_type
    if first[:4] == b"RIFF":
        return _RIFF.get(first[8:12])
    if first[4:8] == b"ftyp":
        return _BRANDS.get(first[8:12], "video/mp4")
    if first[:2] == b"BM" and first[6:10] == b"\0\0\0\0":
        return "image/bmp"
    return "image/svg+xml" if _is_svg(first[:HEAD]) else None


def _is_svg(first: bytes) -> bool:
    """Look for the `<svg` that may stand behind declaration, comments and doctype."""
    rest = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    while rest.startswith(b"<") and rest[:4].lower() != b"<svg":
        end = next((close for start, close in _PROLOGUE if rest.startswith(start)), None)
        if end is None or end not in rest:
            return False
        rest = rest.partition(end)[2].lstrip()
    return rest[:4].lower() == b"<svg" and rest[4:5] in b" \t\r\n>/"


def dimensions(first: bytes, mime_type: str) -> tuple[int, int] | None:
    """Read width and height in pixels from a picture's first bytes.

    Args:
        first: The first bytes; for a JPEG all those before its frame header, which may be many.
        mime_type: One of `IMAGE_TYPES`.

    Returns:
        Width and height, or None where these bytes do not tell.
    """
    if mime_type == "image/png":
        return _pair(first[16:24], 4, "big") if first[12:16] == b"IHDR" else None
    if mime_type == "image/gif":
        return _pair(first[6:10], 2, "little")
    if mime_type == "image/webp":
        return _webp(first)
    return _jpeg(first) if mime_type == "image/jpeg" else None


def _pair(raw: bytes, width: int, order: str) -> tuple[int, int] | None:
    if len(raw) < 2 * width:
        return None
    big = order == "big"
    one, two = raw[:width], raw[width:]
    return int.from_bytes(one, "big" if big else "little"), int.from_bytes(two, "big" if big else "little")


def _webp(first: bytes) -> tuple[int, int] | None:
    kind, body = first[12:16], first[20:30]
    if len(body) < 10:
        return None
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L" and body[0] == 0x2F:
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        return int.from_bytes(body[6:8], "little") & 0x3FFF, int.from_bytes(body[8:10], "little") & 0x3FFF
    return None


def _jpeg(first: bytes) -> tuple[int, int] | None:
    """Walk the segments to the frame header (ITU T.81 §B.2.2); each step goes forward by at least two bytes."""
    at = 2
    while at + 9 <= len(first) and first[at] == 0xFF:
        marker = first[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(first[at + 7 : at + 9], "big"), int.from_bytes(first[at + 5 : at + 7], "big")
        else:
            at += 2 + max(int.from_bytes(first[at + 2 : at + 4], "big"), 2)
    return None
