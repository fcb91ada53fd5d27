"""What the rooms that build a strict schema ask of the one that leads them."""

from __future__ import annotations

from typing import Protocol

from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.null import NullTaken
from toolgraft.schema.strict.parts import BuildOptions, Built, NotStrictError
from toolgraft.schema.strict.pending import Pending


class Builder(Protocol):
    """Builds one strict schema, node by node.

    Attributes:
        normal: The schema that it is built from.
        options: How.
        takes_null: Tells whether the server takes null at a node.
        defs: The strict definitions built so far.
        unions: The unions built so far.
        level: Objects and arrays around the node that is being built.
    """

    normal: Normal
    options: BuildOptions
    takes_null: NullTaken
    defs: dict[str, Node]
    unions: list[Pending]
    level: int

    def node(self, node: Node, path: Path) -> Built:
        """Build one node.

        Raises:
            NotStrictError: It cannot be built.
        """
        ...

    def object_(self, node: Node, path: Path, *, root: bool = False) -> Built:
        """Build an object."""
        ...

    def text(self, node: Node, path: Path, sentence: str) -> Built:
        """Build a place as JSON text.

        Raises:
            NotStrictError: The author's shape is to be kept; the sentence says what is in the way.
        """
        ...

    def obstacle(self, node: Node, path: Path) -> NotStrictError | None:
        """Find conditions that strict mode can neither say nor leave to the check before the call."""
        ...

    def omission(self, member: str) -> Node:
        """A reference to the object of this one member that stands for "absent" where null has a meaning."""
        ...

    def told(self, name: str, longest: int) -> str:
        """The beginning of a definition's text, of one character more than asked for where there is more."""
        ...
