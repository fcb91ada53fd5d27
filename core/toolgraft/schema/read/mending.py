"""Empty and null keywords, as servers of some languages write them: nothing is said there.

PHP writes an empty object as `[]`, and a list with a gap as an object with numbers for names; serializers of other
languages write `null` for whatever was not set.
"""

from __future__ import annotations

from typing import Any

from toolgraft.schema.language.keywords import is_list, is_object

MEANS_NULL = frozenset({"default", "const", "example"})
"""Keywords whose value may be null."""


def says_nothing(schema: object) -> bool:
    """Whether a schema's place holds null, empty text, or the empty list that stands for an empty object."""
    return schema is None or schema in ([], "")


def listed(value: Any) -> list[Any]:
    """A list, also where it came as an object with numbers for names; else nothing."""
    if is_object(value) and all(name.isdecimal() for name in value):
        return list(value.values())
    return value if is_list(value) else []
