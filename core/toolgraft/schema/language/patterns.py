"""Regular expressions, by who understands them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

from toolgraft.schema.language.keywords import is_list

_LOOK_AROUND = re.compile(r"\(\?(?:[=!]|<[=!])")
_BEYOND_STRICT = re.compile(
    r"\(\?(?!:)"  # any group that is more than a group: look-around, names, flags
    r"|\\[1-9kpPbBAzZGuxcQE]"  # back-references, properties, boundaries, code points
    r"|[*+?}][+?]"  # lazy and possessive quantifiers
    r"|\[[^\]]*\[[:=.]"  # POSIX classes
)
_LONGEST = 500
_LONGEST_IN_ALL = 200_000
_BIG_REPEAT = re.compile(r"\{\s*(?:\d+\s*,\s*)?\d{4,}|\{\s*\d{4,}")


def everywhere(pattern: str) -> bool:
    """Whether providers take a pattern in a schema that is not strict: they refuse look-around."""
    return "(?" not in pattern or _LOOK_AROUND.search(pattern) is None


@lru_cache(maxsize=1024)
def strictly(pattern: str) -> bool:
    """Whether strict mode surely takes a pattern: plain regular, and no longer than people write."""
    if len(pattern) > _LONGEST or _BEYOND_STRICT.search(pattern) or _BIG_REPEAT.search(pattern):
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def too_long(schema: Any) -> bool:
    """Whether the patterns of a schema are longer than anyone writes: each character costs a microsecond or two."""
    waiting, length = [schema], 0
    while waiting:
        value = waiting.pop()
        if is_list(value):
            waiting += [inner for inner in value if isinstance(inner, dict | list)]
            continue
        node = cast(dict[str, Any], value)
        for key, inner in node.items():
            if key == "pattern" and isinstance(inner, str):
                length += len(inner)
            elif isinstance(inner, dict | list):
                waiting.append(inner)
                if key == "patternProperties" and isinstance(inner, dict):
                    length += sum(map(len, cast(dict[str, Any], inner)))
    return length > _LONGEST_IN_ALL
