"""Pictures for models reached by Chat Completions, where a tool's message takes text only.

    create_agent(model, tools, middleware=[pictures_middleware()])          # package `langchain`
    RunnableLambda(pictures_as_user_messages) | model                       # without it

Pictures and files of tool messages follow as a message of the user. Only what one model call is sent changes: the
agent's own messages stay as they are. `follow_model` does the same for whatever model a call goes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from langchain_core.messages import BaseMessage
from toolgraft.dialects import dialect_named
from toolgraft.errors import MissingExtraError

from toolgraft_langchain.media import messages_for

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware

_CHAT: Final = dialect_named("openai-chat")


def pictures_as_user_messages(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Give messages in which pictures and files of tool messages stand in messages of the user.

    Tool messages that follow one another stay together, as Chat Completions wants them, and the user's message
    comes after the last of them. In the tool message a line of text says what follows.

    Args:
        messages: Messages for a model. They are not changed.
    """
    return messages_for(messages, _CHAT)


def pictures_middleware() -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware for `create_agent` that does so for each model call.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from toolgraft_langchain.middleware.pictures import PicturesAsUserMessages
    except ImportError as missing:
        raise MissingExtraError("all") from missing
    return PicturesAsUserMessages()
