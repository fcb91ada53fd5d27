"""A LangGraph graph as people make it by hand: one node runs all calls of a turn in one task."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.prebuilt import ToolNode


def by_hand(tools: Any, asked: AIMessage, saver: Any) -> Any:
    """A graph whose model says one thing, and whose tools are called once."""
    graph: Any = StateGraph(MessagesState)

    def model(_: Any) -> Any:
        return {"messages": [asked]}

    graph.add_node("model", model)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_edge("model", "tools")
    return graph.compile(checkpointer=saver)
