"""The middleware by which a model that is reached by Chat Completions sees what tools return."""

from __future__ import annotations

from typing import Any, cast

from langchain.agents.middleware import ModelRequest
from langchain_core.messages import AnyMessage

from toolgraft_langchain.chat_completions import pictures_as_user_messages
from toolgraft_langchain.middleware.rewriting import Rewriting


class PicturesAsUserMessages(Rewriting):
    """Moves pictures and files of tool messages into messages of the user."""

    def rewritten(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Give a model call with pictures and files in messages of the user."""
        return request.override(messages=cast("list[AnyMessage]", pictures_as_user_messages(request.messages)))
