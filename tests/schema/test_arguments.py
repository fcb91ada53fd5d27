"""What happens to arguments before a call: parsed, coerced, checked."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolgraft.errors import ArgumentsError, SchemaError
from toolgraft.schema import compile_checks, describe, parse, without

Node = dict[str, Any]


def tool(*required: str, **properties: Any) -> Node:
    return {"type": "object", "properties": properties, "required": list(required)}


@pytest.mark.faults("A8")
@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_blank_is_no_arguments(text: str) -> None:
    assert parse(text) == {}


@pytest.mark.faults("A9")
@pytest.mark.parametrize(
    "text",
    ["[1]", "42", "null", '"x"', "{", '{"a": NaN}', '{"a": Infinity}', '{"a": "\\ud800"}', '{"a":' * 4000, "9" * 5000],
)
def test_what_is_no_json_object_is_an_error_to_the_model(text: str) -> None:
    with pytest.raises(ArgumentsError, match="wanted a JSON object") as refused:
        parse(text)
    assert len(str(refused.value)) < 500


def test_objects_are_read_as_they_are() -> None:
    assert parse('{"a": [1, 1.5, null, "é", "\\ud83d\\ude00"]}') == {"a": [1, 1.5, None, "é", "😀"]}


@pytest.mark.faults("A6")
@pytest.mark.parametrize(
    ("schema", "written", "sent"),
    [
        ({"type": "integer"}, "3", 3),
        ({"type": "integer"}, "-12", -12),
        ({"type": ["integer", "null"]}, "3", 3),
        ({"type": "number"}, "0.1", 0.1),
        ({"type": "number"}, "7", 7),
        ({"type": "boolean"}, "true", True),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "4", 4),
        ({"enum": [1, 2]}, "2", 2),
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2], [1, 2]),
        ({"type": "array", "items": {"type": "integer"}}, '["1", 2]', [1, 2]),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, '{"n": "1"}', {"n": 1}),
        ({"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "number"}}]}, "[1.5]", [1.5]),
    ],
)
def test_strings_become_what_the_schema_wants_where_nothing_is_lost(schema: Node, written: Any, sent: Any) -> None:
    given_args = {"v": written}
    before = copy.deepcopy(given_args)
    coerced = compile_checks(tool("v", v=schema)).coerce(given_args)
    assert coerced == {"v": sent}
    assert type(coerced["v"]) is type(sent)
    assert given_args == before


@pytest.mark.faults("A6", "A7")
@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"type": "integer"}, "0x10"),
        ({"type": "integer"}, "1e-3"),
        ({"type": "integer"}, "1e30"),
        ({"type": "number"}, "1e400"),
        ({"type": "integer"}, " 1"),
        ({"type": "integer"}, "007"),
        ({"type": "integer"}, "-0"),
        ({"type": "integer"}, "3.0"),
        ({"type": "integer"}, "٣"),
        ({"type": "integer"}, "12345678901234567890"),
        ({"type": "number"}, "0.10000000000000000001"),
        ({"type": "string"}, "3"),
        ({"type": ["string", "integer"]}, "3"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "3"),
        ({}, "3"),
        ({"type": "boolean"}, "True"),
        ({"type": "array"}, '{"a": 1}'),
        ({"type": "array"}, "[1"),
        ({"type": "object"}, "[1]"),
        ({"type": "integer"}, 3.5),
        ({"type": "string"}, 3),
    ],
)
def test_what_would_lose_or_guess_stays(schema: Node, written: Any) -> None:
    assert compile_checks(tool("v", v=schema)).coerce({"v": written}) == {"v": written}


@pytest.mark.faults("A7")
def test_lists_as_text_are_read_only_where_a_list_is_wanted() -> None:
    checker = compile_checks(tool(tags={"type": "array", "items": {"type": "string"}}, note={"type": "string"}))
    assert checker.coerce({"tags": '["a"]', "note": '["a"]'}) == {"tags": ["a"], "note": '["a"]'}


@pytest.mark.faults("A10")
def test_problems_say_where_what_was_wanted_and_what_came() -> None:
    schema = {
        **tool("region", "q", q={"type": "string"}, region={"enum": ["eu", "us"]}, n={"type": "integer", "maximum": 9}),
        "additionalProperties": False,
    }
    checker = compile_checks(schema)
    assert checker.problems({"q": "x", "region": "eu", "n": 3}) == ()
    problems = checker.problems({"region": "moon", "n": 10, "extra": 1})
    assert set(problems) == {
        "/q: wanted a value, since it is required, got none",
        '/region: wanted one of "eu", "us", got the string "moon"',
        "/n: wanted at most 9, got the integer 10",
        "/extra: no such member (known: q, region, n)",
    }


@pytest.mark.faults("A10", "S8", "S10")
def test_what_strict_mode_cannot_hold_the_model_to_is_checked() -> None:
    schema = tool(
        u={"type": "string", "format": "uri"},
        ids={"type": "array", "uniqueItems": True},
        s={"type": "string", "minLength": 2},
    )
    problems = compile_checks(schema).problems({"u": "no uri at all", "ids": [1, 1], "s": "x"})
    assert [problem.split(":")[0] for problem in problems] == ["/ids", "/s"]


def test_alternatives_are_told_by_what_they_want() -> None:
    schema = tool(u={"anyOf": [{"type": "integer"}, tool("k", k={"type": "number"})]})
    checker = compile_checks(schema)
    assert checker.problems({"u": "x"}) == ('/u: wanted an integer or an object, got the string "x"',)
    assert checker.problems({"u": {}}) == (
        "/u: wanted a value, since it is required at '/k', got an object of 0 members",
    )


def test_problems_are_few_and_short_whatever_comes() -> None:
    schema = {
        **tool(v={"enum": ["x" * 5000] * 1 + [f"{'y' * 300}{i}" for i in range(500)]}),
        "additionalProperties": False,
    }
    args = {"v": "z" * 1_000_000, **{f"{'k' * 1000}{i}": i for i in range(1000)}}
    problems = compile_checks(schema).problems(args)
    assert 0 < len(problems) <= 8
    assert all(len(problem) <= 400 for problem in problems)


@pytest.mark.parametrize(
    "pattern", [r"^(a+)+$", r"^(?=(a+)+b)(a|a)*$", r"(a*)*b\1", "a{1000}{1000}{1000}", "(unclosed", r"\p{Foo}"]
)
def test_a_hostile_pattern_costs_no_time(pattern: str) -> None:
    checker = compile_checks(tool(a={"type": "string", "pattern": pattern}))
    started = time.monotonic()
    checker.problems({"a": "a" * 5000 + "!"})
    assert time.monotonic() - started < 5


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SchemaError, match="never fetched"):
        compile_checks(tool(a={"$ref": "http://127.0.0.1:9/schema.json"})).problems({})


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5),
    )
)
def test_coercion_and_checks_take_whatever_comes(args: dict[str, Any]) -> None:
    checker = compile_checks(
        tool(
            a={"type": "integer"},
            b={"type": "array", "items": {"type": "integer"}},
            c={"anyOf": [{"type": "number"}, {"type": "null"}]},
        )
    )
    coerced = checker.coerce(args)
    assert coerced.keys() == args.keys()
    assert all(isinstance(problem, str) for problem in checker.problems(coerced))
    assert checker.coerce(coerced) == coerced or coerced != coerced


class TestBound:
    """Arguments that the application gives."""

    @pytest.mark.faults("A5")
    def test_they_disappear_from_the_schema(self) -> None:
        schema = tool("user_id", "q", user_id={"type": "string"}, q={"type": "string"})
        before = copy.deepcopy(schema)
        assert without(schema, ["user_id"]) == tool("q", q={"type": "string"})
        assert schema == before

    @pytest.mark.faults("A5")
    def test_they_disappear_from_alternatives_too(self) -> None:
        schema = {
            "type": "object",
            "anyOf": [tool("t", t={"type": "string"}, a={"type": "string"}), tool("b", b={"type": "string"})],
        }
        assert [list(each["properties"]) for each in without(schema, ["t"])["anyOf"]] == [["a"], ["b"]]

    @pytest.mark.faults("A5")
    def test_they_are_found_behind_a_reference(self) -> None:
        schema = {"$ref": "#/$defs/Args", "$defs": {"Args": tool("t", "q", t={"type": "string"}, q={"type": "string"})}}
        served = without(schema, ["t"])
        assert list(served["properties"]) == ["q"]
        assert served["required"] == ["q"]

    @pytest.mark.faults("A5")
    def test_one_that_does_not_exist_is_an_error(self) -> None:
        with pytest.raises(SchemaError, match=r"'usr' is not an argument of this tool \(its arguments: q, user\)"):
            without(tool(user={"type": "string"}, q={"type": "string"}), ["usr"])


class TestDescribe:
    """Descriptions within a limit."""

    @pytest.mark.faults("N10")
    def test_a_long_one_is_cut_at_a_sentence_with_a_mark(self) -> None:
        text = "First sentence. Second one is here. Third goes on and on. " * 60
        cut = describe(text, 1024)
        assert len(cut) <= 1024
        assert cut.endswith(". […]")

    @pytest.mark.faults("N10")
    @pytest.mark.parametrize("text", ["word " * 500, "x" * 3000, "読む。" * 1000])
    def test_one_without_sentences_is_cut_too(self, text: str) -> None:
        cut = describe(text, 100)
        assert len(cut) <= 100
        assert cut.endswith("[…]")

    @pytest.mark.faults("N10")
    def test_a_short_one_stays(self) -> None:
        assert describe("Short.", 1024) == "Short."
        assert describe("x" * 5000, None) == "x" * 5000

    def test_a_limit_that_holds_nothing_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="too small"):
            describe("x" * 100, 5)
