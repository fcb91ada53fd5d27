"""How servers are declared: in code by dataclasses, or in an `mcp.json`."""

from toolgraft.config.approval import Approval, ApprovalRequest, Approve, Approver, Decision
from toolgraft.config.documents.inputs import Input, InputSource
from toolgraft.config.documents.loaded import Loaded
from toolgraft.config.documents.loading import load
from toolgraft.config.list_limits import ListLimits
from toolgraft.config.oauth import Bearer, OAuth
from toolgraft.config.options import (
    Answer,
    CallContext,
    CallId,
    Checks,
    Elicit,
    Elicitation,
    Era,
    Errors,
    Headers,
    Limits,
    Meta,
    OnError,
    OutputCheck,
    Visible,
)
from toolgraft.config.servers import AnyServer, Custom, Held, Http, InProcess, Server, Sse, Stdio
from toolgraft.config.service import ClientCredentials, EnterpriseManaged, PrivateKey, WorkloadIdentity
from toolgraft.config.token_store import Kept, MemoryStore, TokenKey, TokenStore

__all__ = [
    "Answer",
    "AnyServer",
    "Approval",
    "ApprovalRequest",
    "Approve",
    "Approver",
    "Bearer",
    "CallContext",
    "CallId",
    "Checks",
    "ClientCredentials",
    "Custom",
    "Decision",
    "Elicit",
    "Elicitation",
    "EnterpriseManaged",
    "Era",
    "Errors",
    "Headers",
    "Held",
    "Http",
    "InProcess",
    "Input",
    "InputSource",
    "Kept",
    "Limits",
    "ListLimits",
    "Loaded",
    "MemoryStore",
    "Meta",
    "OAuth",
    "OnError",
    "OutputCheck",
    "PrivateKey",
    "Server",
    "Sse",
    "Stdio",
    "TokenKey",
    "TokenStore",
    "Visible",
    "WorkloadIdentity",
    "load",
]
