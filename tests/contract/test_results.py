"""What the model is given for a result, in every framework."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toolgraft import AnyServer, Options
from toolgraft.adapter import Adapter
from toolgraft.graft import Graft
from toolgraft.testing.tools import REPORT, REPORT_URI

from tests.contract.conftest import Turn

pytestmark = pytest.mark.anyio

PNG_IN_BASE64 = "iVBORw0KGgo"
WAV_IN_BASE64 = "UklGR"


async def test_text_picture_and_structured_results_of_one_turn_come_back_in_order(
    adapter: Adapter[Any], demo: AnyServer
) -> None:
    calls = [("greet", {"name": "Ada"}), ("picture", {"color": "red"}), ("weather", {"city": "Zürich"})]
    async with Graft(adapter, [demo], Options(discover_plugins=False)) as tools:
        greeting, picture, weather = await adapter.rehearse(tools, calls)
    assert greeting.text == "Hello, Ada!"
    assert picture.images == ("image/png",)
    assert json.loads(weather.text)["city"] == "Zürich"
    assert not any(step.is_error for step in (greeting, picture, weather))


async def test_a_picture_is_given_as_a_picture_with_its_text_beside_it(turn: Turn) -> None:
    (step,) = await turn(("picture", {"color": "blue", "size": 4}))
    assert step.images == ("image/png",)
    assert step.text == "A blue square of 4 by 4 pixels."
    assert PNG_IN_BASE64 in repr(step.raw)


async def test_base64_is_never_given_as_text(turn: Turn) -> None:
    picture, sound = await turn(("picture", {"color": "green"}), ("sound", {}))
    assert PNG_IN_BASE64 not in picture.text
    assert WAV_IN_BASE64 not in sound.text
    assert "audio" in sound.text


async def test_a_structured_result_that_is_also_sent_as_text_is_given_once(turn: Turn) -> None:
    (step,) = await turn(("weather", {"city": "Zürich"}))
    assert step.text.count("celsius") == 1
    assert "Zürich" in step.text, "letters are not escaped"


async def test_an_embedded_file_is_given_whole_and_a_link_by_its_uri(turn: Turn) -> None:
    (step,) = await turn(("report", {}))
    assert "Here is the report." in step.text
    assert REPORT.strip() in step.text
    assert REPORT_URI in step.text


async def test_an_error_of_the_tool_is_given_to_the_model_and_ends_nothing(turn: Turn) -> None:
    failed, fine = await turn(("fail", {"reason": "out of paper"}), ("add", {"a": 1, "b": 2}))
    assert failed.is_error
    assert "out of paper" in failed.text
    assert not fine.is_error
    assert json.loads(fine.text) == {"sum": 3}
