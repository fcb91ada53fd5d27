"""Every made-up tool with every provider's package: what it sends of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from toolgraft.dialects import dialect_named

from tests.providers.argument_names import text_of
from tests.providers.environment import run
from tests.providers.forms import DEFAULT, OWN, forms, listed
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
    folder = tmp_path_factory.mktemp("providers")
    tools = listed(SHAPES, folder)
    assert tools.keys() == SHAPES.keys()
    (folder / "forms.json").write_text(json.dumps(list(forms(tools))), "utf-8")
    return run("tests.providers.binding", str(folder / "forms.json"), "--sent", seconds=360)


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
