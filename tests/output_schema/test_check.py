"""The check of structured results against their output schemas."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from toolgraft.content import to_result
from toolgraft.errors import ResultError
from toolgraft.output_schema import check
from toolgraft.result import ABSENT, ToolResult
from toolgraft.spec import ToolRef

from tests.content.json_values import ANY_JSON

pytestmark = pytest.mark.faults("R24")

REF = ToolRef("shop", "stock")
INTEGER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def result(structured: Any = ABSENT, **more: Any) -> ToolResult:
    raw = {"content": [{"type": "text", "text": "x"}], **more}
    return to_result(raw if structured is ABSENT else {**raw, "structuredContent": structured})


def warnings(schema: Any, structured: Any = ABSENT) -> tuple[str, ...]:
    given = result(structured)
    checked = check(schema, "warn", REF)(given)
    assert (checked.parts, checked.structured) == (given.parts, given.structured)
    return checked.warnings


@pytest.mark.parametrize("structured", [{"n": 1}, {"n": 1, "more": True}])
def test_a_result_that_keeps_its_schema_passes(structured: Any) -> None:
    assert warnings(INTEGER, structured) == ()


@pytest.mark.parametrize(
    ("structured", "words"),
    [
        ({"n": "secret"}, ["at '/n'", "integer"]),
        ({}, ["at '/'", '"n" is a required property']),
        ([1], ["at '/'", "object"]),
        (None, ["at '/'", "object"]),
        (ABSENT, ["there is no structured content"]),
    ],
)
def test_a_miss_is_one_warning_that_does_not_repeat_the_value(structured: Any, words: list[str]) -> None:
    (warning,) = warnings(INTEGER, structured)
    assert warning.startswith("the result misses the tool's output schema: ")
    assert "secret" not in warning
    for word in words:
        assert word in warning


def test_error_raises_and_says_that_the_tool_ran() -> None:
    checked = check(INTEGER, "error", REF)
    assert checked(result({"n": 1})).warnings == ()
    with pytest.raises(ResultError, match="tool 'stock' of server 'shop': the tool ran, but"):
        checked(result({"n": "x"}))


def test_off_does_not_look() -> None:
    given = result({"n": "x"})
    assert check(INTEGER, "off", REF)(given) is given
    assert check(None, "error", REF)(given) is given


def test_an_error_result_need_not_keep_the_schema() -> None:
    assert check(INTEGER, "error", REF)(result({"code": 3}, isError=True)).is_error


def test_many_misses_are_still_one_short_warning() -> None:
    (warning,) = warnings({"items": {"type": "integer"}}, ["x"] * 1_000)
    assert warning.endswith("and more")
    assert len(warning) < 1_000


@pytest.mark.parametrize("value", [0, False, "", [], {}, [1]])
def test_values_of_any_kind_are_judged(value: Any) -> None:
    assert warnings({"const": value}, value) == ()
    assert len(warnings({"not": {"const": value}}, value)) == 1


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strange"},
        {"$ref": "#/$defs/missing"},
        {"$ref": "http://127.0.0.1:9/never.json"},
        {"$ref": "file:///etc/hostname"},
        {"$schema": "https://example.com/own-dialect"},
        {"properties": 3},
    ],
)
@pytest.mark.parametrize("policy", ["warn", "error"])
def test_a_schema_that_cannot_be_used_costs_a_warning_not_the_result(schema: Any, policy: Any) -> None:
    (warning,) = check(schema, policy, REF)(result({"n": 1})).warnings
    assert "cannot be used" in warning


def test_older_drafts_are_taken_as_what_they_are() -> None:
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": True}
    assert len(warnings(draft4, 3)) == 1
    assert warnings(draft4, 4) == ()


def doubling(levels: int) -> dict[str, Any]:
    defs: dict[str, Any] = {f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(levels)}
    return {"$ref": "#/$defs/a0", "$defs": {**defs, f"a{levels}": {"type": "object"}}}


TWICE_DOWN = {
    "$ref": "#/$defs/a",
    "$defs": {
        "a": {"allOf": [{"properties": {"x": {"$ref": "#/$defs/a"}}}, {"properties": {"x": {"$ref": "#/$defs/a"}}}]}
    },
}


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"x": value}
    return value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling(60), {}),
        (TWICE_DOWN, nested(60)),
        ({"items": {"anyOf": [{"const": n} for n in range(20_000)]}}, [-1] * 10_000),
        (
            {"items": {"$ref": "#/$defs/u"}, "$defs": {"u": {"anyOf": [{"const": n} for n in range(20_000)]}}},
            [-1] * 10_000,
        ),
    ],
)
def test_a_check_that_would_take_hours_is_not_begun(schema: Any, value: Any) -> None:
    (warning,) = warnings(schema, value)
    assert "too long" in warning


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "pattern": "^(a+)+(?=b)$"}, "a" * 60 + "!"),
        ({"$ref": "#"}, {}),
        ({"anyOf": [{"$ref": "#"}]}, {}),
        ({"$dynamicRef": "#"}, {}),
        ({"$ref": "#/$defs/0", "$defs": {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(20_000)}}, {}),
        (nested(5_000), {}),
        ({"allOf": [nested(150)]}, {}),
    ],
)
def test_hostile_schemas_end_soon(schema: Any, value: Any) -> None:
    assert len(warnings(schema, value)) <= 1


TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
            "required": ["value"],
        }
    },
}


def test_a_tree_is_judged_through_its_loop() -> None:
    tree: dict[str, Any] = {"value": 1, "children": [{"value": n, "children": [{"value": n}]} for n in range(1_000)]}
    assert warnings(TREE, tree) == ()
    tree["children"][7]["children"][0]["value"] = "x"
    assert "at '/children/7/children/0/value'" in warnings(TREE, tree)[0]


@given(ANY_JSON, ANY_JSON)
def test_no_pair_of_schema_and_value_makes_the_check_raise(schema: Any, value: Any) -> None:
    for whole in (schema, {"enum": [schema], "items": schema}):
        if isinstance(whole, dict):
            assert len(check(cast("dict[str, Any]", whole), "warn", REF)(result(value)).warnings) <= 1


@pytest.mark.faults("T6")
def test_of_a_large_result_only_the_first_problem_is_written_out() -> None:
    schema = {"type": "object", "additionalProperties": {"enum": [f"v{index}" for index in range(8_000)]}}
    answer = {f"k{index}": f"x{index}" for index in range(3_000)}
    (warning,) = check(schema, "warn")(to_result({"content": [], "structuredContent": answer})).warnings
    assert warning.count("at '/k") == 1 or "would take too long" in warning


def judged_in_little_memory(schema: Any, value: Any) -> Sequence[str]:
    """The warnings, where the check takes less than 100 MB on top of what there is."""
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = warnings(schema, value)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB on Linux, bytes elsewhere
    return said


@pytest.mark.faults("T6", "T7")
@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in other units there")
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"required": [f"k{n}" for n in range(40_000)]}, {"a": "x" * 2_000_000}),
        ({"dependentRequired": {f"k{n}": [f"z{m}" for m in range(200)] for n in range(300)}}, dict.fromkeys("ab", 1)),
        (
            {"dependentRequired": {f"k{n}": [f"z{m}" for m in range(200)] for n in range(300)}},
            {f"k{n}": 1 for n in range(300)},
        ),
        ({"items": {"enum": ["k" * 20_000 + str(n) for n in range(300)]}}, ["k" * 20_000 + "z"] * 900),
        ({"allOf": [{"required": [f"a{n}"]} for n in range(45)]}, {"r": ["q" * 300_000] * 20}),
        ({"items": {"const": "c" * 1_000_000}}, ["q"] * 1_900),
        ({"items": {"maxLength": 1}}, ["q" * 30_000] * 1_900),
    ],
)
def test_problems_are_told_without_copying_large_values_for_each(schema: Any, value: Any) -> None:
    assert len(judged_in_little_memory(schema, value)) <= 1


@pytest.mark.faults("T6")
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"multipleOf": 1e-7}}, [1e300] * 200_000),
        ({"patternProperties": {"^(a|a)*(?!x)$": True}}, {"a" * 28 + str(n) + "!": 1 for n in range(4_000)}),
        ({"items": {"not": {"pattern": "^(a|a)*(?!x)$"}}}, ["a" * 28 + str(n) + "!" for n in range(4_000)]),
    ],
)
def test_what_is_slow_for_each_value_counts_as_more_work(schema: Any, value: Any) -> None:
    assert ["too long" in each for each in warnings(schema, value)] == [True]


@pytest.mark.faults("T6")
def test_a_pattern_that_gives_up_is_no_miss() -> None:
    schema = {"type": "object", "properties": {"a": {"pattern": "^(a|a)*(?!x)$"}, "b": {"type": "integer"}}}
    assert "takes too long" in warnings(schema, {"a": "a" * 28 + "!", "b": 1})[0]
    assert check(schema, "error")(result({"a": "a" * 28 + "!", "b": 1}))
    assert "at '/b'" in warnings(schema, {"a": "a" * 28 + "!", "b": "x"})[0]
