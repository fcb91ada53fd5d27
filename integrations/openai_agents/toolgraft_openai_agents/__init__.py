"""MCP servers as OpenAI Agents function tools.

| what a server has           | what the Agents SDK gets                                                     |
|-----------------------------|------------------------------------------------------------------------------|
| tool name, description      | `FunctionTool.name` (legal everywhere), `.description`                        |
| input schema                | `.params_json_schema`; `.strict_json_schema` is True exactly where it is strict |
| text, pictures, files       | `ToolOutputText`, `ToolOutputImage`, `ToolOutputFileContent`                  |
| structured value, all parts | `ToolCallOutputItem.custom_data["mcp"]`                                       |
| a failed call               | text that begins with `Error:`, and `is_error` in the custom data             |

With `graft(..., model=...)`, schemas and results are in the best form for that model; `for_model` gives a list of tools
for one more, and `follow_model` has each request of agents with several models bring what its model takes.
"""

from toolgraft.errors import MissingExtraError

try:
    import agents as _agents  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ImportError as missing:
    raise MissingExtraError("openai-agents") from missing

from toolgraft.content.artifact import Artifact

from toolgraft_openai_agents import chat_completions
from toolgraft_openai_agents.context import prompt_items, resource_items
from toolgraft_openai_agents.follow_model import follow_model
from toolgraft_openai_agents.for_model import for_model
from toolgraft_openai_agents.metadata import CustomData, MCPMetadata
from toolgraft_openai_agents.models import dialect_of
from toolgraft_openai_agents.tools import ADAPTER, MCPFunctionTool, OpenAIAgentsAdapter, graft

__all__ = [
    "ADAPTER",
    "Artifact",
    "CustomData",
    "MCPFunctionTool",
    "MCPMetadata",
    "OpenAIAgentsAdapter",
    "chat_completions",
    "dialect_of",
    "follow_model",
    "for_model",
    "graft",
    "prompt_items",
    "resource_items",
]
