"""How servers are declared: in code by dataclasses, or in an `mcp.json`."""

from toolgraft.config.documents.inputs import Input, InputSource
from toolgraft.config.documents.loaded import Loaded
from toolgraft.config.documents.loading import load
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
)
from toolgraft.config.servers import AnyServer, Custom, Held, Http, InProcess, Server, Sse, Stdio

__all__ = [
    "Answer",
    "AnyServer",
    "CallContext",
    "CallId",
    "Checks",
    "Custom",
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
    "Loaded",
    "Meta",
    "OnError",
    "OutputCheck",
    "Server",
    "Sse",
    "Stdio",
    "load",
]
