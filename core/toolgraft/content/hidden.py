"""Characters that a person does not see and a model reads: hidden, direction and tag characters, terminal commands.

Taken out are

- control characters but tab and line breaks, and whole escape sequences of terminals (ECMA-48, e.g. `ESC [ 31 m`);
- characters without a shape: zero-width spaces, soft hyphens, fillers, byte order marks, invisible operators;
- direction overrides, embeddings and isolates (UAX 9); text in Arabic or Hebrew needs none of them;
- tag characters (U+E0000 to U+E007F) and variation selectors in rows, by which whole sentences can be hidden;
- halves of surrogate pairs, which become U+FFFD.

What writing needs stays: joiners between letters of the scripts that join and in emoji, variation selectors after
what varies, direction marks in right-to-left text, the flags of England, Scotland and Wales, word breaks of Thai.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_TAGS: Final = "\U000e0000-\U000e0fff"
_UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    f"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff{_TAGS}"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
SUSPECT: Final = re.compile(f"[{_UNSEEN}]")
"""Finds each character that is looked at; most texts have none."""

_NATION: Final = "(?:gbeng|gbsct|gbwls)".translate({each: each + 0xE0000 for each in range(ord("a"), ord("z") + 1)})
_FLAG: Final = f"\U0001f3f4{_NATION}\U000e007f"
_STRING_COMMAND: Final = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,256}(?:\x07|\x1b\\|\x9c)"
_COMMAND: Final = re.compile(rf"{_STRING_COMMAND}|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?")
_FOUND: Final = re.compile(f"({_FLAG})|[{_UNSEEN}]")
_BREAKS: Final = "\r\x0b\x0c\x85\u2028\u2029"
_JOINERS: Final = "\u200c\u200d"
_MARKS: Final = "\u200e\u200f\u061c"
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u05ff\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINING: Final = re.compile(
    "[\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17d3\u1820-\u18af\u1a20-\u1aaf\u1b00-\u1cff\ua840-\uabff"
    "\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f]"
)
_WITHOUT_SPACES: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MONGOLIAN: Final = re.compile("[\u1820-\u18af]")
_JAMO: Final = re.compile("[\u1100-\u115e\u1161-\u11ff]")
_STYLED: Final = ("So", "Sm", "Sk", "Po", "Nd", "Pd")
_INFORMATION: Final = "\u2139"
"""An emoji that is a letter to Unicode."""

_NEAR: Final = 64
"""Characters around a direction mark in which there must be text that it is for."""

_MOST: Final = 8
"""Kinds of hidden characters that are told of one text."""


def without_hidden(text: str) -> str:
    """The text that a person would see. What it gives has nothing more to take out."""
    if SUSPECT.search(text) is None:
        return text
    return _FOUND.sub(_seen, _without_commands(text))


def _without_commands(text: str) -> str:
    return _COMMAND.sub("", text).replace("\r\n", "\n")


def hidden_in(text: str) -> str:
    """What `without_hidden` takes out, in words, e.g. `U+200B, a terminal command`; empty where it is nothing."""
    if SUSPECT.search(text) is None:
        return ""
    kinds: dict[str, None] = {"a terminal command": None} if _COMMAND.search(text) else {}
    for found in _FOUND.finditer(_without_commands(text)):
        if _seen(found) != found[0] and found[0] not in _BREAKS:
            kinds.setdefault(_named(found))
    told = list(kinds)
    return ", ".join([*told[:_MOST], *(["and more"] if len(told) > _MOST else [])])


def _named(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xE0000 <= code <= 0xE007F:
        return "tag characters"
    return "half a surrogate pair" if 0xD800 <= code <= 0xDFFF else f"U+{code:04X}"


def _seen(found: re.Match[str]) -> str:
    """What a person sees of it."""
    if found[1] is not None:
        return found[0]
    character = found[0]
    if character in _BREAKS:
        return "\n"
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    text, at = found.string, found.start()
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if SUSPECT.match(after) and not (character == "\ufe0f" and after == "\u200d"):
        return ""
    return character if _is_needed(character, before, after, text, at) else ""


def _is_needed(character: str, before: str, after: str, text: str, at: int) -> bool:
    """Whether writing needs a character where it stands."""
    if character in _JOINERS and _JOINING.match(before):
        return True
    if character == "\u200d":
        return _is_emoji(_base(before, text, at)) and _is_emoji(after)
    if character in _MARKS:
        return SUSPECT.match(before) is None and _RIGHT_TO_LEFT.search(text, max(at - _NEAR, 0), at + _NEAR) is not None
    if character == "\u200b":
        return bool(_WITHOUT_SPACES.match(before) and _WITHOUT_SPACES.match(after))
    if character in "\ufe0e\ufe0f":
        return bool(before) and (unicodedata.category(before) in _STYLED or before == _INFORMATION)
    if "\ufe00" <= character <= "\ufe0d":
        return bool(_IDEOGRAPH.match(before)) or (bool(before) and unicodedata.category(before) == "Sm")
    if "\U000e0100" <= character <= "\U000e01ef":
        return _IDEOGRAPH.match(before) is not None
    if "\u180b" <= character <= "\u180f":
        return character != "\u180e" and _MONGOLIAN.match(before) is not None
    return character in "\u115f\u1160" and bool(_JAMO.match(before) or _JAMO.match(after))


def _base(before: str, text: str, at: int) -> str:
    """What stands before a joiner, without the selector that makes it an emoji."""
    return text[at - 2 : at - 1] if before == "\ufe0f" and at > 1 else before


def _is_emoji(character: str) -> bool:
    return bool(character) and unicodedata.category(character) in ("So", "Sk", "Sm")
