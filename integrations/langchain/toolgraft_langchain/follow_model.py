"""An agent of several models: each model call is given tools and messages as that call's model takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgraft.errors import MissingExtraError

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware


def follow_model(*, anthropic_strict: bool = False) -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware by which the tools of `create_agent` follow the model of each request.

        agent = create_agent(model, tools, middleware=[ModelFallbackMiddleware(other), follow_model()])

    Put it last, so that it sees the model that others choose. Each model call is given the tools in its model's own
    form, and pictures and files of tool messages where that model reads them. Only what one call is sent changes: the
    agent's own messages and tools stay as they are.

    Args:
        anthropic_strict: See `for_model`.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from toolgraft_langchain.middleware.follow_model import FollowModel
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing
    return FollowModel(anthropic_strict)
