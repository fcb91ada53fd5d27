"""References: every kind of `$ref` that stays inside the schema, and a name for what it points to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote, urljoin

from toolgraft.errors import SchemaError
from toolgraft.schema.language.keywords import is_list, is_object
from toolgraft.schema.language.pointers import Node, Path, pointer, unescaped
from toolgraft.schema.read.mending import says_nothing

REFERENCE_KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef")

_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_.-]+")
_HOLDERS = ("$defs", "definitions")


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference points to.

    Attributes:
        schema: The schema there, as sent.
        pointer: JSON pointer to it from the root.
        resource: The schema whose `$id` governs it; references inside it start from there.
    """

    schema: Any
    pointer: str
    resource: Node


class References:
    """Resolves references inside one schema and names their targets. Nothing is ever fetched."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._resources: dict[str, tuple[Node, str]] | None = None
        self._anchors: dict[str, tuple[Node, str]] = {}

    def resolve(self, reference: object, resource: Node, path: Path) -> Target:
        """Find what a reference points to.

        Raises:
            SchemaError: It is not a string, leaves the schema or points to nothing.
        """
        if not isinstance(reference, str):
            raise SchemaError("a reference that is not a string", pointer=pointer(path))
        document, _, fragment = reference.partition("#")
        start = self._start(document, resource, reference, path)
        fragment = unquote(fragment)
        found = self._anchored(start, fragment) if fragment and fragment[0] != "/" else None
        if found is None and (not fragment or fragment[0] == "/"):
            found = _follow(start, fragment)
            if found is None and start[0] is not self._root:
                found = _follow((self._root, ""), fragment)
        if found is not None and says_nothing(found[0]):
            found = (dict[str, Any](), found[1])
        if found is None or not isinstance(found[0], dict | bool):
            raise SchemaError(f"reference '{reference[:200]}' points to nothing", pointer=pointer(path))
        return Target(found[0], found[1], start[0])

    def name(self, target: Target) -> str:
        """Name for a target under `$defs`: its own where it has one, always the same for the same target."""
        key = id(target.schema)
        if key not in self._names:
            last = unescaped(target.pointer.rpartition("/")[2])
            base = _UNNAMEABLE.sub("_", last).strip("_")[:100] or "root"
            name, number = base, 2
            while name in self._taken:
                name, number = f"{base}_{number}", number + 1
            self._taken.add(name)
            self._names[key] = name
        return self._names[key]

    def _start(self, document: str, resource: Node, reference: str, path: Path) -> tuple[Node, str]:
        if not document:
            return (resource, "") if resource is self._root else self._known(resource)
        known = self._known_resources()
        own = resource.get("$id")
        for uri in (document, urljoin(own, document) if isinstance(own, str) else document):
            if (found := known.get(uri.rstrip("#"))) is not None:
                return found
        raise SchemaError(
            f"reference '{reference[:200]}' leaves the schema; references are never fetched", pointer=pointer(path)
        )

    def _known(self, resource: Node) -> tuple[Node, str]:
        return next((found for found in self._known_resources().values() if found[0] is resource), (resource, ""))

    def _known_resources(self) -> dict[str, tuple[Node, str]]:
        if self._resources is None:
            self._resources = {}
            for node, where in nodes_in(self._root):
                for keyword in ("$id", "id"):
                    if isinstance(uri := node.get(keyword), str) and uri:
                        base = self._root.get("$id")
                        self._resources.setdefault(uri.rstrip("#"), (node, where))
                        if isinstance(base, str):
                            self._resources.setdefault(urljoin(base, uri).rstrip("#"), (node, where))
        return self._resources

    def _anchored(self, start: tuple[Node, str], anchor: str) -> tuple[Any, str] | None:
        if not self._anchors:
            for node, where in nodes_in(self._root):
                for keyword in ("$anchor", "$dynamicAnchor"):
                    if isinstance(name := node.get(keyword), str):
                        self._anchors.setdefault(name, (node, where))
                for keyword in ("$id", "id"):  # draft-06 and before spell an anchor as an id of "#name"
                    if isinstance(name := node.get(keyword), str) and name[:1] == "#":
                        self._anchors.setdefault(name[1:], (node, where))
        return self._anchors.get(anchor)


def _follow(start: tuple[Any, str], fragment: str) -> tuple[Any, str] | None:
    """Walk a JSON pointer."""
    value, where = start
    for raw in fragment.split("/")[1:]:
        step = unescaped(raw)
        if is_object(value) and step in value:
            value = value[step]
        elif is_list(value) and step.isdecimal() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return None
        where = f"{where}/{raw}"
    return value, where


def nodes_in(root: Node) -> Iterator[tuple[Node, str]]:
    """Every object inside, outermost first."""
    level: list[tuple[Any, str]] = [(root, "")]
    while level:
        below: list[tuple[Any, str]] = []
        for value, where in level:
            if isinstance(value, dict):
                node = cast(Node, value)
                yield node, where
                inner: Any = node.items()
            else:
                inner = enumerate(value)
            below += [(v, pointer((where, k))) for k, v in inner if isinstance(v, dict | list)]
        level = below
