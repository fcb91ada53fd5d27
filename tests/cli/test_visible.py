from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.cli.visible import one_line, visible

TEXT = st.text(st.characters(exclude_categories=()))


@given(TEXT)
def test_no_character_that_commands_a_terminal_is_left(text: str) -> None:
    for character in visible(text):
        assert character in "\n\t\u200c\u200d" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


@given(TEXT)
def test_what_is_visible_stays(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(TEXT, st.integers(8, 300))
def test_a_cell_is_one_line_and_no_longer_than_asked(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest
    assert "\n" not in line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zürich 東京 🚀", "Zürich 東京 🚀"),
        ("a\r\nb", "a\nb"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b", "\\x9b"),
        ("\u202e", "\\u202e"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_characters_are_spelled_out_by_their_number(text: str, shown: str) -> None:
    assert visible(text) == shown
