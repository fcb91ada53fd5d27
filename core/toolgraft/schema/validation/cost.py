"""How much work a check may be: a server writes both schema and value, and two small ones can take hours together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from toolgraft.schema.language.pointers import unescaped

_SAME: Final = ("allOf", "anyOf", "oneOf")
_SAME_ONE: Final = (
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
)
_NAMED: Final = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
_ONE: Final = ("items", "unevaluatedItems", "additionalProperties", "additionalItems")

_BELOW: Final = (*_ONE, "patternProperties", "prefixItems", "contains", "unevaluatedProperties")

_SIZE: Final = 100_000
"""Most nodes of a schema."""

_DEPTH: Final = 200
"""Deepest nesting of a schema."""

_VISITS: Final = 30_000_000
"""Most (schema node, value) pairs where they can be multiplied, well under a second in the validator."""

_VALUES: Final = 1_000_000
"""Most values that are counted, a tenth of a second."""

_TELLING: Final = 3_000_000
"""Most time that all errors together may take to write, in tenths of a microsecond."""

_COPIED: Final = 50_000_000
"""Most bytes that all errors together may hold: each copies the value and the keyword that it speaks of."""

_BACKTRACKING: Final = 15_000
"""What a match costs at most, by a pattern that can go back: as many nodes take as long."""

_DIVISION: Final = 400
"""What `multipleOf` costs at most, as it is reckoned exactly."""

_GOES_BACK: Final = re.compile(r"\(\?(?:[=!>]|<[=!])|\\[1-9k]|[*+?}]\+")
"""What makes a pattern one that goes back: lookarounds, references, possessive and atomic groups."""

_TOLD: Final = 20_000
"""Most pairs for which it is also said what is wrong, where they can be multiplied."""

_WALKED: Final = 50_000
"""Most distinct pairs that are looked at to count them, a tenth of a second."""

_ONE_ERROR: Final = 30
_NODE: Final = 64
_NOTHING: Final[Mapping[str, object]] = {}


class Cost:
    """Bounds the work of judging values by one schema.

    A schema without loops unfolds to a tree of so many nodes, each of which is asked at most once of each part of
    a value. Where references loop or unfold to very many, the pairs are counted.

    Raises:
        ValueError: The schema is too large or too deep.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        _measure(schema)
        try:
            self._unfolded = _Unfolding(schema, _work).total()
            self._telling = _Unfolding(schema, _telling_work).total()
            self._held = _Unfolding(schema, _held).total()
        except RecursionError:
            self._unfolded = self._telling = self._held = None

    @property
    def multiplies(self) -> bool:
        """Whether a small value can take long: references loop, or unfold to very many."""
        return self._unfolded is None

    def exceeds(self, value: object, most: int = _VISITS) -> bool:
        """Whether judging this value may take too long."""
        if self._unfolded is None:
            return _Visits(self._schema).of(value) > most
        most = min(most // max(self._unfolded, 1), _VALUES)
        return nodes_in(value, most) > most

    def exceeds_to_tell(self, value: object) -> bool:
        """Whether saying all that is wrong with this value may take too long: each error copies what it speaks of."""
        if self._unfolded is None or self._telling is None or self._held is None:
            pairs = _TOLD + 1 if self._unfolded is not None else _Visits(self._schema).of(value)
            return pairs > _TOLD or pairs * _bytes_in(value, _COPIED) > _COPIED
        most = _TELLING // max(self._telling, 1)
        if (nodes := nodes_in(value, most)) > most:
            return True
        errors = self._telling // _ONE_ERROR + 1
        return errors * _bytes_in(value, _COPIED) + self._held * nodes > _COPIED


def _work(node: Mapping[str, Any]) -> int:
    """How much is compared at one node: fixed values that are not all text are looked at one by one."""
    work = 1
    if "enum" in node or "const" in node:
        values = node.get("enum", [node.get("const")])
        if isinstance(values, list) and not all(isinstance(each, str) for each in cast("list[object]", values)):
            work += nodes_in(cast(object, values), _VISITS)
    if "multipleOf" in node:
        work += _DIVISION
    work += _BACKTRACKING * sum(_GOES_BACK.search(pattern) is not None for pattern in _patterns(node))
    return work + _names(node)


def _telling_work(node: Mapping[str, Any]) -> int:
    """How long the errors of one node may take, in tenths of a microsecond."""
    work = _ONE_ERROR
    if isinstance(values := node.get("enum", node.get("const")), list):
        work += nodes_in(cast(object, values), _VISITS)
    return work + 50 * _names(node)


def _held(node: Mapping[str, Any]) -> int:
    """Bytes that the errors of one node may hold of the schema."""
    return sum(_bytes_in(node[keyword], _COPIED) for keyword in ("enum", "const", "pattern") if keyword in node)


def _names(node: Mapping[str, Any]) -> int:
    """How many names are wanted at one node: there is an error for each that is missing."""
    depending = node.get("dependentRequired", node.get("dependencies"))
    lists: list[object] = [node.get("required")]
    if isinstance(depending, Mapping):
        lists += cast("Mapping[str, object]", depending).values()
    return sum(len(cast("list[object]", each)) for each in lists if isinstance(each, list))


def _patterns(node: Mapping[str, Any]) -> Iterator[str]:
    named = node.get("patternProperties")
    for pattern in (node.get("pattern"), *(cast("Mapping[str, object]", named) if isinstance(named, Mapping) else ())):
        if isinstance(pattern, str):
            yield pattern


class _Unfolding:
    """The size of a schema with each reference replaced by its target, or None where that has no end."""

    def __init__(self, schema: Mapping[str, Any], work: Callable[[Mapping[str, Any]], int]) -> None:
        self._schema = schema
        self._work = work
        self._targets: dict[str, int | None] = {}

    def total(self) -> int | None:
        return self._size(self._schema)

    def _size(self, node: object) -> int | None:
        if not isinstance(node, Mapping):
            return 1
        members = cast("Mapping[str, Any]", node)
        total = self._work(members)
        for below in _inner(members):
            size = self._size(below)
            if size is None or (total := total + size) > _VISITS:
                return None
        reference = members.get("$ref", members.get("$dynamicRef"))
        if isinstance(reference, str):
            size = self._target(reference)
            return None if size is None else total + size
        return total

    def _target(self, reference: str) -> int | None:
        if reference not in self._targets:
            self._targets[reference] = None  # met again while it is being measured: a loop
            self._targets[reference] = self._size(resolve(self._schema, reference))
        return self._targets[reference]


def _inner(node: Mapping[str, Any]) -> Iterator[object]:
    """The schemas in a node that are asked of a value when the node is: definitions are not."""
    for keyword, below in node.items():
        if keyword in _SAME or keyword == "prefixItems":
            yield from cast("list[object]", below) if isinstance(below, list) else ()
        elif keyword in _NAMED and not keyword.endswith(("defs", "definitions")):
            yield from cast("Mapping[str, object]", below).values() if isinstance(below, Mapping) else ()
        elif keyword in _ONE or keyword in _SAME_ONE:
            yield from cast("list[object]", below) if isinstance(below, list) else (below,)


def resolve(schema: Mapping[str, Any], reference: str) -> object:
    """Find the target of a reference within a schema; an empty schema where it is elsewhere or nowhere."""
    node: object = schema
    if reference.partition("#")[0]:
        return _NOTHING
    for step in reference.partition("#")[2].split("/")[1:]:
        name = unescaped(step).replace("%25", "%")
        if isinstance(node, Mapping):
            node = cast("Mapping[str, object]", node).get(name, _NOTHING)
        elif isinstance(node, list) and name.isdigit() and int(name) < len(cast("list[object]", node)):
            node = cast("list[object]", node)[int(name)]
        else:
            return _NOTHING
    return node


class _Visits:
    """Counts the pairs that a validator without any memory would meet, each distinct one looked at once."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._known: dict[tuple[int, int], int] = {}

    def of(self, value: object) -> int:
        """The count, or more than is allowed where it has no end or cannot be told."""
        try:
            return self._pair(self._schema, value)
        except RecursionError:
            return _VISITS + 1

    def _pair(self, node: object, value: object) -> int:
        if not isinstance(node, Mapping):
            return 1
        members = cast("Mapping[str, Any]", node)
        key = (id(members), id(value))
        if key not in self._known:
            self._known[key] = _VISITS + 1  # met again while it is being counted: a loop
            if len(self._known) > _WALKED:
                return _VISITS + 1
            total = _work(members)
            for each, one in _asked(self._schema, members, value):
                if (total := total + self._pair(each, one)) > _VISITS:
                    break
            self._known[key] = total
        return self._known[key]


def _asked(schema: Mapping[str, Any], node: Mapping[str, Any], value: object) -> Iterator[tuple[object, object]]:
    for keyword, inner in node.items():
        if keyword in ("$ref", "$dynamicRef"):
            yield resolve(schema, str(inner)), value
        elif keyword == "properties" and isinstance(inner, Mapping):
            named = cast("Mapping[str, object]", inner)
            held = _members(value)
            yield from ((named[name], held[name]) for name in named if name in held)
        elif keyword in _BELOW:
            yield from ((each, child) for each in _each(inner) for child in _children(value))
        elif keyword in _SAME or keyword in _SAME_ONE or keyword in ("dependentSchemas", "dependencies"):
            yield from ((each, value) for each in _each(inner))


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value if isinstance(value, Mapping) else {})


def _children(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _each(inner: object) -> Iterator[object]:
    if isinstance(inner, list):
        yield from cast("list[object]", inner)
    elif isinstance(inner, Mapping):
        members = cast("Mapping[str, object]", inner)
        yield inner
        yield from (one for one in members.values() if isinstance(one, Mapping))


def nodes_in(value: object, limit: int) -> int:
    """How many values a value holds, itself included; more than the limit where it is more."""
    count = 0
    waiting: list[object] = [value]
    while waiting and count <= limit:
        one = waiting.pop()
        count += 1
        if isinstance(one, Mapping):
            waiting.extend(cast("Mapping[object, object]", one).values())
        elif isinstance(one, list):
            waiting.extend(cast("list[object]", one))
    return count


def _bytes_in(value: object, limit: int) -> int:
    """The bytes of a value and of every value in it, each told whole; soon more than the limit where it is more."""
    total = 0
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting and total <= limit:
        one, depth = waiting.pop()
        total += _NODE * depth
        if isinstance(one, str):
            total += len(one) * depth
        elif isinstance(one, Mapping):
            members = cast("Mapping[object, object]", one)
            total += sum(len(name) for name in members if isinstance(name, str)) * depth
            waiting.extend((each, depth + 1) for each in members.values())
        elif isinstance(one, list):
            waiting.extend((each, depth + 1) for each in cast("list[object]", one))
    return total


def _measure(schema: Mapping[str, Any]) -> None:
    level: list[object] = [schema]
    count = 0
    for _ in range(_DEPTH):
        below: list[object] = []
        for one in level:
            if isinstance(one, Mapping):
                below.extend(cast("Mapping[object, object]", one).values())
            elif isinstance(one, list):
                below.extend(cast("list[object]", one))
        count += len(below)
        if count > _SIZE:
            raise ValueError(f"it has more than {_SIZE:,} nodes")
        if not below:
            return
        level = below
    raise ValueError(f"it is nested deeper than {_DEPTH} levels")
