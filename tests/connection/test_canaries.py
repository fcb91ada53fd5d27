"""Each reach of the wire into what is not public in a dependency, by name: an upgrade that moves one fails here."""

from __future__ import annotations

import httpx2
import mcp_types
from mcp.client import ClientSession
from mcp.server import MCPServer, Server
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import ClientMessageMetadata
from toolgraft.connection.wire.in_process import low_level


def test_a_decorated_server_holds_a_low_level_one() -> None:
    """`mcp.server.MCPServer._lowlevel_server`, in wire/in_process.py."""
    assert isinstance(low_level(MCPServer("x")), Server)


def test_the_elicitation_callback_of_a_session_can_be_set_after_the_handshake() -> None:
    """`mcp.client.ClientSession._elicitation_callback`, in link.py."""
    assert "_elicitation_callback" in ClientSession.__init__.__code__.co_names


def test_the_seams_that_are_public_are_where_they_were() -> None:
    assert callable(create_client_server_memory_streams)
    assert ClientMessageMetadata(headers={"a": "b"}).headers == {"a": "b"}
    assert {"initialize", "server/discover"} <= {
        kind.model_fields["method"].default for kind in (mcp_types.InitializeRequest, mcp_types.DiscoverRequest)
    }
    client = httpx2.AsyncClient()
    assert {"request", "response"} <= set(client.event_hooks)
    assert client.auth is None
    assert hasattr(client.cookies.jar, "set_policy")
