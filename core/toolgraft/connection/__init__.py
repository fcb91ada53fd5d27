"""One live connection to one server.

Light to import; `toolgraft.connection.connection.Connection` brings the mcp client with it.
"""

from toolgraft.connection.deadlines import NO_DEADLINE, Deadline
from toolgraft.connection.era import EraMemory
from toolgraft.connection.events import Connected, Emit, Event, ListChanged, Lost, Reconnected, Refused
from toolgraft.connection.listing import Listing
from toolgraft.connection.state import State

__all__ = [
    "NO_DEADLINE",
    "Connected",
    "Deadline",
    "Emit",
    "EraMemory",
    "Event",
    "ListChanged",
    "Listing",
    "Lost",
    "Reconnected",
    "Refused",
    "State",
]
