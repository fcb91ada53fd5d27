"""One turn of a real agent whose model is a script: what the model would be given back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from toolgraft.errors import MissingExtraError
from toolgraft.tools.scripted import Decide, Step

from toolgraft_langchain.approval.interrupts import approve, reject


class Script(GenericFakeChatModel):
    """A model that says what it was told to say, whatever tools it is given."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        """Take the tools as a real model would, and go on as before."""
        return self


async def run_scripted(tools: Sequence[BaseTool], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Sequence[Step]:
    """Have a scripted model make the calls at once, in a real `create_agent` run."""
    try:
        import langchain.agents as framework
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing
    asked = [
        ToolCall(name=name, args=dict(arguments), id=f"call_{index}") for index, (name, arguments) in enumerate(calls)
    ]
    model = Script(messages=iter([AIMessage("", tool_calls=asked), AIMessage("done")]))
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    agent = create_agent(model, list(tools))
    state = await agent.ainvoke({"messages": [HumanMessage("Use the tools.")]})
    given = {message.tool_call_id: message for message in state["messages"] if isinstance(message, ToolMessage)}
    return [_step(name, arguments, given[f"call_{index}"]) for index, (name, arguments) in enumerate(calls)]


async def run_approved(
    tools: Sequence[BaseTool], calls: Sequence[tuple[str, Mapping[str, Any]]], decide: Decide
) -> Sequence[Step]:
    """Do as `run_scripted` does, in a run that pauses, and resume it with what `decide` says."""
    try:
        import langchain.agents as framework
        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.types import Command
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing
    asked = [ToolCall(name=name, args=dict(given), id=f"call_{index}") for index, (name, given) in enumerate(calls)]
    model = Script(messages=iter([AIMessage("", tool_calls=asked), AIMessage("done")]))
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    agent = create_agent(model, list(tools), checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    state = await agent.ainvoke({"messages": [HumanMessage("Use the tools.")]}, thread)
    while state.get("__interrupt__"):
        answers: dict[str, Any] = {}
        for each in state["__interrupt__"]:
            yes = await decide(each.value["name"], each.value["arguments"])
            answers[each.id] = approve(each.value) if yes else reject(each.value)
        state = await agent.ainvoke(Command(resume=answers), thread)
    given = {message.tool_call_id: message for message in state["messages"] if isinstance(message, ToolMessage)}
    return [_step(name, arguments, given[f"call_{index}"]) for index, (name, arguments) in enumerate(calls)]


def _step(name: str, arguments: Mapping[str, Any], message: ToolMessage) -> Step:
    content: object = message.content
    blocks = cast(
        "list[Mapping[str, Any]]", content if isinstance(content, list) else [{"type": "text", "text": content}]
    )
    return Step(
        tool=name,
        arguments=arguments,
        text="\n".join(str(block["text"]) for block in blocks if block["type"] == "text"),
        images=tuple(str(block.get("mime_type")) for block in blocks if block["type"] == "image"),
        is_error=message.status == "error",
        raw=message,
    )
