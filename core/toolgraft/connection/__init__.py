"""One live connection to one server.

`connection` is its face. Behind it a call goes through `calls` (sent, sent again, questions) and `session` (the live
client, made anew after a loss; its `listing`) to the `wire`; `loops` brings it home from other loops and threads.
Imports run that way only. This room may import the values (config, spec, calls, result) and the conversions.

Light to import; `toolgraft.connection.connection.Connection` brings the mcp client with it.
"""

from toolgraft.connection.events import (
    Connected,
    Emit,
    Event,
    ListChanged,
    ListCut,
    Listed,
    Lost,
    Reconnected,
    Refused,
    ToolRenamed,
)
from toolgraft.connection.listing.listing import Listing
from toolgraft.connection.session.era import EraMemory
from toolgraft.connection.session.state import State

__all__ = [
    "Connected",
    "Emit",
    "EraMemory",
    "Event",
    "ListChanged",
    "ListCut",
    "Listed",
    "Listing",
    "Lost",
    "Reconnected",
    "Refused",
    "State",
    "ToolRenamed",
]
