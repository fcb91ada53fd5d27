"""What a server is given of the model's arguments, in every framework."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from toolgraft.testing.contract.turns import Turns
from toolgraft.testing.tools import DEMO_TOOLS
from toolgraft.tools.scripted import Step

ODD_NAMES: Final = next(tuple(tool["inputSchema"]["properties"]) for tool in DEMO_TOOLS if tool["name"] == "echo")
"""Argument names that frameworks keep for themselves."""


def arrived(step: Step) -> Mapping[str, Any]:
    """What the server says that it was given."""
    given: Mapping[str, Any] = json.loads(step.text)["arguments"]
    return given


class ArgumentsContract(Turns):
    """Arguments arrive as the model meant them."""

    def test_names_that_frameworks_keep_for_themselves_arrive(self) -> None:
        """All at once, and each on its own."""
        assert {"config", "run_manager", "self", "callbacks"} <= set(ODD_NAMES)
        sent = {name: f"value of {name}" for name in ODD_NAMES}
        together, *alone = self.turn(("echo", sent), *(("echo", {name: "x"}) for name in ODD_NAMES))
        assert arrived(together) == sent
        assert [arrived(step) for step in alone] == [{name: "x"} for name in ODD_NAMES]

    def test_optional_arguments_are_not_invented(self) -> None:
        """Neither where they are left out, nor where they are null."""
        bare, greeting, null, greeted = self.turn(
            ("echo", {}),
            ("greet", {"name": "Ada"}),
            ("echo", {"config": None}),
            ("greet", {"name": "Ada", "greeting": None}),
        )
        assert arrived(bare) == arrived(null) == {}
        assert greeting.text == greeted.text == "Hello, Ada!"

    def test_given_optional_arguments_arrive(self) -> None:
        """In any script."""
        (step,) = self.turn(("greet", {"name": "Łukasz 🦀", "greeting": "Cześć"}))
        assert step.text == "Cześć, Łukasz 🦀!"

    def test_a_number_written_as_text_is_taken_as_the_number(self) -> None:
        """A slip that loses nothing is repaired."""
        (step,) = self.turn(("add", {"a": "2", "b": 3}))
        assert json.loads(step.text) == {"sum": 5}

    def test_arguments_that_do_not_fit_are_told_to_the_model_and_the_server_is_not_called(self) -> None:
        """With a pointer to what is wrong."""
        wrong, missing = self.turn(("add", {"a": "two", "b": 3}), ("add", {"a": 2}))
        assert wrong.is_error
        assert "/a" in wrong.text
        assert "not called" in wrong.text
        assert missing.is_error
        assert "b" in missing.text

    def test_a_bound_argument_is_added_and_the_model_cannot_set_it(self) -> None:
        """It does not see it either."""
        bound = replace(self.demo_http, bind={"greeting": "Welcome"})
        (step,) = self.turn(("greet", {"name": "Ada"}), server=bound)
        assert step.text == "Welcome, Ada!"
