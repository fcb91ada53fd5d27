"""What the model is given for a result, in every framework."""

from __future__ import annotations

import json
from typing import Final

from toolgraft.testing.contract.turns import Turns
from toolgraft.testing.tools import REPORT, REPORT_URI

PNG_IN_BASE64: Final = "iVBORw0KGgo"
WAV_IN_BASE64: Final = "UklGR"


class ResultsContract(Turns):
    """Results reach the model as what they are."""

    def test_text_picture_and_structured_results_of_one_turn_come_back_in_order(self) -> None:
        """By HTTP and from a child process."""
        calls = [("greet", {"name": "Ada"}), ("picture", {"color": "red"}), ("weather", {"city": "Zürich"})]
        for server in self.both_ways():
            greeting, picture, weather = self.turn(*calls, server=server)
            assert greeting.text == "Hello, Ada!"
            assert picture.images == ("image/png",)
            assert json.loads(weather.text)["city"] == "Zürich"
            assert not any(step.is_error for step in (greeting, picture, weather))

    def test_a_picture_is_given_as_a_picture_with_its_text_beside_it(self) -> None:
        """A framework that gives its models no pictures has to say what is left out, and fails this."""
        (step,) = self.turn(("picture", {"color": "blue", "size": 4}))
        assert step.images == ("image/png",)
        assert step.text == "A blue square of 4 by 4 pixels."

    def test_base64_is_never_given_as_text(self) -> None:
        """Neither of a picture nor of a sound."""
        picture, sound = self.turn(("picture", {"color": "green"}), ("sound", {}))
        assert PNG_IN_BASE64 not in picture.text
        assert WAV_IN_BASE64 not in sound.text
        assert "audio" in sound.text

    def test_a_structured_result_that_is_also_sent_as_text_is_given_once(self) -> None:
        """And its letters are not escaped."""
        (step,) = self.turn(("weather", {"city": "Zürich"}))
        assert step.text.count("celsius") == 1
        assert "Zürich" in step.text

    def test_an_embedded_file_is_given_whole_and_a_link_by_its_uri(self) -> None:
        """Text is text, wherever it stands."""
        (step,) = self.turn(("report", {}))
        assert "Here is the report." in step.text
        assert REPORT.strip() in step.text
        assert REPORT_URI in step.text

    def test_an_error_of_the_tool_is_given_to_the_model_and_ends_nothing(self) -> None:
        """The call beside it goes on."""
        failed, fine = self.turn(("fail", {"reason": "out of paper"}), ("add", {"a": 1, "b": 2}))
        assert failed.is_error
        assert "out of paper" in failed.text
        assert not fine.is_error
        assert json.loads(fine.text) == {"sum": 3}
