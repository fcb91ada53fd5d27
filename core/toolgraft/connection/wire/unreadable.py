"""What a server sent and nobody can read."""

from __future__ import annotations

from typing import Final

UNREADABLE: Final = "its answer is not valid JSON-RPC"


class Unreadable(Exception):
    """A message of a server that is no JSON-RPC, but answers a request.

    Attributes:
        request_id: The request that it answers.
    """

    def __init__(self, request_id: int | str) -> None:
        super().__init__(UNREADABLE)
        self.request_id = request_id


class TooLarge(Exception):
    """A message of a server is larger than we take.

    Attributes:
        head: Its beginning, which usually names the request that it answers.
    """

    def __init__(self, size: int | None, limit: int, head: bytes = b"") -> None:
        what = "its answer is larger" if size is None else f"its answer of {size} bytes is larger"
        super().__init__(f"{what} than {limit} bytes (Limits.wire_bytes)")
        self.head = head
