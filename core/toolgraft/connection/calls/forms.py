"""What a server asks and what is answered, as values: its question read, the answer completed and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast
from urllib.parse import urlsplit

import mcp_types as types
from pydantic import ValidationError

from toolgraft.config.options import Answer, CallContext, Elicitation
from toolgraft.errors import SchemaError
from toolgraft.schema import compile_checks

_LONGEST_HOST: Final = 100
_URL: Final = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]", re.IGNORECASE)


class Unfit(ValueError):
    """An answer that does not fit what was asked; the text does not repeat what the person wrote."""


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one: servers send anything."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def question(params: Mapping[str, Any], context: CallContext) -> Elicitation | None:
    """Read what a server asks (MCP: `elicitation/create`); None for an address that is no web page."""
    message = str(params.get("message", ""))
    url = params.get("url")
    if url is None:
        return Elicitation(context, message, schema=mapping(params.get("requestedSchema")))
    return Elicitation(context, message, url=url) if isinstance(url, str) and host(url) else None


def host(url: str) -> str:
    """The host of a web page's address, for people; empty where it is no such address."""
    try:
        parts = urlsplit(url)
        name = parts.hostname or ""
    except ValueError:
        return ""
    return re.sub(r"[^\w.:-]", "?", name)[:_LONGEST_HOST] if parts.scheme in ("https", "http") else ""


def first_url(text: str) -> str:
    """The first web page's address in a text, or nothing."""
    return next((url for url in _URL.findall(text) if host(url)), "")


def without_urls(text: str) -> str:
    """A text with no more than the hosts of its addresses: the rest of them may hold a secret."""
    return _URL.sub(lambda found: host(found[0]) or "***", text)


def result(asked: Elicitation, answer: Answer) -> types.ElicitResult:
    """Bring an answer to the form that is sent; what is missing in it comes from the defaults of what was asked.

    Raises:
        Unfit: It does not fit the form.
    """
    if answer.action != "accept":
        return types.ElicitResult(action=answer.action)
    if asked.schema is None:
        return types.ElicitResult(action="accept")
    defaults = _defaults(asked.schema)
    content = {**defaults, **answer.content}
    if problems := _problems(asked.schema, content, defaults.keys() - answer.content.keys()):
        raise Unfit("; ".join(problems))
    try:
        return types.ElicitResult(action="accept", content=content)
    except ValidationError as error:
        where = " or ".join(sorted({f"/{each['loc'][1]}" for each in error.errors() if len(each["loc"]) > 1})) or "/"
        raise Unfit(f"{where}: wanted a string, a number, true, false or a list of strings") from None


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    fields = {key: mapping(field) for key, field in mapping(schema.get("properties")).items()}
    return {key: field["default"] for key, field in fields.items() if "default" in field}


def _problems(schema: Mapping[str, Any], content: dict[str, Any], servers: set[str]) -> Sequence[str]:
    """What is wrong with a filled form, without its values; nothing where the server's own default is."""
    try:
        problems = compile_checks(schema).problems(content)
    except (SchemaError, ValueError, RecursionError):
        return ()  # the form itself is broken: its server is to judge
    ours = [each for each in problems if not any(each.startswith(f"/{name}:") for name in servers)]
    return [each.partition(", got ")[0] for each in ours]
