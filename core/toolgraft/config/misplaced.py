"""What is asked of an object of ours that stands where a framework takes another: told with what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

AS_A_TOOL: Final = "on_invoke_tool"
"""What the Agents SDK reads of a tool, whatever it is given, and before a model is called."""

_GRAFT: Final = "async with graft(server) as tools"
_NO_SESSION: Final = f"it only says how the server is reached; {_GRAFT}"

OF_A_SERVER: Final = {
    **dict.fromkeys(
        ("list_tools", "connect", "cleanup"),
        f"it is no MCPServer of the Agents SDK: its tools go into tools=, not mcp_servers=; {_GRAFT}",
    ),
    **dict.fromkeys(("get_tools", "load_tools", "tools"), f"its tools are what it is grafted as; {_GRAFT}"),
    **dict.fromkeys(("call_tool", "call", "invoke", "ainvoke", "run", "session"), _NO_SESSION),
    **dict.fromkeys(("start", "open", "enter", "close", "aclose", "stop"), _NO_SESSION),
    AS_A_TOOL: f"it is a server and no tool; {_GRAFT}, then Agent(tools=tools)",
}
"""By attribute that people of other libraries look for in the declaration of a server: what to write."""


def elsewhere(owner: object, name: str, told: Mapping[str, str], entering: str = "") -> Exception:
    """Make the error for an attribute that is not there, with where to look.

    It is an `AttributeError`, but for what is read of a tool: the SDK asks with a default, and would go on without one.
    """
    hint = f": {told[name]}{'; ' if entering else ''}{entering}" if name in told else ""
    said = f"{type(owner).__name__!r} has no attribute {name!r}{hint}"
    return TypeError(said) if name == AS_A_TOOL else AttributeError(said, name=name, obj=owner)


class Declaration:
    """Refuses what can only be done with the tools of a server, once it is grafted."""

    if not TYPE_CHECKING:  # to a type checker, it has none of them

        def __await__(self):
            raise TypeError(self._first())

        def __aenter__(self):
            raise TypeError(self._first())

        def __aexit__(self, *raised):
            raise TypeError(self._first())

        def __enter__(self):
            raise TypeError(self._first())

        def __exit__(self, *raised):
            raise TypeError(self._first())

        def __iter__(self):
            raise TypeError(self._first())

        def __getattr__(self, name):
            raise elsewhere(self, name, OF_A_SERVER)

    def _first(self) -> str:
        kind = type(self).__name__
        return f"{kind}(...) only says how a server is reached: async with graft({kind}(...)) as tools"
