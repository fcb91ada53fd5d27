"""What is asked of a graft or a toolbox that was not entered: each mistake is told with what to write instead."""

from __future__ import annotations

from typing import Any, ClassVar, Final, NoReturn

_OTHER_NAMES: Final = {
    "get_tools": "its tools are what it is entered as",
    "load_tools": "its tools are what it is entered as",
    "list_tools": "it is no MCPServer of the Agents SDK: its tools go into tools=, not mcp_servers=",
    "connect": "it is no MCPServer of the Agents SDK: its tools go into tools=, not mcp_servers=",
    "cleanup": "it is no MCPServer of the Agents SDK: its tools go into tools=, not mcp_servers=",
    "session": "it holds the sessions itself",
    "toolbox": "the list that it is entered as has it",
    "append": "its tools are a list once it is entered",
}
"""What people of other libraries look for, and where that is here."""


class Unentered:
    """Refuses what only makes sense once it is entered, by `async with`."""

    _entering: ClassVar[str] = ""
    """How it is entered."""

    def __await__(self) -> NoReturn:
        raise TypeError(f"it is entered, not awaited: {self._entering}")

    def __iter__(self) -> NoReturn:
        raise TypeError(f"it has its tools once it is entered: {self._entering}")

    def __len__(self) -> NoReturn:
        raise TypeError(f"it has its tools once it is entered: {self._entering}")

    def __getitem__(self, key: object) -> NoReturn:
        raise TypeError(f"it has its tools once it is entered: {self._entering}")

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        told = _OTHER_NAMES.get(name)
        hint = f": {told}; {self._entering}" if told else ""
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}", name=name, obj=self)
