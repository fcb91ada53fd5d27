"""Text over its limit."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.result import Image, Text
from toolgraft.shown import for_model

from tests.content.bytes_of import PNG
from tests.shown.said import image, said, shown, text

pytestmark = pytest.mark.faults("R22")

LINES = "\n".join(f"line {number} of many" for number in range(1_000))


def test_head_and_tail_stay_with_a_notice_of_size_and_place() -> None:
    (told,) = said({"content": [text(LINES)]}, text=1_000)
    head, notice, tail = told.split("\n\n")
    assert LINES.startswith(head)
    assert LINES.endswith(tail)
    assert 500 <= len(head) + len(tail) <= 1_000
    left = len(LINES) - len(head) - len(tail)
    tokens = (len(LINES) + 3) // 4
    assert notice == (
        f"[{left:,} of {len(LINES):,} characters (about {tokens:,} tokens) left out here; "
        "the whole is in the result's artifact]"
    )


def test_a_cut_falls_between_lines() -> None:
    (told,) = said({"content": [text(LINES)]}, text=1_000)
    head, _, tail = told.split("\n\n")
    assert head.splitlines()[-1] in LINES.splitlines()
    assert tail.splitlines()[0] in LINES.splitlines()


@pytest.mark.parametrize("whole", ["e\u0301", "👩🏽", "👨\u200d👩\u200d👧"])
@pytest.mark.parametrize("limit", range(100, 112))
def test_a_cut_does_not_fall_inside_a_character(whole: str, limit: int) -> None:
    (told,) = said({"content": [text(whole * 200)]}, text=limit)
    head, _, tail = told.split("\n\n")
    assert head == whole * (len(head) // len(whole))
    assert tail == whole * (len(tail) // len(whole))


@pytest.mark.faults("R10")
def test_a_picture_is_neither_counted_nor_cut() -> None:
    result = to_result({"content": [image(PNG), text("x" * 50), image(PNG)]})
    told = for_model(result, Limits(text=10))
    assert [type(part) for part in told.parts] == [Image, Text, Image]
    assert said({"content": [image(PNG), text("short")]}, text=10)[1] == "short"


@pytest.mark.faults("R23")
def test_no_limit_cuts_nothing() -> None:
    assert said({"content": [text(LINES * 20)]}, text=None) == [LINES * 20]


def test_the_structured_value_counts_as_text() -> None:
    told = said({"content": [text("a" * 600)], "structuredContent": {"b": "b" * 600}}, text=600)
    assert sum(map(len, told)) < 900
    assert told[-1].endswith('b"}')


def test_refuse_tells_only_the_size() -> None:
    raw = {"content": [text(LINES), image(PNG), text(LINES)]}
    notice, picture = said(raw, text=1_000, on_overflow="refuse")
    assert picture == "<Image image/png>"
    assert f"{2 * len(LINES):,} characters" in notice
    assert "line" not in notice.replace("of the result", "")


def test_the_whole_stays_in_the_result() -> None:
    result = to_result({"content": [text(LINES)]})
    for_model(result, Limits(text=10))
    assert result.parts == (Text(LINES),)


@given(st.lists(st.text(max_size=200), max_size=5), st.integers(0, 200), st.sampled_from(["cut", "refuse"]))
def test_text_never_exceeds_the_limit_by_more_than_one_notice(texts: list[str], limit: int, how: Any) -> None:
    told = shown({"content": [text(one) for one in texts]}, text=limit, on_overflow=how)
    assert sum(len(part.text) for part in told.parts if isinstance(part, Text)) <= limit + 250


class TestSpill:
    def spill(self, folder: Path, whole: str = LINES, name: str = "my tool/../x") -> str:
        limits = Limits(text=1_000, on_overflow="spill", spill_to=folder)
        return for_model(to_result({"content": [text(whole)]}), limits, name=name).text

    def test_the_whole_is_in_a_file_that_is_named_in_the_text(self, tmp_path: Path) -> None:
        told = self.spill(tmp_path / "new" / "folder")
        (file,) = (tmp_path / "new" / "folder").iterdir()
        assert f"the whole is in {file}]" in told
        assert file.read_text() == LINES
        assert file.name.startswith("my-tool-x-")

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mode bits")
    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        self.spill(tmp_path / "made")
        (file,) = (tmp_path / "made").iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    def test_the_same_text_gets_the_same_file(self, tmp_path: Path) -> None:
        assert self.spill(tmp_path) == self.spill(tmp_path)
        assert len(list(tmp_path.iterdir())) == 1
        assert self.spill(tmp_path, LINES + "!") != self.spill(tmp_path)

    def test_a_file_in_the_way_is_not_overwritten_nor_named(self, tmp_path: Path) -> None:
        self.spill(tmp_path)
        (file,) = tmp_path.iterdir()
        file.write_text("other")
        told = self.spill(tmp_path)
        assert file.read_text() == "other"
        assert str(file) not in told
        assert "no file could be written" in told

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_in_the_way_is_not_followed(self, tmp_path: Path) -> None:
        self.spill(tmp_path)
        (file,) = tmp_path.iterdir()
        file.unlink()
        target = tmp_path / "target"
        file.symlink_to(target)
        assert "no file could be written" in self.spill(tmp_path)
        assert not target.exists()

    def test_a_folder_that_cannot_be_made_leaves_the_cut(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        told = self.spill(tmp_path / "file" / "below")
        assert "no file could be written" in told
        assert told.startswith("line 0 of many")


@pytest.mark.faults("T29")
def test_files_are_made_below_the_home_folder_and_removed_by_count_and_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    limits = Limits(text=10, on_overflow="spill", spill_to="~/a/b", spill_files=3, spill_days=1)
    folder = tmp_path / "a" / "b"
    foreign = folder / "notes.txt"

    def spilt(text: str) -> None:
        for_model(to_result({"content": [{"type": "text", "text": text * 100}]}), limits, name="t")

    spilt("first")
    assert (folder.stat().st_mode & 0o777, folder.parent.stat().st_mode & 0o777) == (0o700, 0o700)
    foreign.write_text("mine")
    os.utime(foreign, (0, 0))
    for letter in "bcde":
        spilt(letter)
    ours = [each for each in folder.iterdir() if each != foreign]
    assert len(ours) == 3
    for each in ours:
        os.utime(each, (0, 0))
    spilt("last")
    assert len([each for each in folder.iterdir() if each != foreign]) == 1
    assert foreign.exists()
