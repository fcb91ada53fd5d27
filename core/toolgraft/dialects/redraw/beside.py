"""Members beside a choice, put into each of its alternatives: Google's converters drop them where they stand."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.redraw.walk import schemas_in
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import CONSTRAINTS, TYPES
from toolgraft.schema.language.members import member_names

_REF: Final = "#/$defs/"

_MOST_NODES: Final = 1_000
"""Parts that may be added to one form: members in alternatives of members in alternatives double at each level."""

_OF_OBJECTS: Final = CONSTRAINTS["object"] - {"unevaluatedProperties"} | {"type"}
_MERGED: Final = frozenset({"type", "properties", "required", "additionalProperties"})
_NO_OBJECTS: Final = tuple(TYPES - {"object"})
_UNJOINED: Final = frozenset({"enum", "const", "allOf", "oneOf"})


class Beside:
    """The change for the schemas of one form; they are asked for from the outside in.

    Args:
        defs: What references point to.
    """

    def __init__(self, defs: Node) -> None:
        self._defs = defs
        self._left = _MOST_NODES
        self._recursive: dict[str, bool] = {}

    def __call__(self, node: Node) -> Node:
        """Give a schema without members beside its choice; where they have no place in it, they are told."""
        if "anyOf" not in node or not node.get("properties"):
            return node
        beside = {key: value for key, value in node.items() if key in _OF_OBJECTS}
        self._left -= sum(1 for _ in schemas_in(beside)) * len(node["anyOf"])
        if self._left >= 0 and (joined := self._all_joined(beside, node["anyOf"])) is not None:
            rest = {key: value for key, value in node.items() if key not in beside and key != "unevaluatedProperties"}
            return {**rest, "anyOf": joined}
        told = f"Members in any case: {prose.part_text(node, 'properties', defs=self._defs)}."
        return {**node, "description": prose.said(node.get("description", ""), [told])}

    def _all_joined(self, beside: Node, choice: list[Any]) -> list[Node] | None:
        joined = [self._joined(beside, each) for each in choice]
        if None in joined or all(one is other for one, other in zip(joined, choice, strict=True)):
            return None
        return [each for each in joined if each is not None]

    def _joined(self, beside: Node, branch: Node) -> Node | None:
        """An alternative with the members beside it; None where they have no place in it."""
        if "$ref" in branch:
            name = str(branch["$ref"]).removeprefix(_REF)
            if self._comes_back(name):  # put in place, it would have to be put in place within itself again
                return None
            target: Node = {**self._defs.get(name, {}), **branch}
            del target["$ref"]
            return branch if target.get("type") in _NO_OBJECTS else self._joined(beside, target)
        if "anyOf" in branch:
            inner = None if "properties" in branch else self._all_joined(beside, branch["anyOf"])
            return None if inner is None else {**branch, "anyOf": inner}
        if branch.get("type") in _NO_OBJECTS:
            return branch
        if branch.get("type", "object") != "object" or _UNJOINED & branch.keys() or self._differs(beside, branch):
            return None
        needed = [*dict.fromkeys([*beside.get("required", ()), *branch.get("required", ())])]
        members: Node = {**beside["properties"], **branch.get("properties", {})}
        out = {**beside, **branch, "type": "object", "properties": members}
        return {**out, "required": needed} if needed else out

    def _comes_back(self, name: str) -> bool:
        if name not in self._recursive:
            self._recursive[name] = name in self._reached_from(name)
        return self._recursive[name]

    def _reached_from(self, name: str) -> set[str]:
        """The definitions that one refers to, also where no value of its types could be."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            for node in schemas_in(self._defs.get(waiting.pop(), {})):
                link = str(node.get("$ref", "")).removeprefix(_REF)
                if link in self._defs and link not in reached:
                    reached.add(link)
                    waiting.append(link)
        return reached

    def _differs(self, beside: Node, branch: Node) -> bool:
        """Whether both say what cannot be put together."""
        both = beside["properties"].keys() & branch.get("properties", {}).keys()
        return bool((beside.keys() & branch.keys()) - _MERGED) or any(
            member_names(beside["properties"][name], self._defs) for name in both
        )
