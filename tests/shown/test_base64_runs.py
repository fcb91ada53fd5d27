"""Base64 in text is left out where it is data, and only there."""

from __future__ import annotations

import base64
import json
import random

import pytest

from tests.content.bytes_of import PNG, png_bytes
from tests.shown.said import image, said, text

pytestmark = pytest.mark.faults("R10")

LARGE = base64.b64encode(random.Random(1).randbytes(30_000)).decode()
PICTURE = base64.b64encode(png_bytes() + random.Random(2).randbytes(30_000)).decode()


@pytest.mark.parametrize("before", ["", "x" * 7, "the picture: " * 50, '{"data":"'])
@pytest.mark.parametrize("after", ["", " end", '"}'])
def test_a_picture_as_text_is_left_out_and_its_surroundings_stay(before: str, after: str) -> None:
    if before == "x" * 7:
        before += " "
    (told,) = said({"content": [text(before + PICTURE + after)]})
    assert told.startswith(before)
    assert told.endswith(f"bytes of image/png left out]{after}")
    assert PICTURE[100:150] not in told


@pytest.mark.parametrize("size", [400, 40_000])
def test_a_data_url_is_left_out(size: int) -> None:
    (told,) = said({"content": [text(f"see data:application/x;base64,{LARGE[:size]} here")]})
    assert told.startswith("see data:application/x;base64,[")
    assert told.endswith(" here")
    assert LARGE[20:60] not in told


def test_a_data_url_in_a_very_long_text_is_left_out() -> None:
    (told,) = said({"content": [text("word " * 100_000 + f"data:x/y;base64,{LARGE}" + " word" * 100_000)]}, text=None)
    assert LARGE[20:60] not in told
    assert told.count("word") == 200_000


def test_what_a_part_holds_is_left_out_of_the_text_beside_it_however_small() -> None:
    small = base64.b64encode(b"GIF89a" + bytes(20)).decode()
    assert said({"content": [image(small), text(json.dumps({"img": small}))]})[1] == (
        '{"img": "[27 bytes of image/gif left out]"}'
    )


@pytest.mark.parametrize(
    "answer",
    [
        LARGE,  # of no known kind: perhaps what the tool was asked for
        "ACGT" * 5_000,
        "a" * 20_000,
        "\n".join(LARGE[i : i + 40] for i in range(0, 20_000, 40)),
        "/usr/share/" * 2_000,
        "data:,short",
        PNG,
    ],
)
def test_other_long_runs_are_the_answer_and_stay(answer: str) -> None:
    assert said({"content": [text(answer)]}) == [answer]


def test_line_breaks_do_not_save_a_picture() -> None:
    wrapped = "\n".join(PICTURE[i : i + 76] for i in range(0, len(PICTURE), 76))
    for told in said({"content": [text(wrapped), text(json.dumps(wrapped))]}):
        assert len(told) < 100
