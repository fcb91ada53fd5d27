"""How much of a server's tool list is taken, and what happens to what is more: a list is untrusted input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolgraft.config import takes
from toolgraft.config.takes import Take, take_all
from toolgraft.errors import ConfigError

OnTool: TypeAlias = Literal["refuse_tool", "refuse_server"]
"""What happens to what is wrong with one tool: it is not served and stands in `toolbox.refused`, or its server is not
served at all."""

OnText: TypeAlias = Literal["refuse_tool", "refuse_server", "cut"]
"""The same for a text that is too long, which can also be cut, with a visible mark and a warning."""

OnList: TypeAlias = Literal["cut", "refuse_server"]
"""What happens to a list that is too long: its beginning is served, with a warning, or its server is not served."""

OnHidden: TypeAlias = Literal["strip", "refuse_tool", "refuse_server", "keep"]
"""What happens to characters that a person does not see: models are not given them, or as with any other fault."""

NameGrammar: TypeAlias = Literal["any", "mcp"]
"""What a tool may be called: anything that can be seen, or as the protocol advises: `A-Z a-z 0-9 _ - .`, 1 to 128."""

DEEPEST: Final = 100
MOST_NODES: Final = 20_000
"""What a schema can be converted within; the limits may be lower."""


@dataclass(frozen=True, slots=True)
class ListLimits:
    """How much of a server's tool list is taken, and what happens to what is more.

    A tool that is refused costs itself: it stands in `toolbox.refused` with the reason, and the rest is served. What
    was cut is told in `toolbox.warnings` and by an event.

    Attributes:
        name: Characters of a tool's name.
        names: What a name may be made of. By `"any"`, a name in any script; it must be free of what cannot be seen
            (control, invisible and direction characters), and no second name of the list may look like it.
        on_name: What happens to a tool whose name is otherwise.
        description_bytes: Bytes (UTF-8) of a description, and of a title.
        on_description: What happens to a tool that says more.
        schema_bytes: Bytes of a tool's input schema, as short JSON; the same for its output schema and `_meta`.
        schema_depth: How deep each schema may be nested, at most 100; `_meta` may be 1,000 deep.
        schema_nodes: How many values each may hold, at most 20,000.
        on_schema: What happens to a tool with a larger one, or whose arguments are no object.
        tools: Tools of a list.
        pages: Pages of a list.
        on_length: What happens to a list that is longer.
        hidden: What happens to texts with characters that a person does not see, or that command a terminal
            (`"strip"` gives models the text without them; see `toolgraft.content.hidden` for which they are).
    """

    name: int = 256
    names: NameGrammar = "any"
    on_name: OnTool = "refuse_tool"
    description_bytes: int = 64 * 1024
    on_description: OnText = "refuse_tool"
    schema_bytes: int = 1024 * 1024
    schema_depth: int = DEEPEST
    schema_nodes: int = MOST_NODES
    on_schema: OnTool = "refuse_tool"
    tools: int = 20_000
    pages: int = 1_000
    on_length: OnList = "cut"
    hidden: OnHidden = "strip"

    def __post_init__(self) -> None:
        take_all(self, _OF_LIST_LIMITS)
        for field, most in (("schema_depth", DEEPEST), ("schema_nodes", MOST_NODES)):
            if getattr(self, field) > most:
                raise ConfigError(f"{field} is at most {most:,}: no schema beyond that can be converted")


_OF_LIST_LIMITS: Final[Mapping[str, Take]] = {
    "name": takes.count("a number of characters", least=1),
    "names": takes.one_of(NameGrammar),
    "on_name": takes.one_of(OnTool),
    "description_bytes": takes.count("a number of bytes", least=64),
    "on_description": takes.one_of(OnText),
    "schema_bytes": takes.count("a number of bytes", least=64),
    "schema_depth": takes.count("a number of levels", least=1),
    "schema_nodes": takes.count("a number of values", least=1),
    "on_schema": takes.one_of(OnTool),
    "tools": takes.count("a number of tools", least=1),
    "pages": takes.count("a number of pages", least=1),
    "on_length": takes.one_of(OnList),
    "hidden": takes.one_of(OnHidden),
}
