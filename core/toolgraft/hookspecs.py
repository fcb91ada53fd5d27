"""The hooks of a plugin: what a package of your own can add to every server that is grafted.

A plugin is a module or an object with functions marked `@hookimpl`, named in its package's entry points:

    [project.entry-points.toolgraft]
    my-plugin = "my_plugin"

Each hook may be left out. Hooks are synchronous. They are called once for each server before it is connected;
`toolgraft_part` is called for each content block of a kind that toolgraft does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from toolgraft.calls import Middleware
    from toolgraft.config import Server
    from toolgraft.config.servers import Auth
    from toolgraft.policies import Policy
    from toolgraft.result import AnyPart

hookspec = pluggy.HookspecMarker("toolgraft")
hookimpl = pluggy.HookimplMarker("toolgraft")
"""Marks a function of a plugin as the implementation of the hook of the same name."""


@hookspec
def toolgraft_policies(server: Server) -> Sequence[Policy] | None:
    """Return policies for this server's tools: functions from list of specs to list of specs.

    Those of all plugins are run.
    """


@hookspec
def toolgraft_middleware(server: Server) -> Sequence[Middleware] | None:
    """Return middleware around this server's calls, `async (call, proceed) -> ToolResult`, outermost first.

    That of all plugins is run.
    """


@hookspec(firstresult=True)
def toolgraft_part(block: Mapping[str, Any]) -> AnyPart | None:
    """Return the part for a content block of a kind that toolgraft does not know, or None to leave it.

    The first answer is taken.
    """


@hookspec(firstresult=True)
def toolgraft_auth(server: Server) -> Auth:
    """Return the auth for an HTTP server that was given none: `OAuth`, `Bearer`, an `httpx2.Auth`; or None to leave it.

    The first answer is taken.
    """
