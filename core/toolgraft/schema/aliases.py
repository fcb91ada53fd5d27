"""Names of arguments that providers refuse, under other names in the forms that a model is given.

Providers take property names of letters, digits, `_`, `.` and `-`, up to 64 of them; `$filter`, `filter[id]` and
longer ones make them refuse the whole request. Such a name gets an alias: always the same for the same schema, never
the name of another argument. On the way back the alias becomes the server's name again wherever the schema declares
it; the server's own name is taken as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, TypeAlias, cast

from toolgraft.schema.decode.codec import Codec
from toolgraft.schema.decode.steps import problem
from toolgraft.schema.language.keywords import TAKEN_NAME, is_list, is_object
from toolgraft.schema.language.patterns import strictly
from toolgraft.schema.language.pointers import Node, Path, escaped, unescaped
from toolgraft.schema.read.closing import fixed_names
from toolgraft.schema.read.merge import IMPOSSIBLE
from toolgraft.schema.read.normal import Normal

_OTHER: Final = re.compile(r"[^a-zA-Z0-9_.-]+")
_LITERAL: Final = frozenset({"enum", "const", "default", "examples", "example"})
_LONGEST: Final = 64
_IN_PLACE: Final = ("anyOf", "oneOf", "allOf", "if", "then", "else", "not")


def aliases_in(*schemas: Node) -> Mapping[str, str]:
    """Give each declared name that providers refuse its alias; empty where there is none."""
    names = {name for schema in schemas for node in nodes_of(schema) for name in _spoken_of(node)}
    refused = sorted(name for name in names if not TAKEN_NAME.fullmatch(name))
    wanted = {name: _legible(name) for name in refused}
    # names that differ in underscores at their end are alike: see `Walk`
    times = Counter(_stem(each) for each in (*wanted.values(), *names.difference(refused)))
    patterns = _patterns(schemas)
    found = {name: each for name, each in wanted.items() if times[_stem(each)] == 1 and not _matched(each, patterns)}
    for name in refused:
        if name not in found:
            alias = found[name] = _distinct(name, wanted[name], times, patterns)
            times[alias] += 1
    return found


def _distinct(name: str, base: str, times: Mapping[str, int], patterns: list[re.Pattern[str]]) -> str:
    """An alias that is no other name, and that no pattern for names takes where there is such a one."""
    tried = [f"{start}_{_digest(name)}" for start in (base[:50], "argument", "x", "0", "A", "-", ".")]
    free = [each for each in tried if not _matched(each, patterns)]
    alias = (free or tried)[0]
    while times[alias]:
        alias = f"{alias[:55]}_{_digest(alias)}"
    return alias


def _patterns(schemas: Iterable[Node]) -> list[re.Pattern[str]]:
    """Patterns of names that are short enough to be tried here."""
    texts = {text for schema in schemas for node in nodes_of(schema) for text in node.get("patternProperties", ())}
    found: list[re.Pattern[str]] = []
    for text in sorted(texts)[:_MOST_PATTERNS]:
        if strictly(text):
            found.append(re.compile(text))
    return found


def _matched(name: str, patterns: list[re.Pattern[str]]) -> bool:
    return any(pattern.search(name) for pattern in patterns)


_MOST_PATTERNS: Final = 50


def _stem(name: str) -> str:
    return name.rstrip("_")


def _legible(name: str) -> str:
    """A name of characters that providers take, as close as may be; with a digest where that is not close."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    base = _OTHER.sub("_", plain).strip("_")
    if len(base) <= _LONGEST and sum(map(str.isalnum, base)) * 2 >= sum(map(str.isalnum, name)) > 0:
        return base
    return f"{base[:50] or 'argument'}_{_digest(name)}"


def _digest(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def nodes_of(schema: Node) -> Iterable[Node]:
    """All schemas in a schema."""
    waiting: list[Any] = [schema]
    while waiting:
        one = waiting.pop()
        if is_list(one):
            waiting += [each for each in one if isinstance(each, dict | list)]
        elif is_object(one):
            yield one
            for key, value in one.items():
                if key in _BY_NAME and is_object(value):
                    waiting += [each for each in value.values() if isinstance(each, dict)]
                elif key not in _LITERAL and isinstance(value, dict | list):
                    waiting.append(value)


_BY_NAME: Final = ("properties", "patternProperties", "dependentSchemas", "$defs")


def renamed(schema: Any, aliases: Mapping[str, str]) -> Any:
    """Give a schema with the aliases for the names, at every depth; new where it differs."""
    if is_list(schema):
        return [renamed(each, aliases) for each in schema]
    if not is_object(schema):
        return schema
    out: Node = {}
    for key, value in schema.items():
        if key == "propertyNames":  # it speaks of the server's names
            taken = fixed_names(value, lambda link: None)
            here = [alias for name, alias in aliases.items() if taken is None or name in taken]
            out[key] = {"anyOf": [value, {"type": "string", "enum": here}]} if here else value
        elif key in _LITERAL:
            out[key] = value
        elif key in ("properties", "dependentSchemas") and is_object(value):
            members = {name: _told(renamed(each, aliases), name, aliases) for name, each in value.items()}
            out[key] = {aliases.get(name, name): each for name, each in members.items()}
        elif key in _BY_NAME and is_object(value):
            out[key] = {name: renamed(each, aliases) for name, each in value.items()}
        elif key == "dependentRequired" and is_object(value):
            out[key] = {aliases.get(name, name): _all(names, aliases) for name, names in value.items()}
        elif key == "required":
            out[key] = _all(value, aliases)
        else:
            out[key] = renamed(value, aliases)
    return out


def _spoken_of(node: Node) -> dict[str, None]:
    """Names of members that a schema declares or asks for: in its place they have their aliases."""
    dependent: Mapping[str, list[str]] = node.get("dependentRequired", {})
    asked = [name for trigger, names in dependent.items() for name in (trigger, *names)]
    names = (*node.get("properties", ()), *node.get("required", ()), *asked, *node.get("dependentSchemas", ()))
    return dict.fromkeys(names)


def _all(names: list[str], aliases: Mapping[str, str]) -> list[str]:
    return [aliases.get(name, name) for name in names]


def _told(schema: Any, name: str, aliases: Mapping[str, str]) -> Any:
    """Tell the server's name where the alias does not show it and nothing else is said."""
    hidden = name in aliases and aliases[name].endswith(_digest(name))
    if not hidden or not is_object(schema) or schema == IMPOSSIBLE or "$ref" in schema or "description" in schema:
        return schema
    return {**schema, "description": f"The server calls it {name[:100]}."}


def with_aliases(normal: Normal, aliases: Mapping[str, str]) -> Normal:
    """Give a schema with the aliases for the names."""
    defs = {name: renamed(each, aliases) for name, each in normal.defs.items()}
    return replace(normal, root=renamed(normal.root, aliases), defs=defs)


@dataclass(frozen=True, slots=True)
class Aliases:
    """The way from aliases to names and back, led by the schema that they stand in.

    Attributes:
        schema: The server's schema with its `$defs`, under its own names.
        names: The alias of each name.
    """

    schema: Node
    names: Mapping[str, str]

    def recognised(self, args: Node) -> Node:
        """Put the aliases for those of the server's own names that are given; all else stays as it is.

        Raises:
            ArgumentsError: An argument is given under both of its names, or it is all nested too deep.
        """
        return self._walked(args, _given_by_name)

    def decode(self, args: Node) -> Node:
        """Put the server's names for the aliases; the given arguments are not changed.

        Raises:
            ArgumentsError: An argument is given under both of its names, or it is all nested too deep.
        """
        return self._walked(args, _named)

    def encode(self, args: Node) -> Node:
        """Put the aliases for the server's names; the given arguments are not changed."""
        return self._walked(args, _aliased)

    def sent(self, where: str) -> str:
        """Give a JSON pointer into the schema with the names in it as the server sent it."""
        sent = {alias: name for name, alias in self.names.items()}
        steps, named = where.split("/"), False
        for i, step in enumerate(steps):
            if named:
                steps[i] = escaped(sent.get(unescaped(step), unescaped(step)))
            named = not named and step in ("properties", "dependentSchemas")
        return "/".join(steps)

    def _walked(self, args: Node, naming: _Naming) -> Node:
        try:
            return cast(Node, Walk(self.schema, self.names, naming).value(args, [self.schema], ""))
        except RecursionError as error:
            raise problem("", "nested too deep") from error


@dataclass(frozen=True, slots=True)
class AliasedCodec:
    """A codec for forms that have aliases.

    Attributes:
        inner: The codec of these forms: it knows the aliases only.
        aliases: The way from and to the server's names.
    """

    inner: Codec
    aliases: Aliases

    def decode(self, args: Node) -> Node:
        """Decode, then put names for aliases; names that the model knows all the same are taken too."""
        return self.aliases.decode(self.inner.decode(self.aliases.recognised(args)))

    def encode(self, args: Node) -> Node:
        """Put aliases for names, then encode."""
        return self.inner.encode(self.aliases.encode(args))


_MOST_NODES: Final = 200
"""Most schemas that are looked at for one value."""


class Walk:
    """One walk through arguments.

    A member that is not declared and has the name of an alias, or one with underscores after it, gets one underscore
    more on the way to the model and one less on the way back, so that nothing stands for two names.
    """

    def __init__(self, schema: Node, names: Mapping[str, str], naming: _Naming) -> None:
        self.schema = schema
        self.names = names
        self.naming = naming

    def value(self, value: Any, nodes: Iterable[Node], at: Path) -> Any:
        """A value to which some schemas may apply, as it is to be written."""
        if is_object(value):
            places = self.applying(nodes)
            return self.members(value, places, at) if places else value
        if is_list(value):
            places = self.applying(nodes)
            return [self.value(each, _items(places, i), (at, i)) for i, each in enumerate(value)] if places else value
        return value

    def applying(self, nodes: Iterable[Node]) -> list[Node]:
        """All schemas that may apply to a value: by reference, by alternative, by condition."""
        found: list[Node] = []
        seen: set[int] = set()
        waiting: list[Any] = list(nodes)
        while waiting and len(found) < _MOST_NODES:
            node = waiting.pop()
            if not is_object(node) or id(node) in seen:
                continue
            seen.add(id(node))
            found.append(node)
            if isinstance(target := node.get("$ref"), str):
                waiting += self.targets(target)
            for keyword in _IN_PLACE:
                held = node.get(keyword)
                waiting += held if is_list(held) else [held]
            waiting += node.get("dependentSchemas", {}).values()
        return found

    def targets(self, reference: str) -> list[Any]:
        """What a reference refers to."""
        return [self.schema.get("$defs", {}).get(unescaped(reference[8:]))]

    def members(self, value: Node, nodes: list[Node], at: Path) -> Node:
        """An object with each member written, under the name that it is to have."""
        declared: dict[str, list[Node]] = {}
        for node in nodes:
            for name in _spoken_of(node):
                declared.setdefault(name, [])
            for name, each in node.get("properties", {}).items():
                declared[name].append(each)
        known = {name: self.names.get(name, name) for name in declared}
        alike = {_stem(alias): len(alias) for name, alias in known.items() if alias != name}
        place = _Place(known, {alias: name for name, alias in known.items()}, alike)
        out: Node = {}
        for given, inner in value.items():
            name, written = self.naming(given, place)
            if written in out:
                raise problem((at, known.get(name, given)), "given twice, under the server's name and its other one")
            out[written] = self.value(inner, declared.get(name) or _others(nodes), (at, given))
        return out


@dataclass(frozen=True, slots=True)
class _Place:
    """An object's names.

    Attributes:
        known: The alias, or the name itself, of each name that is declared here.
        named: The other way round.
        alike: For what aliases begin with, how long they are.
    """

    known: Mapping[str, str]
    named: Mapping[str, str]
    alike: Mapping[str, int]


_Naming: TypeAlias = "Callable[[str, _Place], tuple[str, str]]"
"""Gives the server's name for a member that is given, and how it is to be written."""


def _given_by_name(given: str, place: _Place) -> tuple[str, str]:
    return place.named.get(given, given), place.known.get(given, given)


def _aliased(given: str, place: _Place) -> tuple[str, str]:
    if given in place.known:
        return given, place.known[given]
    return given, f"{given}_" if len(given) >= place.alike.get(_stem(given), len(given) + 1) else given


def as_given(given: str, place: _Place) -> tuple[str, str]:
    """Leaves every name as it is."""
    return given, given


def _named(given: str, place: _Place) -> tuple[str, str]:
    name = place.named.get(given, given)
    if name == given and len(given) > place.alike.get(_stem(given), len(given)) and given not in place.known:
        name = given[:-1]
    return name, name


def _items(nodes: list[Node], place: int) -> list[Node]:
    """Schemas of one item of an array."""
    found: list[Any] = []
    for node in nodes:
        places = node.get("prefixItems", ())
        found.append(places[place] if place < len(places) else node.get("items"))
        found += [node.get(keyword) for keyword in ("contains", "unevaluatedItems")]
    return [each for each in found if is_object(each)]


def _others(nodes: list[Node]) -> list[Node]:
    """Schemas of members that are not declared."""
    found: list[Any] = []
    for node in nodes:
        found += [node.get(keyword) for keyword in ("additionalProperties", "unevaluatedProperties")]
        found += node.get("patternProperties", {}).values()
    return [each for each in found if is_object(each)]
