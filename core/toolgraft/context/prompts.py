"""Prompts of servers (MCP: Prompts): what there are, and the messages of one that was filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from toolgraft.config.list_limits import ListLimits
from toolgraft.content.blocks import from_block, string_keyed
from toolgraft.context.members import Member, read_all
from toolgraft.errors import ArgumentsError
from toolgraft.result import AnyPart

_MOST_ARGUMENTS: Final = 100
_MOST_MESSAGES: Final = 10_000


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """An argument of a prompt; its value is always a text.

    Attributes:
        name: Its name.
        title: For people; empty where the server gives none.
        description: What it is for.
        required: Whether the server wants it.
    """

    name: str
    title: str = ""
    description: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that a server offers.

    Attributes:
        server: Name of the server.
        name: Its name there.
        title: For people; the name where the server gives none.
        description: What it is for.
        arguments: What it can be filled in with.
        meta: Its `_meta`, as sent.
    """

    server: str
    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt.

    Attributes:
        role: Who says it.
        parts: Text, pictures, sound, files and links, in the order sent.
    """

    role: Literal["user", "assistant"]
    parts: tuple[AnyPart, ...]


@dataclass(frozen=True, slots=True)
class FilledPrompt:
    """A prompt with its arguments filled in.

    Attributes:
        server: Name of the server.
        name: Its name there.
        description: What it is for.
        messages: What it says. It is the server's text: put it where a user's words may stand.
        meta: The answer's `_meta`, as sent.
        warnings: What was odd, a sentence each.
    """

    server: str
    name: str
    description: str = ""
    messages: tuple[PromptMessage, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    warnings: tuple[str, ...] = ()


def read_prompts(server: str, listed: object, limits: ListLimits) -> tuple[list[Prompt], list[str]]:
    """Read a list of prompts from the wire (MCP schema: `Prompt`), and say what of it is left out."""
    members = cast("list[object]", listed) if isinstance(listed, list | tuple) else []
    of_arguments: list[str] = []
    prompts, refused = read_all(server, "prompt", members, lambda raw: _prompt(server, raw, limits, of_arguments))
    return prompts, [*refused, *of_arguments]


def _prompt(server: str, raw: object, limits: ListLimits, refused: list[str]) -> Prompt:
    member = Member(raw, limits)
    name, listed = member.name("name"), member.listed("arguments")
    what = f"argument of prompt {name!a}:"
    arguments, left_out = read_all(server, what, listed[:_MOST_ARGUMENTS], lambda each: _argument(each, limits))
    refused += left_out
    if len(listed) > _MOST_ARGUMENTS:
        refused.append(f"server '{server}': {what} {len(listed):,} of them, of which {_MOST_ARGUMENTS} are taken")
    title, description = member.text("title") or name, member.text("description")
    return Prompt(server, name, title, description, tuple(arguments), string_keyed(member.object("_meta")))


def _argument(raw: object, limits: ListLimits) -> PromptArgument:
    member = Member(raw, limits)
    return PromptArgument(
        member.name("name"), member.text("title"), member.text("description"), member.flag("required")
    )


def checked_arguments(server: str, prompt: str, arguments: Mapping[str, str] | None) -> dict[str, str]:
    """Give a prompt's arguments, if they are texts by name.

    Raises:
        ArgumentsError: They are not.
    """
    given: Any = {} if arguments is None else arguments
    where = f"prompt '{prompt}' of server '{server}'"
    if not isinstance(given, Mapping):
        raise ArgumentsError(None, [f"/: {where} takes a dict of texts, not {type(given).__name__}"], so=_SO)
    wrong = [
        f"/{name}: {where} takes a text, not {type(value).__name__}: write {str(value)[:_HEAD]!r}"
        for name, value in cast("Mapping[object, object]", given).items()
        if not isinstance(name, str) or not isinstance(value, str)
    ]
    if wrong:
        raise ArgumentsError(None, wrong, so=_SO)
    return dict(cast("Mapping[str, str]", given))


_HEAD: Final = 40
_SO: Final = "nothing was sent"


def filled(server: str, name: str, raw: Mapping[str, Any], limits: ListLimits) -> FilledPrompt:
    """Read the answer to a request for a prompt (MCP schema: `GetPromptResult`); it never raises."""
    member = Member(raw, limits)
    said = member.listed("messages")
    warnings: list[str] = []
    if len(said) > _MOST_MESSAGES:
        warnings.append(f"{len(said):,} messages, of which {_MOST_MESSAGES:,} are taken")
    messages = tuple(_message(at, each, warnings) for at, each in enumerate(said[:_MOST_MESSAGES]))
    return FilledPrompt(
        server, name, member.text("description"), messages, string_keyed(member.object("_meta")), tuple(warnings)
    )


def _message(at: int, raw: object, warnings: list[str]) -> PromptMessage:
    held = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {"content": raw}
    role: Any = held.get("role")
    if role not in ("user", "assistant"):
        warnings.append(f"messages[{at}]: its role is {str(role)[:_HEAD]!r}: taken as the user's")
    content: Any = held.get("content")
    parts: list[AnyPart] = []
    for block in cast("list[object]", content) if isinstance(content, list) else [content]:
        converted, problem = from_block(block)
        parts += converted
        if problem:
            warnings.append(f"messages[{at}]: {problem}")
    return PromptMessage("assistant" if role == "assistant" else "user", tuple(parts))
