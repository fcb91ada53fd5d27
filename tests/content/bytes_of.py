"""Small real files of each kind, as base64."""

from __future__ import annotations

import base64
import struct
import zlib


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def png_bytes(width: int = 1, height: int = 1) -> bytes:
    """A grey PNG that any decoder opens."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = (b"\0" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = b64(png_bytes())
JPEG = b64(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + b"\xff\xd9")
GIF = b64(b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00;")
WEBP = b64(b"RIFF\x24\x00\x00\x00WEBPVP8 " + b"\x18\x00\x00\x00" + bytes(24))
BMP = b64(b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00" + bytes(40))
SVG = '<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>'
WAV = b64(b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28))
PDF = b64(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n")
ZIP = b64(b"PK\x03\x04" + bytes(40))
