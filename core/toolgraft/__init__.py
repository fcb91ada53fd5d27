"""MCP servers for the agent you already have.

    from toolgraft import Http, Stdio
    from toolgraft_langchain import graft  # or toolgraft_openai_agents: same word, same arguments

    async with graft(Http("https://example.com/mcp"), Stdio("uvx", "mcp-server-git")) as tools:
        agent = create_agent(model, tools)

Without a framework, `connect` gives a `Toolbox` to call tools by name.
"""

from toolgraft.calls import Call, Handler, Middleware
from toolgraft.config import (
    Answer,
    AnyServer,
    CallContext,
    Checks,
    Custom,
    Elicitation,
    Held,
    Http,
    InProcess,
    Limits,
    Server,
    Sse,
    Stdio,
    load,
)
from toolgraft.graft import connect
from toolgraft.result import ABSENT, Audio, File, Image, Link, Text, ToolResult
from toolgraft.spec import Hints, Refusal, ToolRef, ToolSpec
from toolgraft.toolbox import Options, Toolbox

__version__ = "0.1.0"

__all__ = [
    "ABSENT",
    "Answer",
    "AnyServer",
    "Audio",
    "Call",
    "CallContext",
    "Checks",
    "Custom",
    "Elicitation",
    "File",
    "Handler",
    "Held",
    "Hints",
    "Http",
    "Image",
    "InProcess",
    "Limits",
    "Link",
    "Middleware",
    "Options",
    "Refusal",
    "Server",
    "Sse",
    "Stdio",
    "Text",
    "ToolRef",
    "ToolResult",
    "ToolSpec",
    "Toolbox",
    "connect",
    "load",
]
