"""MCP servers as LangChain tools.

| what a server has           | what LangChain gets                                                          |
|-----------------------------|------------------------------------------------------------------------------|
| tool name, description      | `tool.name` (legal everywhere), `tool.description`                            |
| input schema                | `tool.args_schema`, a dict; strict where the tool keeps its shape             |
| hints, server, wire name    | `tool.metadata["mcp"]`                                                        |
| text, pictures, files       | content blocks of the `ToolMessage`                                           |
| structured value, all parts | `ToolMessage.artifact`                                                        |
| a failed call               | `ToolMessage(status="error")`, with its artifact                              |
"""

from toolgraft.errors import MissingExtraError

try:
    import langchain_core.tools as _langchain  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ImportError as missing:
    raise MissingExtraError("langchain") from missing

from toolgraft.content.artifact import Artifact

from toolgraft_langchain import chat_completions
from toolgraft_langchain.agent import live_tools
from toolgraft_langchain.approval.interrupt_on import interrupt_on
from toolgraft_langchain.approval.interrupts import AskedFor, approve, reject
from toolgraft_langchain.caller import Caller, caller_of
from toolgraft_langchain.context import prompt_messages, resource_blobs, resource_documents
from toolgraft_langchain.follow_model import follow_model
from toolgraft_langchain.for_model import for_model
from toolgraft_langchain.metadata import HintsMetadata, MCPMetadata, SafetyMetadata
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.retries import failure_text, may_retry
from toolgraft_langchain.strict import as_strict
from toolgraft_langchain.tools import ADAPTER, LangChainAdapter, MCPTool, graft
from toolgraft_langchain.visible import visible_tools

__all__ = [
    "ADAPTER",
    "Artifact",
    "AskedFor",
    "Caller",
    "HintsMetadata",
    "LangChainAdapter",
    "MCPMetadata",
    "MCPTool",
    "SafetyMetadata",
    "approve",
    "as_strict",
    "caller_of",
    "chat_completions",
    "dialect_of",
    "failure_text",
    "follow_model",
    "for_model",
    "graft",
    "interrupt_on",
    "live_tools",
    "may_retry",
    "prompt_messages",
    "reject",
    "resource_blobs",
    "resource_documents",
    "visible_tools",
]
