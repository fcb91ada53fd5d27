"""What a server is given of the model's arguments, in every framework."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import Http
from toolgraft.adapter import Step
from toolgraft.testing import DEMO_TOOLS

from tests.contract.conftest import Turn

pytestmark = pytest.mark.anyio

ODD_NAMES = next(tuple(tool["inputSchema"]["properties"]) for tool in DEMO_TOOLS if tool["name"] == "echo")


def arrived(step: Step) -> Mapping[str, Any]:
    return json.loads(step.text)["arguments"]


async def test_names_that_frameworks_keep_for_themselves_arrive(turn: Turn) -> None:
    assert {"config", "run_manager", "self", "callbacks"} <= set(ODD_NAMES)
    sent = {name: f"value of {name}" for name in ODD_NAMES}
    (step,) = await turn(("echo", sent))
    assert arrived(step) == sent


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_such_a_name_arrives_on_its_own(name: str, turn: Turn) -> None:
    (step,) = await turn(("echo", {name: "x"}))
    assert arrived(step) == {name: "x"}


async def test_optional_arguments_are_not_invented(turn: Turn) -> None:
    bare, greeting = await turn(("echo", {}), ("greet", {"name": "Ada"}))
    assert arrived(bare) == {}
    assert greeting.text == "Hello, Ada!"


async def test_a_null_for_an_optional_argument_is_left_out(turn: Turn) -> None:
    bare, greeting = await turn(("echo", {"config": None}), ("greet", {"name": "Ada", "greeting": None}))
    assert arrived(bare) == {}
    assert greeting.text == "Hello, Ada!"


async def test_given_optional_arguments_arrive(turn: Turn) -> None:
    (step,) = await turn(("greet", {"name": "Łukasz 🦀", "greeting": "Cześć"}))
    assert step.text == "Cześć, Łukasz 🦀!"


async def test_a_number_written_as_text_is_taken_as_the_number(turn: Turn) -> None:
    (step,) = await turn(("add", {"a": "2", "b": 3}))
    assert json.loads(step.text) == {"sum": 5}


async def test_arguments_that_do_not_fit_are_told_to_the_model_and_the_server_is_not_called(turn: Turn) -> None:
    wrong, missing = await turn(("add", {"a": "two", "b": 3}), ("add", {"a": 2}))
    assert wrong.is_error
    assert "/a" in wrong.text
    assert "not called" in wrong.text
    assert missing.is_error
    assert "b" in missing.text


async def test_a_bound_argument_is_added_and_the_model_cannot_set_it(turn: Turn, demo_http: Http) -> None:
    bound = replace(demo_http, bind={"greeting": "Welcome"})
    (step,) = await turn(("greet", {"name": "Ada"}), server=bound)
    assert step.text == "Welcome, Ada!"
