"""The structured value is told once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.content.bytes_of import PNG
from tests.content.json_values import ANY_JSON
from tests.shown.said import image, said, text


@pytest.mark.faults("R1", "R3", "R25")
@pytest.mark.parametrize("value", [{"a": 1}, {}, [], [1], 0, False, "x", {"v": "東京"}])
def test_it_is_shown_where_there_is_no_text(value: Any) -> None:
    assert said({"content": [], "structuredContent": value}) == [
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    ]


@pytest.mark.faults("R5")
@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (['{"a": 1, "b": [true, null]}'], {"a": 1, "b": [True, None]}),
        (['{\n  "a": 1\n}'], {"a": 1}),
        (["hello"], "hello"),
        (["hello"], {"result": "hello"}),
        (['"hello"'], {"result": "hello"}),
        (["3"], {"result": 3}),
        (["true"], {"result": True}),
        (["True"], {"result": True}),
        (["1.5"], 1.5),
        (["[1, 2]"], {"result": [1, 2]}),
        (["1", "2"], {"result": [1, 2]}),
        (["a", '{"b": 2}'], {"result": ["a", {"b": 2}]}),
        (["a", '{"b": 2}'], ["a", {"b": 2}]),
        (["see:", '{"a": 1}'], {"a": 1}),
    ],
)
def test_it_is_not_shown_again_where_text_says_it(texts: list[str], value: Any) -> None:
    assert said({"content": [text(one) for one in texts], "structuredContent": value}) == texts


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (["3 results"], {"items": [1, 2, 3]}),
        (['{"a": 1}'], {"a": 2}),
        (['{"a": 1'], {"a": 1}),
        (["a"], {"result": ["a", "b"]}),
        (["1"], {"result": "x", "more": 1}),
    ],
)
def test_it_is_shown_beside_text_that_says_something_else(texts: list[str], value: Any) -> None:
    compact = json.dumps(value, separators=(",", ":"))
    assert said({"content": [text(one) for one in texts], "structuredContent": value}) == [*texts, compact]


@pytest.mark.faults("R7")
def test_a_picture_stays_beside_it() -> None:
    assert said({"content": [image(PNG)], "structuredContent": {"w": 1}}) == ["<Image image/png>", '{"w":1}']


@pytest.mark.faults("R6")
def test_a_picture_is_not_repeated_by_it() -> None:
    block = image(PNG)
    assert said({"content": [block], "structuredContent": {"result": [block]}}) == ["<Image image/png>"]
    content = [text("a"), block]
    assert said({"content": content, "structuredContent": {"result": ["a", block]}}) == ["a", "<Image image/png>"]


@pytest.mark.faults("R6", "R10")
def test_the_bytes_of_a_picture_are_left_out_of_it() -> None:
    _, told = said({"content": [image(PNG)], "structuredContent": {"w": 1, "image": PNG, "url": f"data:;base64,{PNG}"}})
    value = json.loads(told)
    assert PNG[:20] not in told
    assert value["w"] == 1
    assert "bytes of image/png left out" in value["image"]


@pytest.mark.faults("R21")
def test_escapes_in_its_text_are_taken_out() -> None:
    assert said({"content": [text('{"v": "\\u6771\\u4eac"}')], "structuredContent": {"v": "東京"}}) == ['{"v":"東京"}']


def test_text_for_the_user_that_says_it_hides_it_too() -> None:
    hidden = text('{"a": 1}', annotations={"audience": ["user"]})
    (sentence,) = said({"content": [hidden], "structuredContent": {"a": 1}})
    assert "for the user only" in sentence


@pytest.mark.faults("R5", "R21")
@given(ANY_JSON.filter(lambda value: value is not None), st.booleans(), st.sampled_from([None, 2]))
def test_any_value_is_told_exactly_once(value: Any, escaped: bool, indent: int | None) -> None:
    mirror = json.dumps(value, ensure_ascii=escaped, indent=indent)
    alone = said({"content": [], "structuredContent": value}, text=None)
    both = said({"content": [text(mirror)], "structuredContent": value}, text=None)
    assert len(alone) == 1
    if value == value and "NaN" not in mirror:
        assert len(both) == 1
