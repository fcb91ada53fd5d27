"""MCP servers for the agent you already have.

    from toolgraft import Http, Stdio
    from toolgraft_langchain import graft  # or toolgraft_openai_agents: same word, same arguments

    async with graft(Http("https://example.com/mcp"), Stdio("uvx", "mcp-server-git")) as tools:
        agent = create_agent(model, tools)

Without a framework, `connect` gives a `Toolbox` to call tools by name.
"""

from toolgraft.calls import Call, CallOptions, Deadline, Handler, Middleware, Progress
from toolgraft.config import (
    Answer,
    AnyServer,
    Approval,
    ApprovalRequest,
    Bearer,
    CallContext,
    CallId,
    Checks,
    ClientCredentials,
    Custom,
    Decision,
    Elicitation,
    EnterpriseManaged,
    Errors,
    Held,
    Http,
    InProcess,
    Limits,
    ListLimits,
    MemoryStore,
    OAuth,
    PrivateKey,
    Server,
    Sse,
    Stdio,
    TokenStore,
    WorkloadIdentity,
    load,
)
from toolgraft.connection.events import (
    Answered,
    Approved,
    Asked,
    Called,
    CallEvent,
    Connected,
    Event,
    Hidden,
    ListChanged,
    ListCut,
    Listed,
    Lost,
    Reconnected,
    Refused,
    Rejected,
    Retried,
    ToolRenamed,
)
from toolgraft.context.instructions import with_instructions
from toolgraft.filters import Filter, read_only, tagged, where
from toolgraft.options import Options
from toolgraft.policies import Policy
from toolgraft.policies.naming import is_tool_name
from toolgraft.result import ABSENT, Audio, File, Image, Link, Text, ToolResult
from toolgraft.spec import Flag, Hints, Refusal, Renamed, Safety, SafetyReason, ToolRef, ToolSpec
from toolgraft.toolbox import Toolbox
from toolgraft.toolbox.graft import connect

__version__ = "0.1.0"

__all__ = [
    "ABSENT",
    "Answer",
    "Answered",
    "AnyServer",
    "Approval",
    "ApprovalRequest",
    "Approved",
    "Asked",
    "Audio",
    "Bearer",
    "Call",
    "CallContext",
    "CallEvent",
    "CallId",
    "CallOptions",
    "Called",
    "Checks",
    "ClientCredentials",
    "Connected",
    "Custom",
    "Deadline",
    "Decision",
    "Elicitation",
    "EnterpriseManaged",
    "Errors",
    "Event",
    "File",
    "Filter",
    "Flag",
    "Handler",
    "Held",
    "Hidden",
    "Hints",
    "Http",
    "Image",
    "InProcess",
    "Limits",
    "Link",
    "ListChanged",
    "ListCut",
    "ListLimits",
    "Listed",
    "Lost",
    "MemoryStore",
    "Middleware",
    "OAuth",
    "Options",
    "Policy",
    "PrivateKey",
    "Progress",
    "Reconnected",
    "Refusal",
    "Refused",
    "Rejected",
    "Renamed",
    "Retried",
    "Safety",
    "SafetyReason",
    "Server",
    "Sse",
    "Stdio",
    "Text",
    "TokenStore",
    "ToolRef",
    "ToolRenamed",
    "ToolResult",
    "ToolSpec",
    "Toolbox",
    "WorkloadIdentity",
    "connect",
    "is_tool_name",
    "load",
    "read_only",
    "tagged",
    "where",
    "with_instructions",
]
