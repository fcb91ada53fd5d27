"""Prompts and resources of servers as LangChain has them: messages, documents, blobs."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any, Final, TypeAlias

from langchain_core.documents import Document
from langchain_core.documents.base import Blob
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from toolgraft.config import Limits
from toolgraft.context import FilledPrompt, ResourceContents
from toolgraft.context.said import said_in
from toolgraft.dialects import DOCUMENTS
from toolgraft.result import AnyPart, Audio, File, Image, Text

from toolgraft_langchain.output import to_content

_USUAL: Final = Limits()
_Held: TypeAlias = Text | Image | Audio | File


def prompt_messages(
    prompt: FilledPrompt, *, limits: Limits = _USUAL, files: Collection[str] = DOCUMENTS
) -> list[BaseMessage]:
    """Give a prompt as messages.

        prompt = await tools.toolbox.prompt("docs", "summarize", {"topic": "MCP"})
        await agent.ainvoke({"messages": prompt_messages(prompt)})

    What an assistant's message has beside text stands in the user's next message, after a line that says so.

    Args:
        prompt: What `toolbox.prompt(...)` gave.
        limits: How much of each message is shown.
        files: Media types of files that the model takes in a message of the user; others are told in a sentence.
    """
    said = said_in(prompt, limits, frozenset(files))
    kinds = {"user": HumanMessage, "assistant": AIMessage}
    return [kinds[each.role](to_content(each.shown)) for each in said]


def resource_documents(contents: ResourceContents) -> list[Document]:
    """Give the texts of a resource as documents; what is no text is left to `resource_blobs`.

    Args:
        contents: What `toolbox.resource(...)` gave.
    """
    texts = (part for part in contents.parts if isinstance(part, Text))
    return [Document(part.text, metadata=_metadata(contents, part, part.mime_type)) for part in texts]


def resource_blobs(contents: ResourceContents) -> list[Blob]:
    """Give all that stands in a resource as blobs, texts too.

    Args:
        contents: What `toolbox.resource(...)` gave.
    """
    blobs = (_blob(contents, part) for part in contents.parts)
    return [blob for blob in blobs if blob is not None]


def _blob(contents: ResourceContents, part: AnyPart) -> Blob | None:
    if isinstance(part, Text):
        return _made(contents, part, part.text, part.mime_type or "text/plain")
    if isinstance(part, Image | Audio | File):
        return _made(contents, part, base64.b64decode(part.data), part.mime_type)
    return None


def _made(contents: ResourceContents, part: _Held, data: str | bytes, mime_type: str) -> Blob:
    metadata = _metadata(contents, part, mime_type)
    return Blob(data=data, mimetype=mime_type, path=part.uri or contents.uri, metadata=metadata)


def _metadata(contents: ResourceContents, part: _Held, mime_type: str | None) -> dict[str, Any]:
    uri = part.uri or contents.uri
    return {"source": uri, "uri": uri, "mime_type": mime_type, "server": contents.server}
