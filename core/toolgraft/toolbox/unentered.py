"""What is asked of a graft or a toolbox that was not entered: each mistake is told with what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NoReturn

from toolgraft.config.misplaced import AS_A_TOOL, elsewhere

_NO_SERVER: Final = "it is no MCPServer of the Agents SDK: its tools go into tools=, not mcp_servers="
_TOOLBOX: Final = "the list that it is entered as has it, as `tools.toolbox`"

_OTHER_NAMES: Final = {
    **dict.fromkeys(("get_tools", "load_tools", "tools"), "its tools are what it is entered as"),
    **dict.fromkeys(("name", "list_tools", "connect", "cleanup"), _NO_SERVER),
    **dict.fromkeys(("toolbox", "failures", "refused", "renamed", "warnings", "refresh", "servers"), _TOOLBOX),
    **dict.fromkeys(("call", "call_tool"), "a tool is called by `await tools.toolbox.call(name, arguments)`"),
    **dict.fromkeys(("invoke", "ainvoke", "run"), "its tools are invoked, each by itself"),
    **dict.fromkeys(("start", "open", "enter"), "it starts when it is entered"),
    **dict.fromkeys(("close", "aclose", "stop"), "it is closed by the end of its `with`"),
    **dict.fromkeys(("append", "extend"), "its tools are a list once it is entered"),
    "session": "it holds the sessions itself",
    AS_A_TOOL: "it is no tool: what it is entered as goes to the agent, Agent(tools=tools)",
}
"""What people of other libraries look for, and where that is here."""

OF_A_LIST: Final = {
    **dict.fromkeys(("get_tools", "load_tools", "tools"), "it is the list of tools itself"),
    **dict.fromkeys(("name", "list_tools", "connect", "cleanup"), _NO_SERVER),
    **dict.fromkeys(
        ("failures", "refused", "renamed", "warnings", "refresh", "servers", "call"), "its `.toolbox` has it"
    ),
    **dict.fromkeys(("call_tool", "invoke", "ainvoke"), "each tool is invoked by itself, or by `toolbox.call`"),
    **dict.fromkeys(("close", "aclose", "stop"), "it is closed by the end of its `with`"),
    AS_A_TOOL: "it is a list of tools and no tool: Agent(tools=tools), or tools=[*my_tools, *tools]",
}
"""The same for a list of tools that was entered."""

_FOR_AGENTS: Final = (
    "it is no MCPServer of the Agents SDK: toolgraft_openai_agents.graft(...) gives tools for tools=[...]"
)
OF_A_TOOLBOX: Final = {
    **dict.fromkeys(("name", "connect", "cleanup"), _FOR_AGENTS),
    **dict.fromkeys(("get_tools", "load_tools", "list_tools"), "its tools are `toolbox.tools`"),
    **dict.fromkeys(("call_tool", "invoke", "ainvoke"), "a tool is called by `await toolbox.call(name, arguments)`"),
    **dict.fromkeys(("aclose", "stop"), "it is closed by the end of its `with`, or by `await toolbox.close()`"),
    **dict.fromkeys(("start", "open"), "it starts when it is entered"),
    "session": "it holds the sessions itself",
    AS_A_TOOL: "it is no tool: toolgraft_openai_agents.graft(...) gives tools for an agent",
}
"""The same for a toolbox."""


class Unentered:
    """Refuses what only makes sense once it is entered, by `async with`."""

    _entering: ClassVar[str] = ""
    """How it is entered."""

    _told: ClassVar[Mapping[str, str]] = _OTHER_NAMES
    """By attribute that it has not: what to write."""

    def __await__(self) -> NoReturn:
        raise TypeError(f"it is entered, not awaited: {self._entering}")

    def __aiter__(self) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __iter__(self) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __len__(self) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __getitem__(self, key: object) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __contains__(self, key: object) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __add__(self, other: object) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __radd__(self, other: object) -> NoReturn:
        raise TypeError(self._where_its_tools_are())

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        raise elsewhere(self, name, self._told, self._entering)

    def _where_its_tools_are(self) -> str:
        return f"it has its tools once it is entered: {self._entering}"
