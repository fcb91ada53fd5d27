"""Every made-up tool with every provider's package: what it sends of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from toolgraft.dialects import dialect_named

from tests.providers.argument_names import schema_sent, text_of
from tests.providers.environment import run
from tests.providers.forms import DEFAULT, OWN
from tests.providers.packages import PACKAGES
from tests.providers.shapes import SHAPES, Node

Sent = dict[str, dict[str, Any]]

pytestmark = pytest.mark.timeout(400)

_HUGE = "fanning references, deep"
"""Beyond any limit, so that its arguments are given as one JSON text."""

_TOLD = (
    *("pattern", "format", "contentEncoding", "minLength", "maxLength", "minItems", "maxItems", "minProperties"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "default", "description"),
    *("enum", "const", "examples"),
)


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sent]:
    """What each package sends of each tool, in each form."""
    path = tmp_path_factory.mktemp("providers") / "schemas.json"
    path.write_text(json.dumps(SHAPES), "utf-8")
    return run("tests.providers.grafted", str(path), seconds=360)


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("given", [DEFAULT, OWN])
def test_every_tool_is_sent_with_every_argument_name_that_the_package_can_carry(
    sent: dict[str, Sent], package: str, given: str
) -> None:
    mine = {title: sent[package][f"{given}/{title}"] for title in SHAPES}
    assert {title: each["raised"] for title, each in mine.items() if each["raised"]} == {}
    assert {title: each["lost"] for title, each in mine.items() if each["lost"]} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_package_cannot_carry_is_told_in_the_form_for_its_models(sent: dict[str, Sent], package: str) -> None:
    missing: dict[str, list[str]] = {}
    for title, schema in SHAPES.items():
        each = sent[package][f"{OWN}/{title}"]
        text = text_of(each["sent"])
        gone = [*each["silent"], *(told for told in _facts(schema) if told not in text)]
        if gone and title != _HUGE:
            missing[title] = gone
    assert missing == {}


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in ("ollama", "cohere")])
def test_with_nothing_told_no_name_of_an_argument_is_dropped_in_silence(sent: dict[str, Sent], package: str) -> None:
    mine = {title: sent[package][f"{DEFAULT}/{title}"]["silent"] for title in SHAPES if title != _HUGE}
    assert {title: names for title, names in mine.items() if names} == {}


def test_an_integer_of_a_few_values_arrives_once_with_its_values_told(sent: dict[str, Sent]) -> None:
    for given in (DEFAULT, OWN):
        for package in ("google-genai", "google-vertexai"):
            (member,) = schema_sent(sent[package][f"{given}/enum of integers apart"]["sent"])["properties"].values()
            assert "anyOf" not in member
            assert member["description"] == "One of: [10, 200, 3000]."


def test_every_dialect_but_the_one_for_any_model_is_asked() -> None:
    asked = {PACKAGES[name].dialect for name in PACKAGES}
    assert all(dialect_named(name) for name in asked)
    assert len(asked) == len(PACKAGES)


def _facts(node: Any) -> Iterator[str]:
    """What a schema says of values, as texts that a reader would look for."""
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from _facts(each)
    if not isinstance(node, dict):
        return
    for key, value in cast(Node, node).items():
        if key in ("properties", "$defs", "definitions"):
            yield from _facts(list(cast(Node, value).values()))
        else:
            yield from _leaves(value) if key in _TOLD else _facts(value)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(cast(Node, value).values())
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _leaves(each)
    elif value is not None and not isinstance(value, bool):
        yield value if isinstance(value, str) else json.dumps(value)
