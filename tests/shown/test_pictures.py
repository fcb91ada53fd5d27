"""Pictures over their budget."""

from __future__ import annotations

import base64
import io
import sys
from typing import Any

import pytest
from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.content.magic import dimensions, sniff
from toolgraft.result import Image, Text
from toolgraft.shown import for_model

from tests.content.bytes_of import b64, png_bytes
from tests.shown.said import image, said

Pillow = pytest.importorskip("PIL.Image", reason="needs the extra images")

pytestmark = pytest.mark.faults("R10")


def encoded(kind: str, width: int = 300, height: int = 200, mode: str = "RGB", **options: Any) -> bytes:
    out = io.BytesIO()
    Pillow.effect_noise((width, height), 90).convert(mode).save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PNG", {}),
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("GIF", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
    ],
)
def test_width_and_height_are_read_from_the_bytes(kind: str, options: dict[str, Any]) -> None:
    raw = encoded(kind, 123, 45, **options)
    assert dimensions(raw, sniff(raw) or "") == (123, 45)


def test_width_and_height_stand_behind_a_jpegs_other_segments() -> None:
    exif = Pillow.Exif()
    exif[0x9286] = "c" * 50_000
    raw = encoded("JPEG", 123, 45, exif=exif.tobytes())
    assert dimensions(raw[:1000], "image/jpeg") is None
    assert dimensions(raw, "image/jpeg") == (123, 45)


@pytest.mark.parametrize("mime_type", ["image/png", "image/jpeg", "image/gif", "image/webp", "image/x"])
@pytest.mark.parametrize("raw", [b"", b"\xff\xd8\xff", b"RIFF", bytes(100), b"\xff" * 100])
def test_bytes_that_do_not_tell_give_no_size(raw: bytes, mime_type: str) -> None:
    assert dimensions(raw, mime_type) in (None, (0, 0), (0xFFFF, 0xFFFF))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA", "1"])
def test_too_many_pixels_are_scaled_down_with_a_note(mode: str) -> None:
    out = io.BytesIO()
    Pillow.effect_noise((300, 200), 90).convert(mode).save(out, "PNG")
    data = b64(out.getvalue())
    picture, note = for_model(to_result({"content": [image(data)]}), Limits(image_pixels=15_000)).parts
    assert isinstance(picture, Image)
    assert isinstance(note, Text)
    opened = Pillow.open(io.BytesIO(base64.b64decode(picture.data)))
    assert opened.size == (150, 100)
    assert picture.mime_type == Pillow.MIME[opened.format]
    assert "300x200 pixels" in note.text
    assert "scaled down to 150x100 pixels" in note.text


@pytest.mark.parametrize(("kind", "mime_type"), [("PNG", "image/jpeg"), ("JPEG", "image/jpeg"), ("WEBP", "image/jpeg")])
def test_too_many_bytes_are_scaled_down(kind: str, mime_type: str) -> None:
    data = b64(encoded(kind, 900, 900))
    picture, _ = for_model(to_result({"content": [image(data)]}), Limits(image_bytes=30_000)).parts
    assert isinstance(picture, Image)
    assert len(base64.b64decode(picture.data)) <= 30_000
    assert picture.mime_type == mime_type


def test_of_a_moving_picture_the_first_frame_is_shown_and_the_note_says_so() -> None:
    out = io.BytesIO()
    frames = [Pillow.effect_noise((100, 100), 90).convert("P") for _ in range(3)]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    picture, note = said({"content": [image(b64(out.getvalue()))]}, image_pixels=2_500)
    assert picture == "<Image image/png>"
    assert "the first frame of several" in note


def test_a_photo_stays_upright() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6  # rotated by a quarter
    data = b64(encoded("JPEG", 300, 200, exif=exif.tobytes()))
    picture, _ = for_model(to_result({"content": [image(data)]}), Limits(image_pixels=15_000)).parts
    assert isinstance(picture, Image)
    assert Pillow.open(io.BytesIO(base64.b64decode(picture.data))).size == (100, 150)


def test_a_picture_within_its_budget_is_not_touched() -> None:
    data = b64(encoded("PNG"))
    (picture,) = for_model(to_result({"content": [image(data)]})).parts
    assert isinstance(picture, Image)
    assert picture.data == data


def test_without_pillow_it_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b64(encoded("PNG"))
    monkeypatch.setitem(sys.modules, "PIL", None)
    (note,) = said({"content": [image(data)]}, image_bytes=1_000)
    assert "over the limit of 1,000 bytes" in note
    assert "install toolgraft[images]" in note
    assert "300x200 pixels" in note


def test_only_so_many_are_scaled_down() -> None:
    data = b64(encoded("PNG", 40, 40))
    shown = for_model(to_result({"content": [image(data)] * 100}), Limits(image_pixels=400))
    assert sum(isinstance(part, Image) for part in shown.parts) == 16
    assert shown.text.count("left out") == 84


def test_a_bomb_is_refused_unread() -> None:
    bomb = b64(png_bytes().replace(b"\x00\x00\x00\x01\x00\x00\x00\x01\x08", b"\x00\x01\x00\x00\x00\x01\x00\x00\x08"))
    (note,) = said({"content": [image(bomb)]})
    assert "65536x65536 pixels" in note
    assert "too many pixels" in note


def test_a_picture_that_cannot_be_read_is_refused_with_a_note() -> None:
    broken = encoded("PNG")[:5_000]
    (note,) = said({"content": [image(b64(broken))]}, image_bytes=1_000)
    assert "cannot be read" in note
