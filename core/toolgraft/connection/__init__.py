"""One live connection to one server.

Light to import; `toolgraft.connection.connection.Connection` brings the mcp client with it.
"""

from toolgraft.connection.era import EraMemory
from toolgraft.connection.events import Connected, Emit, Event, ListChanged, ListCut, Lost, Reconnected, Refused
from toolgraft.connection.listing import Listing
from toolgraft.connection.state import State

__all__ = [
    "Connected",
    "Emit",
    "EraMemory",
    "Event",
    "ListChanged",
    "ListCut",
    "Listing",
    "Lost",
    "Reconnected",
    "Refused",
    "State",
]
