"""Pictures for models reached by Chat Completions, where a tool's message takes text only.

    create_agent(model, tools, middleware=[pictures_middleware()])          # package `langchain`
    RunnableLambda(pictures_as_user_messages) | model                       # without it

Pictures and files of tool messages follow as a message of the user. Only what one model call is sent changes: the
agent's own messages stay as they are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, ToolMessage
from toolgraft.errors import MissingExtraError

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse

_MEDIA: Final = {"image": "picture", "image_url": "picture", "file": "file"}


def pictures_as_user_messages(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Give messages in which pictures and files of tool messages stand in messages of the user.

    Tool messages that follow one another stay together, as Chat Completions wants them, and the user's message
    comes after the last of them. In the tool message a line of text says what follows.

    Args:
        messages: Messages for a model. They are not changed.
    """
    kept: list[BaseMessage] = []
    media: list[Any] = []
    for message in messages:
        if media and not isinstance(message, ToolMessage):
            kept.append(HumanMessage(content=media))
            media = []
        moved = _media(message) if isinstance(message, ToolMessage) else []
        if not moved or not isinstance(message, ToolMessage):
            kept.append(message)
            continue
        kept.append(message.model_copy(update={"content": _without_media(message, moved)}))
        media += [_text(f"From tool call {message.tool_call_id}:"), *moved]
    return [*kept, HumanMessage(content=media)] if media else kept


def pictures_middleware() -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware for `create_agent` that does so for each model call.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from langchain.agents.middleware import AgentMiddleware
    except ImportError as missing:
        raise MissingExtraError("all") from missing

    class PicturesAsUserMessages(AgentMiddleware[Any, Any, Any]):
        """Moves pictures and files of tool messages into messages of the user."""

        def wrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
        ) -> ModelResponse[Any]:
            """Rewrite the messages of one model call."""
            return handler(_rewritten(request))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
        ) -> ModelResponse[Any]:
            """Rewrite the messages of one model call."""
            return await handler(_rewritten(request))

    return PicturesAsUserMessages()


def _rewritten(request: ModelRequest[Any]) -> ModelRequest[Any]:
    return request.override(messages=cast("list[AnyMessage]", pictures_as_user_messages(request.messages)))


def _blocks(message: ToolMessage) -> list[dict[str, Any]]:
    """The blocks of a message's content; bare strings in it as text blocks."""
    content = cast("list[Any]", message.content if isinstance(message.content, list) else [])
    return [cast("dict[str, Any]", block if isinstance(block, dict) else _text(str(block))) for block in content]


def _media(message: ToolMessage) -> list[dict[str, Any]]:
    return [block for block in _blocks(message) if block.get("type") in _MEDIA]


def _without_media(message: ToolMessage, moved: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = ", ".join(_MEDIA[str(block["type"])] for block in moved)
    note = _text(f"[{len(moved)} attached ({names}): see the user message that follows]")
    return [*(block for block in _blocks(message) if block.get("type") not in _MEDIA), note]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
