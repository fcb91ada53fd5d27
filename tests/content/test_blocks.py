"""Every block of every revision becomes what it is."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from toolgraft.content import to_result
from toolgraft.result import ABSENT, AnyPart, Audio, File, Image, Link, Text

from tests.content.bytes_of import BMP, GIF, JPEG, PDF, PNG, SVG, WAV, WEBP, ZIP, b64

AT = "file:///a/b.bin"


def only(block: object) -> AnyPart:
    (part,) = to_result({"content": [block]}).parts
    return part


def image(data: Any, mime_type: Any = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": mime_type}


def blob(data: str, mime_type: str | None, uri: str = AT) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": data}}


def test_text_keeps_its_annotations_and_meta() -> None:
    notes = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"}
    part = only({"type": "text", "text": "東京", "annotations": notes, "_meta": {"a/b": 1}})
    assert part == Text(
        "東京",
        audience=("user",),
        priority=0.5,
        last_modified="2026-01-01T00:00:00Z",
        meta={"a/b": 1},
    )
    assert not part.for_model


@pytest.mark.faults("R12")
@pytest.mark.parametrize(
    ("data", "found"),
    [(PNG, "image/png"), (JPEG, "image/jpeg"), (GIF, "image/gif"), (WEBP, "image/webp")],
)
@pytest.mark.parametrize("label", ["image/png", "image/webp", "text/plain", "", None, 7])
def test_an_image_is_of_the_type_its_bytes_say(data: str, found: str, label: Any) -> None:
    assert only(image(data, label)) == Image(data, found, origin="image")


@pytest.mark.faults("R11")
@pytest.mark.parametrize("data", [b64(SVG.encode()), SVG, b64(b"\xef\xbb\xbf" + SVG.encode())])
def test_svg_is_text(data: str) -> None:
    part = only(image(data, "image/svg+xml"))
    assert isinstance(part, Text)
    assert part.text.lstrip("\ufeff") == SVG
    assert part.mime_type == "image/svg+xml"


@pytest.mark.faults("R11")
def test_a_picture_that_models_do_not_take_is_a_file() -> None:
    assert only(image(BMP)) == File(BMP, "image/bmp", origin="image")


@pytest.mark.parametrize("data", ["", None, "%%%", "a", 7, [PNG], PNG[:200] + "…", "." + PNG[1:]])
def test_an_image_that_is_empty_or_broken_is_a_sentence(data: Any) -> None:
    part = only(image(data))
    assert isinstance(part, Text)
    assert "image/png left out: its data" in part.text


@pytest.mark.parametrize("at", [0, 1_000, 700_001, 1_399_990])
@pytest.mark.parametrize("damage", ["...", '"', "\\n"])
def test_damage_to_a_large_image_is_seen(at: int, damage: str) -> None:
    data = b64(base64.b64decode(PNG) + bytes(1_050_000))
    assert isinstance(only(image(data)), Image)
    assert isinstance(only(image(data[:at] + damage + data[at + len(damage) :])), Text)


@pytest.mark.parametrize("at", [0, 100, 1_399_990])
def test_damage_of_any_kind_is_seen_in_the_samples_of_a_large_image(at: int) -> None:
    data = b64(base64.b64decode(PNG) + bytes(1_050_000))
    assert isinstance(only(image(data[:at] + "~" + data[at + 1 :])), Text)


def test_bytes_of_no_known_kind_under_an_image_label_are_a_file_of_unknown_type() -> None:
    result = to_result({"content": [image(b64(b"no picture"))]})
    assert result.parts == (File(b64(b"no picture"), "application/octet-stream", origin="image"),)
    assert "labelled image/png" in result.warnings[0]


@pytest.mark.faults("R13")
@pytest.mark.parametrize(
    "data",
    [f"data:image/png;base64,{PNG}", PNG.rstrip("="), "\n".join(PNG[i : i + 20] for i in range(0, len(PNG), 20))],
)
def test_base64_in_other_dress_is_taken(data: str) -> None:
    assert only(image(data)) == Image(PNG, "image/png", origin="image")


def test_url_safe_base64_is_taken() -> None:
    raw = base64.b64decode(PNG) + b"\xfb\xff\xbf\xfe\xff"
    assert only(image(base64.urlsafe_b64encode(raw).decode())) == Image(b64(raw), "image/png", origin="image")


@pytest.mark.faults("R18")
def test_audio_keeps_its_bytes() -> None:
    assert only({"type": "audio", "data": WAV, "mimeType": "audio/wav"}) == Audio(WAV, "audio/wav", origin="audio")
    assert only({"type": "audio", "data": WAV}) == Audio(WAV, "audio/wav", origin="audio")


@pytest.mark.faults("R16")
def test_a_link_keeps_all_that_is_known() -> None:
    sent = {"uri": "notes://1", "name": "n", "title": "T", "description": "D", "mimeType": "text/plain", "size": 12}
    assert only({"type": "resource_link", **sent}) == Link(
        "notes://1", name="n", title="T", description="D", mime_type="text/plain", size=12, origin="resource_link"
    )


@pytest.mark.faults("R16", "R18")
def test_an_embedded_text_keeps_its_uri_and_both_metas() -> None:
    resource = {"uri": "file:///a.py", "mimeType": "text/x-python", "text": "x = 1", "_meta": {"in": 1}}
    part = only({"type": "resource", "resource": resource, "_meta": {"out": 2}})
    assert part == Text(
        "x = 1", uri="file:///a.py", mime_type="text/x-python", origin="resource", meta={"in": 1, "out": 2}
    )


@pytest.mark.faults("R10", "R18")
@pytest.mark.parametrize(
    ("data", "label", "part"),
    [
        (PNG, "image/jpeg", Image(PNG, "image/png", uri=AT, origin="resource")),
        (WAV, None, Audio(WAV, "audio/wav", uri=AT, origin="resource")),
        (PDF, None, File(PDF, "application/pdf", name="b.bin", uri=AT, origin="resource")),
        (
            PDF,
            "application/x-pdf",
            File(PDF, "application/pdf", name="b.bin", uri=AT, origin="resource"),
        ),
        (
            ZIP,
            "application/vnd.x",
            File(ZIP, "application/vnd.x", name="b.bin", uri=AT, origin="resource"),
        ),
        (b64(b"a,b"), "text/csv", Text("a,b", uri=AT, mime_type="text/csv", origin="resource")),
    ],
)
def test_an_embedded_blob_is_what_its_bytes_are(data: str, label: str | None, part: AnyPart) -> None:
    assert only(blob(data, label)) == part


def test_bytes_that_are_no_pdf_are_not_called_one() -> None:
    assert only(blob(ZIP, "application/pdf")) == File(ZIP, "application/zip", name="b.bin", uri=AT, origin="resource")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "hologram", "data": {"x": 1}},
        {"no": "type"},
        {"type": ["text"]},
        {"type": "text"},
        {"type": "resource"},
        {"type": "resource", "resource": {"uri": "a:b"}},
        {"type": "resource_link", "name": "no uri"},
        None,
        7,
        [],
    ],
)
def test_a_block_that_is_not_understood_is_text_that_says_so_and_keeps_it(block: object) -> None:
    result = to_result({"content": [{"type": "text", "text": "before"}, block, {"type": "text", "text": "after"}]})
    before, odd, after = result.parts
    assert isinstance(before, Text)
    assert isinstance(after, Text)
    assert (before.text, after.text) == ("before", "after")
    assert isinstance(odd, Text)
    assert odd.text.startswith("[")
    assert "toolgraft/block" in odd.meta or (isinstance(block, dict) and "resource" in block)
    assert result.warnings[0].startswith("content[1]: ")


@pytest.mark.faults("R10")
def test_an_unknown_block_does_not_show_its_bytes() -> None:
    part = only({"type": "video", "data": PNG * 1_000})
    assert isinstance(part, Text)
    assert len(part.text) < 500


@pytest.mark.faults("R4")
@pytest.mark.parametrize("raw", [{}, {"content": None}, {"content": []}])
def test_a_result_without_content_is_an_empty_one(raw: dict[str, Any]) -> None:
    result = to_result({**raw, "structuredContent": {"a": 1}})
    assert (result.parts, result.structured, result.is_error) == ((), {"a": 1}, False)


@pytest.mark.faults("R25", "R26")
@pytest.mark.parametrize("value", [{}, [], 0, False, "", None, [1], {"a": None}])
def test_any_json_value_is_a_structured_value(value: Any) -> None:
    result = to_result({"content": [], "structuredContent": value})
    assert result.structured is not ABSENT
    assert result.structured == value
    assert type(result.structured) is type(value)


def test_no_structured_value_is_absent() -> None:
    assert to_result({"content": []}).structured is ABSENT


@pytest.mark.parametrize(("flag", "said"), [(True, True), (False, False), (None, False), ("false", False), (1, True)])
def test_the_error_flag_is_taken_for_what_it_can_only_mean(flag: Any, said: bool) -> None:
    assert to_result({"isError": flag}).is_error is said


def test_a_lone_surrogate_is_replaced_since_no_model_can_be_sent_one() -> None:
    part = only({"type": "text", "text": "a\ud800b"})
    assert isinstance(part, Text)
    part.text.encode()
    assert part.text == "a�b"


def test_the_bytes_of_a_part_do_not_show_in_its_repr() -> None:
    assert PNG not in repr(to_result({"content": [image(PNG)]}))
