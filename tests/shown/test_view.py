"""What reaches the model of each kind of part."""

from __future__ import annotations

from typing import Any

import pytest
from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.result import File
from toolgraft.shown import for_model, is_slow

from tests.content.bytes_of import BMP, PDF, PNG, SVG, WAV, ZIP, b64
from tests.shown.said import image, said, shown, text


@pytest.mark.faults("R9", "R10")
def test_a_picture_goes_as_a_picture_between_its_texts() -> None:
    assert said({"content": [text("a"), image(PNG), text("b")]}) == ["a", "<Image image/png>", "b"]


@pytest.mark.faults("R11")
def test_svg_goes_as_text() -> None:
    assert said({"content": [{"type": "image", "data": b64(SVG.encode()), "mimeType": "image/svg+xml"}]}) == [SVG]


@pytest.mark.faults("R11", "R18")
@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "audio", "data": WAV, "mimeType": "audio/wav"}, ["audio: audio/wav", "44 bytes"]),
        (image(BMP), ["file: image/bmp", "54 bytes", "not a picture that models take"]),
        (image(""), ["image/png left out", "is empty"]),
        (image("%%%%"), ["image/png left out", "not base64"]),
        (
            {"type": "resource", "resource": {"uri": "file:///a/q%20r.zip", "blob": ZIP}},
            ["file 'q r.zip'", "application/zip", "44 bytes", "file:///a/q%20r.zip"],
        ),
    ],
)
def test_what_models_do_not_take_is_a_sentence_with_type_and_size(block: dict[str, Any], words: list[str]) -> None:
    (sentence,) = said({"content": [block]})
    for word in words:
        assert word in sentence
    assert "\n" not in sentence


@pytest.mark.faults("R16", "R17")
def test_a_link_is_a_sentence_with_all_that_is_known() -> None:
    link = {"type": "resource_link", "uri": "notes://1", "name": "n", "title": "T", "description": "two\nlines"}
    assert said({"content": [{**link, "mimeType": "text/plain", "size": 1234}]}) == [
        "[resource link: notes://1; name: n; title: T; type: text/plain; size: 1,234 bytes; description: two lines]"
    ]


@pytest.mark.faults("R16")
def test_an_embedded_text_says_where_it_is_from() -> None:
    resource = {"uri": "file:///a.py", "mimeType": "text/x-python", "text": "x = 1"}
    assert said({"content": [{"type": "resource", "resource": resource}]}) == ["[file:///a.py (text/x-python)]\nx = 1"]


def test_a_file_goes_as_a_file_where_the_framework_takes_its_type_and_size() -> None:
    result = to_result({"content": [{"type": "resource", "resource": {"uri": "file:///a.pdf", "blob": PDF}}]})
    taken = for_model(result, files=frozenset({"application/pdf"}))
    assert isinstance(taken.parts[0], File)
    assert not any(isinstance(part, File) for part in for_model(result).parts)
    refused = for_model(result, Limits(file_bytes=10), files=frozenset({"application/pdf"}))
    assert "over the limit of 10 bytes" in refused.text


@pytest.mark.faults("R19")
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"content": []}, "The tool succeeded and returned nothing."),
        ({}, "The tool succeeded and returned nothing."),
        ({"content": [text("")]}, "The tool succeeded and returned nothing."),
        ({"content": [text(" \n")]}, "The tool succeeded and returned nothing."),
        ({"content": [], "structuredContent": None}, "The tool succeeded and returned nothing."),
        ({"content": [], "isError": True}, "The tool failed and gave no reason."),
        (
            {"content": [text("for you", annotations={"audience": ["user"]})]},
            "The tool succeeded. What it returned (1 part) is for the user only.",
        ),
    ],
)
def test_silence_is_put_in_words(raw: dict[str, Any], words: str) -> None:
    assert said(raw) == [words]


def test_a_part_for_the_user_only_is_left_out() -> None:
    hidden, seen = {"audience": ["user"]}, {"audience": ["user", "assistant"]}
    content = [text("a", annotations=hidden), text("b", annotations=seen), image(PNG, annotations=hidden)]
    assert said({"content": content}) == ["b"]


@pytest.mark.faults("R2", "R8")
def test_an_error_keeps_its_text_first_and_its_structured_body() -> None:
    raw = {"content": [text("quota")], "structuredContent": {"retry_after": 3}, "isError": True}
    assert said(raw) == ["quota", '{"retry_after":3}']
    assert shown(raw).is_error
    assert said({**raw, "content": []}) == ['{"retry_after":3}']


@pytest.mark.faults("R22")
def test_an_error_is_not_cut() -> None:
    assert said({"content": [text("x" * 500)], "isError": True}, text=10) == ["x" * 500]


def test_tokens_are_estimated_from_bytes() -> None:
    assert shown({"content": [text("x" * 400), image(PNG)]}).tokens == 100
    assert shown({"content": [text("東" * 400)]}).tokens == 300


def test_what_takes_long_is_known_before_it_is_begun() -> None:
    result = to_result({"content": [text("some words"), image(PNG)]})
    assert not is_slow(result, Limits())
    assert is_slow(result, Limits(image_bytes=10))
