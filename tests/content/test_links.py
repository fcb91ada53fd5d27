"""Following resource links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from toolgraft.content import follow_links, to_result
from toolgraft.errors import ProtocolError
from toolgraft.result import Image, Link, Text, ToolResult

from tests.content.bytes_of import PNG

pytestmark = [pytest.mark.anyio, pytest.mark.faults("R17")]


class Resources:
    """A server's resources, which remembers what was read."""

    def __init__(self, **known: Mapping[str, Any]) -> None:
        self.known = known
        self.read: list[str] = []

    async def __call__(self, uri: str) -> Mapping[str, Any]:
        self.read.append(uri)
        if uri not in self.known:
            raise ProtocolError(None, "no such resource", code=-32602)
        return self.known[uri]


def links(*uris: str, **more: Any) -> ToolResult:
    return to_result({"content": [{"type": "resource_link", "uri": uri, "name": uri, **more} for uri in uris]})


def text(value: str) -> Mapping[str, Any]:
    return {"contents": [{"uri": "a", "text": value}]}


async def test_a_link_is_replaced_in_its_place_by_what_it_links_to() -> None:
    both = {"contents": [{"uri": "a", "text": "one"}, {"uri": "b", "blob": PNG}]}
    sent = [{"type": "text", "text": "see"}, {"type": "resource_link", "uri": "a"}, {"type": "text", "text": "end"}]
    result = await follow_links(to_result({"content": sent}), Resources(a=both), limit=5, max_bytes=10_000)
    assert [type(part) for part in result.parts] == [Text, Text, Image, Text]
    assert [part.text for part in result.parts if isinstance(part, Text)] == ["see", "one", "end"]


async def test_only_so_many_are_read() -> None:
    resources = Resources(a=text("one"), b=text("two"), c=text("three"))
    result = await follow_links(links("a", "b", "c"), resources, limit=2, max_bytes=10_000)
    assert resources.read == ["a", "b"]
    assert isinstance(result.parts[2], Link)


async def test_only_so_many_bytes_are_taken() -> None:
    resources = Resources(a=text("x" * 500), b=text("y" * 600), c=text("z" * 100))
    result = await follow_links(links("a", "b", "c"), resources, limit=5, max_bytes=1_000)
    kinds = [type(part) for part in result.parts]
    assert kinds == [Text, Link, Text, Text]
    assert "larger than" in result.warnings[0]


@pytest.mark.parametrize("answer", [None, {}, {"contents": []}, {"contents": "x"}])
async def test_a_link_that_cannot_be_read_stays_with_a_sentence(answer: Mapping[str, Any] | None) -> None:
    resources = Resources() if answer is None else Resources(a=answer)
    result = await follow_links(links("a"), resources, limit=1, max_bytes=1_000)
    link, note = result.parts
    assert isinstance(link, Link)
    assert isinstance(note, Text)
    assert note.text.startswith("[a could not be read: ")
    assert len(result.warnings) == 1


async def test_a_link_for_the_user_only_is_not_read() -> None:
    resources = Resources(a=text("one"))
    result = await follow_links(links("a", annotations={"audience": ["user"]}), resources, limit=5, max_bytes=1_000)
    assert not resources.read
    assert isinstance(result.parts[0], Link)
