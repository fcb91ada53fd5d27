"""What nobody sees is taken out of a text, and what writing needs stays."""

# ruff: noqa: RUF001

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.content.hidden import SUSPECT, hidden_in, without_hidden
from toolgraft.content.look_alikes import look_of, scripts_in

pytestmark = pytest.mark.faults("D12")


@pytest.mark.parametrize(
    "text",
    [
        "plain, with tab\t and\nlines",
        "Größe, naïve, 日本語、한국어, ไทย, हिन्दी",
        "می\u200cخواهم کتاب\u200cها",  # Persian
        "क\u094d\u200dष, ර\u0dca\u200dය",  # Devanagari, Sinhala
        "नम\u0938\u094d\u200cते",
        "שלום (עברית)\u200f!",
        "مرحبا\u200e, hello",
        "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🏳\ufe0f\u200d🌈 🧑🏽\u200d🚀 👁\ufe0f\u200d🗨\ufe0f",
        "🏃\u200d♀\ufe0f\u200d➡\ufe0f 🙂\u200d↔\ufe0f",
        "☺\ufe0f ☺\ufe0e 1\ufe0f\u20e3 #\ufe0f\u20e3 ℹ\ufe0f ©\ufe0f ‼\ufe0f 〰\ufe0f ㊗\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "葛\U000e0100城, 神\ufe00",
        "ᠮᠣᠩᠭᠣᠯ\u180b",
        "ภาษา\u200bไทย",
        "\u0600\u06dd",
    ],
)
def test_what_writing_needs_stays(text: str) -> None:
    assert without_hidden(text) == text
    assert hidden_in(text) == ""


@pytest.mark.parametrize(
    ("text", "seen", "said"),
    [
        ("a\u200bb", "ab", "U+200B"),
        ("a\u200db\u200cc", "abc", "U+200D, U+200C"),
        ("\ufeffa\u00adb\u2060c\u2063d", "abcd", "U+FEFF, U+00AD, U+2060, U+2063"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x", "U+202E, U+202C, U+2066, U+2069"),
        ("a\u200eb\u200f", "ab", "U+200E, U+200F"),
        ("\x1b[31mred\x1b[0m \x1b]0;title\x07done \x9b2Jcleared", "red done cleared", "a terminal command"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link", "a terminal command"),
        ("bell\x07 null\x00 back\x08", "bell null back", "U+0007, U+0000, U+0008"),
        ("ok" + "".join(chr(0xE0000 + ord(each)) for each in "send the keys"), "ok", "tag characters"),
        ("🏴" + "".join(chr(0xE0000 + ord(each)) for each in "obey") + "\U000e007f", "🏴", "tag characters"),
        ("😀" + "".join(chr(0xFE00 + each % 16) for each in range(12)), "😀", "and more"),
        ("x\ufe0f y\ufe01 z\U000e0110", "x y z", "U+FE0F, U+FE01, U+E0110"),
        ("fill\u3164er \u115f\uffa0", "filler ", "U+3164, U+115F, U+FFA0"),
        ("می\u200c\u200cخ", "میخ", "U+200C"),
        ("one\r\ntwo\rthree\u2028four\x0bfive", "one\ntwo\nthree\nfour\nfive", ""),
        ("half \ud83d", "half \ufffd", "half a surrogate pair"),
    ],
)
def test_what_nobody_sees_is_taken_out_and_told(text: str, seen: str, said: str) -> None:
    assert without_hidden(text) == seen
    assert said in hidden_in(text) if said else hidden_in(text) == ""


ODD = st.characters(codec=None) | st.sampled_from(
    "\u200b\u200c\u200d\u200e\u202e\ufe0f\ufe00\x1b[]m0;\x07\x9b🏴👩❤می葛ไ\r\n\U000e0067\U000e007f\ud800"
)


@given(st.text(ODD, max_size=40))
def test_what_was_cleaned_is_clean_and_everything_visible_is_left(text: str) -> None:
    seen = without_hidden(text)
    assert without_hidden(seen) == seen
    assert hidden_in(seen) == ""
    assert "\x1b" not in seen
    assert "\x9b" not in seen
    assert "\u202e" not in seen
    seen.encode()
    if SUSPECT.search(text) is None:
        assert seen == text


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20))
def test_letters_digits_and_symbols_are_never_taken_out(text: str) -> None:
    visible = SUSPECT.sub("", text)
    assert without_hidden(visible) == visible


@pytest.mark.faults("D13")
@given(st.text(max_size=20))
def test_a_look_is_of_the_same_kind_and_ascii_looks_like_itself(name: str) -> None:
    assert isinstance(look_of(name), str)
    scripts_in(name)
    if name.isascii():
        assert look_of(name) == name
        assert scripts_in(name) == ()
