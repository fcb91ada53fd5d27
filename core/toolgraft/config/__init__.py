"""How servers are declared: in code by dataclasses, or in an `mcp.json`."""

from toolgraft.config.approval import Approval, ApprovalRequest, Approve, Approver, Decision
from toolgraft.config.documents.inputs import Input, InputSource
from toolgraft.config.documents.loaded import Loaded
from toolgraft.config.documents.loading import load
from toolgraft.config.list_limits import ListLimits
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

__all__ = [
    "Answer",
    "AnyServer",
    "Approval",
    "ApprovalRequest",
    "Approve",
    "Approver",
    "CallContext",
    "CallId",
    "Checks",
    "Custom",
    "Decision",
    "Elicit",
    "Elicitation",
    "Era",
    "Errors",
    "Headers",
    "Held",
    "Http",
    "InProcess",
    "Input",
    "InputSource",
    "Limits",
    "ListLimits",
    "Loaded",
    "Meta",
    "OnError",
    "OutputCheck",
    "Server",
    "Sse",
    "Stdio",
    "Visible",
    "load",
]
