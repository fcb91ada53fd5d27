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
        head: The part of it, usually its beginning, that names the request that it answers.
    """

    def __init__(self, reason: str, head: bytes = b"") -> None:
        super().__init__(reason)
        self.head = head


def too_many_bytes(size: int | None, limit: int, head: bytes = b"") -> TooLarge:
    """A message has more bytes than we take; how many is not always known."""
    what = "its answer is larger" if size is None else f"its answer of {size} bytes is larger"
    return TooLarge(f"{what} than {limit} bytes (Limits.wire_bytes)", head)


def too_many_values(limit: int, head: bytes) -> TooLarge:
    """A message has more JSON values in it than we take."""
    return TooLarge(f"its answer has more than {limit:,} JSON values in it (Limits.wire_values)", head)
