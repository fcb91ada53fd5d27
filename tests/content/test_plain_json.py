"""Values that the frameworks' own serializers take."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.content.plain_json import DEEPEST, json_text, plain_json

from tests.content.json_values import ANY_JSON

pytestmark = pytest.mark.faults("T8")

WEI = 10**26 + 7


def str_length(number: int) -> str:
    return f"{number.bit_length()} bits"


def nested(depth: int, inner: Any = 1, *, lists: bool = False) -> Any:
    for _ in range(depth):
        inner = [inner] if lists else {"a": inner}
    return inner


def test_plain_values_are_given_back_as_they_are() -> None:
    value = {"a": [1, 2.5, None, True, "東京", {"b": 2**63 - 1, "c": -(2**63)}], "é": nested(DEEPEST - 5)}
    same, as_text, unnamed = plain_json(value)
    assert same is value
    assert (as_text, unnamed) == ((), 0)


@pytest.mark.parametrize("number", [WEI, 2**63, -(2**63) - 1, 10**3_990, -(10**200)], ids=str_length)
def test_a_large_number_is_text_with_its_exact_digits(number: int) -> None:
    value, as_text, _ = plain_json({"a/b~": [number]})
    assert int(value["a/b~"][0]) == number
    assert as_text == ["/a~1b~0/0"]


def test_a_number_too_long_for_decimal_digits_is_hexadecimal() -> None:
    assert int(plain_json(2**100_000 + 1).value, 16) == 2**100_000 + 1


@pytest.mark.parametrize(("number", "word"), [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")])
def test_what_is_no_number_of_json_is_its_name(number: float, word: str) -> None:
    assert plain_json([number]).value == [word]


def test_surrogates_are_replaced_in_text_and_in_names_which_stay_apart() -> None:
    value = plain_json({chr(0xD800): "\udc00", chr(0xDC01): 1, chr(0xDC02): 2}).value
    assert value == {"\ufffd": "\ufffd", "\ufffd'1": 1, "\ufffd'2": 2}


@pytest.mark.parametrize("depth", [DEEPEST + 1, 300, 900, 50_000])
@pytest.mark.parametrize("lists", [True, False])
def test_deep_nesting_is_text_that_holds_its_json(depth: int, lists: bool) -> None:
    value, as_text, _ = plain_json({"x": nested(depth, {"n": WEI}, lists=lists)})
    assert len(as_text) == 1
    for _ in range(DEEPEST - 1):
        value = value["x"] if "x" in value else value[0] if lists else value["a"]
    text = value["a"] if not lists else value[0]
    assert f'{{"n":{WEI}}}' in text.replace(" ", "")
    assert text[0] in "[{"
    if depth < 400:
        assert json.loads(text)


def test_what_contains_itself_ends() -> None:
    loop: list[Any] = []
    loop.append({"again": loop})
    value = plain_json(loop).value
    assert '"..."' in json.dumps(value).replace("\\", "")


def test_values_of_this_process_are_named() -> None:
    value = plain_json({"bytes": b"x", 3: (1, 2), None: object(), True: {1}}).value
    assert value == {"bytes": "<bytes>", "3": [1, 2], "null": "<object>", "true": "<set>"}


def test_many_places_are_counted_rather_than_named() -> None:
    _, as_text, unnamed = plain_json([WEI] * 5_000)
    assert (len(as_text), unnamed) == (1_000, 4_000)


def test_a_long_name_is_not_repeated_for_each_value_below_it() -> None:
    value, as_text, unnamed = plain_json({"k" * 1_000_000: [WEI] * 100_000})
    assert (as_text, unnamed) == ([], 100_000)
    assert value["k" * 1_000_000][-1] == str(WEI)


def test_names_that_become_the_same_end_soon() -> None:
    names = [chr(0xD800 + n % 1024) + chr(0xD800 + n // 1024) for n in range(20_000)]
    assert len(plain_json(dict.fromkeys(names, 1)).value) == 20_000


def odd() -> st.SearchStrategy[Any]:
    scalars = st.integers() | st.floats() | st.text(st.characters()) | st.sampled_from(["\ud800", WEI, None, True])
    keys = st.text() | st.sampled_from(["\ud800", "\udfff", "~/"])
    return st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


@given(odd())
def test_all_that_comes_out_is_taken_everywhere_and_stays_so(value: Any) -> None:
    plain = plain_json(value).value
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    json.dumps(plain, ensure_ascii=False).encode()
    assert copy.deepcopy(plain) == plain
    assert plain_json(plain).value is plain


@given(ANY_JSON)
def test_deep_text_says_what_was_there(value: Any) -> None:
    wrapped = [value, WEI]
    assert json.loads(json_text(wrapped)) == json.loads(json.dumps(wrapped)) or value != value or "NaN" in str(value)
