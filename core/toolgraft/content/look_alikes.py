"""Names that look the same, and names in letters of several scripts: `delete` with a Cyrillic letter for its `e`."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PAIRS: Final = (
    # Cyrillic
    "\u0430a \u0432b \u0441c \u0501d \u0435e \u0433r \u050dg \u04bbh \u0456i \u0458j \u043ak \u04cfl \u043cm \u043fn "
    "\u043eo \u0440p \u051bq \u0455s \u0442t \u0443y \u0445x \u0475v \u051dw \u044cb \u0410A \u0412B \u0421C \u0415E "
    "\u041dH \u0406I \u0408J \u041aK \u04c0l \u041cM \u041eO \u0420P \u051aQ \u0405S \u0422T \u0423Y \u0425X \u0474V "
    "\u051cW \u0437\u0033 \u0417\u0033 "
    # Greek
    "\u03b1a \u03b3y \u03b5e \u03b7n \u03b9i \u03bak \u03bdv \u03bfo \u03c1p \u03c3o \u03c4t \u03c5u \u03c7x \u03c9w "
    "\u0391A \u0392B \u0395E \u0396Z \u0397H \u0399I \u039aK \u039cM \u039dN \u039fO \u03a1P \u03a4T \u03a5Y \u03a7X "
    # Armenian, and letters of Latin that few know
    "\u0561w \u0570h \u0575j \u057du \u0578n \u0581g \u0585o \u0563q \u0584p \u0131i \u0237j \u0251a \u0261g \u0269i "
    "\u01c0l \u1d04c \u1d0fo \u1d1cu \u1d20v \u1d21w \u1d22z"
)
_LOOKS_LIKE: Final = {ord(each[0]): each[1] for each in _PAIRS.split()}
_MARKS: Final = re.compile("[\u0300-\u036f]")
_TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
"""Scripts that are written with others."""


def look_of(name: str) -> str:
    """What a name looks like at a glance, in the letters of ASCII as far as they look so; of those, it is the name."""
    if name.isascii():
        return name
    plain = unicodedata.normalize("NFKD", name).translate(_LOOKS_LIKE)
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


def glance_of(name: str) -> str:
    """What a name looks like at a glance, where `l`, `I` and `1`, `O` and `0`, `rn` and `m` are one.

    Names that are the same by this are worth a look; that is no proof of anything.
    """
    return look_of(name).translate(_ONE).replace("rn", "m").replace("vv", "w")


_ONE: Final = str.maketrans("I1|O", "lll0")


def scripts_in(name: str) -> tuple[str, ...]:
    """The scripts of a name's letters that are not written together, where there are several, e.g. Cyrillic, Latin."""
    if name.isascii():
        return ()
    letters = {unicodedata.name(each, "?").partition(" ")[0] for each in name if each.isalpha()}
    scripts = sorted(letters - _TOGETHER)
    return tuple(each.capitalize() for each in scripts) if len(scripts) > 1 else ()
