"""Who takes part: name in the tables, environment, class."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from benchmarks.contenders.contract import Contender


@dataclass(frozen=True, slots=True)
class Entry:
    """One contender.

    Attributes:
        environment: See `benchmarks.environments`.
        source: `module:Class`.
        imports: What a program that uses it imports.
    """

    environment: str
    source: str
    imports: str

    def make(self) -> Contender:
        module, _, name = self.source.partition(":")
        found: object = getattr(importlib.import_module(f"benchmarks.contenders.{module}"), name)
        return cast("type[Contender]", found)()


RAW: Final = "mcp.Client"
LC: Final = "toolgraft LangChain"
OA: Final = "toolgraft OpenAI"
LISTENED: Final = "toolgraft LangChain, traced"
SYNC: Final = "toolgraft invoke"
AGENTS: Final = "agents.mcp"
AGENTS_CACHED: Final = "agents.mcp cached"
LANGCHAIN_MCP: Final = "langchain.mcp"
HELD: Final = "mcp-adapters held"
ADAPTERS: Final = "mcp-adapters"
LOCAL_LC: Final = "local LangChain"
LOCAL_OA: Final = "local OpenAI"

CONTENDERS: Final = {
    RAW: Entry("own", "raw:Raw", "from mcp import Client"),
    LC: Entry("own", "ours:LangChain", "from toolgraft_langchain import graft"),
    OA: Entry("own", "ours:OpenAI", "from toolgraft_openai_agents import graft"),
    LISTENED: Entry("own", "ours:Listened", "from toolgraft_langchain import graft"),
    SYNC: Entry("own", "ours:Sync", "from toolgraft_langchain import graft"),
    AGENTS: Entry("own", "agents_mcp:AgentsMcp", "from agents.mcp import MCPServerStdio"),
    AGENTS_CACHED: Entry("own", "agents_mcp:AgentsMcpCached", "from agents.mcp import MCPServerStdio"),
    LANGCHAIN_MCP: Entry("langchain-mcp", "langchain_mcp:LangChainMcp", "from langchain.mcp import MCPAdapter"),
    HELD: Entry(
        "mcp-adapters",
        "mcp_adapters:McpAdaptersHeld",
        "from langchain_mcp_adapters.client import MultiServerMCPClient",
    ),
    ADAPTERS: Entry(
        "mcp-adapters",
        "mcp_adapters:McpAdapters",
        "from langchain_mcp_adapters.client import MultiServerMCPClient",
    ),
    LOCAL_LC: Entry("own", "local:LocalLangChain", "import langchain_core.tools"),
    LOCAL_OA: Entry("own", "local:LocalOpenAI", "import agents"),
}
