"""Two tools of one name in one agent: the SDK calls the last of them, or the handoff, and does not say which it is."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection
from typing import Any, Final, cast

from agents import Agent, FunctionTool, Handoff
from agents.agent import AgentBase

_log: Final = logging.getLogger("toolgraft.openai_agents")

_MOST_AGENTS: Final = 1000
"""Agents of which it is remembered that they were looked at."""


class Clashes:
    """Warns of grafted tools whose names other tools of an agent have, of each name once.

    It is told of an agent when a grafted tool of it is called: before, the SDK shows no tool which agent it belongs to.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[int, int]] = set()
        self._told: set[str] = set()

    def look(self, agent: AgentBase[Any] | None, grafted: type[FunctionTool]) -> None:
        """Look at an agent that was not looked at yet.

        Args:
            agent: Whose tool is called.
            grafted: The class of tools that were grafted.
        """
        mark = (id(agent), len(agent.tools) if agent is not None else 0)
        if agent is None or mark in self._seen:
            return
        if len(self._seen) >= _MOST_AGENTS:
            self._seen.clear()
        self._seen.add(mark)
        tools = [tool for tool in agent.tools if isinstance(tool, FunctionTool) and tool.is_enabled is not False]
        ours = {tool.qualified_name for tool in tools if isinstance(tool, grafted)}
        handoffs = _handoffs(agent)
        times = Counter(tool.qualified_name for tool in tools)
        for name in sorted(name for name in ours - self._told if times[name] > 1 or name in handoffs):
            self._told.add(name)
            called = "the handoff" if name in handoffs else "the last of them"
            said = "agent %r has more than one tool named %r, and calls %s; graft(..., taken=[%r]) would rename one"
            _log.warning(said, agent.name, name, called, name)


def _handoffs(agent: AgentBase[Any]) -> Collection[str]:
    handoffs = cast("list[Any]", agent.handoffs) if isinstance(agent, Agent) else []  # pyright: ignore[reportUnknownMemberType]
    return {each.tool_name if isinstance(each, Handoff) else Handoff.default_tool_name(each) for each in handoffs}
