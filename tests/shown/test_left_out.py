"""What is left out is empty, or is said to be left out; files of others stay where spilt ones go."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.shown import for_model

from tests.content.bytes_of import PNG
from tests.shown.said import image, said, text


@pytest.mark.faults("T35")
@pytest.mark.parametrize("value", [{}, [], None])
def test_an_empty_value_is_not_shown_beside_anything(value: Any) -> None:
    assert said({"content": [text("done")], "structuredContent": value}) == ["done"]
    assert said({"content": [text("no")], "structuredContent": value, "isError": True}) == ["no"]
    assert said({"content": [image(PNG)], "structuredContent": value}) == ["<Image image/png>"]


@pytest.mark.faults("T35")
def test_zero_and_false_are_no_empty_values() -> None:
    assert said({"content": [text("done")], "structuredContent": 0}) == ["done", "0"]
    assert said({"content": [text("done")], "structuredContent": False}) == ["done", "false"]


@pytest.mark.faults("T45")
@pytest.mark.parametrize(("failed", "word"), [(False, "succeeded"), (True, "failed")])
def test_a_value_that_is_never_shown_is_not_called_nothing(failed: bool, word: str) -> None:
    raw = {"content": [text(" ")], "structuredContent": {"a": 1}, "isError": failed}
    (told,) = said(raw, structured="never")
    assert told == f"The tool {word}. Its structured answer is not shown, it is in the result's artifact."


def spilt(folder: Path, whole: str) -> None:
    limits = Limits(text=10, on_overflow="spill", spill_to=folder, spill_files=1)
    for_model(to_result({"content": [text(whole * 100)]}), limits)


@pytest.mark.faults("T29")
@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_folders_and_other_names_stay_where_spilt_files_are_tidied(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    (tmp_path / "x-0123456789abcdef.txt").symlink_to(target)
    (tmp_path / "y-0123456789abcdef.txt").mkdir()
    (tmp_path / "my letter-0123456789abcdef.txt").write_text("mine")
    for each in tmp_path.iterdir():
        os.utime(each, (0, 0), follow_symlinks=False)
    before = set(tmp_path.iterdir())
    for whole in ("first ", "second ", "third "):
        spilt(tmp_path, whole)
    assert before < set(tmp_path.iterdir())
    assert len(set(tmp_path.iterdir()) - before) == 1
