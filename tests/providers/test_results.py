"""Results of every shape with every provider's package: where pictures and files stand in the request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

import pytest
from toolgraft.dialects import dialect_named

from tests.providers.argument_names import text_of
from tests.providers.environment import run
from tests.providers.packages import PACKAGES
from tests.servers import every_result

Sent = dict[str, dict[str, dict[str, Any]]]

pytestmark = pytest.mark.timeout(400)

DEFAULT, TOLD, FOLLOWED = "default", "told", "followed"

SHAPES: Final = [*every_result.ALL]

BYTES: Final = (
    *(every_result.PNG, every_result.JPEG, every_result.WAV, every_result.PDF, every_result.ZIP),
    *(every_result.b64(every_result.SVG.encode()), every_result.b64(b"no picture")),
)
"""The base64 in those results."""

_CHAT = frozenset({"messages > user.content > image_url.image_url > url"})
_INLINE = frozenset({"contents > user.parts > inlineData > data"})
KNOWN: Final = {
    "google-genai": _INLINE,
    "google-vertexai": _INLINE,
    "bedrock": frozenset(
        f"messages > user.content > toolResult > content > {kind} > source > bytes" for kind in ("image", "document")
    ),
    "anthropic": frozenset(
        f"messages > user.content > tool_result.content > {kind}.source > base64.data" for kind in ("image", "document")
    ),
    "openai chat": _CHAT | {"messages > user.content > file.file > file_data"},
    "openai responses": frozenset(
        f"input > function_call_output.output > {place}" for place in ("input_image.image_url", "input_file.file_data")
    ),
    "mistralai": _CHAT,
    "groq": _CHAT,
    "ollama": frozenset({"messages > tool.images"}),
    "fireworks": _CHAT,
    "xai": _CHAT,
    "deepseek": frozenset[str](),
    "cohere": frozenset[str](),
}
"""Where each API reads a picture or a file, by members and roles or types on the way."""

_TEXTUAL = frozenset({"text", "function", "function_call", "message", "input_text", "output_text"})
_WORDS = {
    "anthropic": _TEXTUAL | {"tool_use", "tool_result", "image", "document", "base64"},
    "openai responses": _TEXTUAL | {"function_call_output", "input_image", "input_file"},
    "openai chat": _TEXTUAL | {"image_url", "file"},
    "cohere": _TEXTUAL | {"document"},
}
"""Types of blocks that each API knows; the rest of them know texts and `image_url`."""


@pytest.fixture(scope="module")
def sent() -> Sent:
    """What each package sends of each shape."""
    return run("tests.providers.answering", seconds=360)


def places(node: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Give each text of a request with the place where it stands."""
    if isinstance(node, dict):
        members = cast("dict[str, Any]", node)
        kind = members.get("role") or members.get("type")
        for name, member in members.items():
            yield from places(member, (*at, f"{kind}.{name}" if isinstance(kind, str) else name))
    elif isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from places(each, at)
    elif isinstance(node, str):
        yield " > ".join(at), node


def said(request: dict[str, Any]) -> dict[str, Any]:
    """The messages of a request."""
    return {key: request[key] for key in ("messages", "input", "contents") if key in request}


def holding_bytes(request: dict[str, Any]) -> set[str]:
    """Where base64 stands, in either alphabet."""
    begins = [each[:16] for each in BYTES if each]
    begins += [each.translate(str.maketrans("+/", "-_")) for each in begins]
    return {place for place, text in places(said(request)) if any(each in text for each in begins)}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("way", [DEFAULT, TOLD, FOLLOWED])
def test_a_result_of_any_shape_raises_nothing(sent: Sent, package: str, way: str) -> None:
    assert sent[package].keys() == set(SHAPES)
    raised = {shape: each[way]["raised"] for shape, each in sent[package].items() if each[way]["raised"]}
    assert raised == {}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("way", [TOLD, FOLLOWED])
def test_bytes_stand_only_where_the_api_reads_them(sent: Sent, package: str, way: str) -> None:
    wrong = {
        shape: sorted(strange)
        for shape, each in sent[package].items()
        if each[way]["request"] and (strange := holding_bytes(each[way]["request"]) - KNOWN[package])
    }
    assert wrong == {}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("way", [TOLD, FOLLOWED])
def test_no_block_is_of_a_kind_that_the_api_does_not_know(sent: Sent, package: str, way: str) -> None:
    known = _WORDS.get(package, _TEXTUAL | {"image_url"})
    wrong = {
        shape: strange
        for shape, each in sent[package].items()
        if each[way]["request"] and (strange := set(_types(said(each[way]["request"]))) - known)
    }
    assert wrong == {}


def _types(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        members = cast("dict[str, Any]", node)
        if isinstance(members.get("type"), str):
            yield members["type"]
        node = list(members.values())
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from _types(each)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_picture_reaches_each_model_that_reads_pictures_and_is_told_to_the_others(sent: Sent, package: str) -> None:
    pictures = dialect_named(PACKAGES[package].dialect).pictures
    for way, read in ((TOLD, pictures == "tool"), (FOLLOWED, pictures != "nowhere")):
        request = sent[package]["image"][way]["request"]
        assert bool(holding_bytes(request)) == read
        assert read or "picture: image/png, 70 bytes" in text_of(said(request))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_text_beside_a_picture_arrives(sent: Sent, package: str) -> None:
    for way in (DEFAULT, TOLD, FOLLOWED):
        assert "a text" in text_of(said(sent[package]["text_and_image"][way]["request"]))
