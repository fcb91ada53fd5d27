"""What a model and a person read of a tool: without what nobody sees, and with where it comes from, if wanted.

Schemas stay as sent here, since values are sent, and checked, as the server wrote them; the forms of them that models
are given are cleaned where they are made, see `toolgraft.schema.labels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolgraft.config import Server
from toolgraft.content.hidden import without_hidden
from toolgraft.content.text import printable
from toolgraft.policies.policy import Policy
from toolgraft.spec import ToolSpec


def strip_hidden(server: Server) -> Policy:
    """Make the policy that takes out of titles and descriptions what nobody sees, unless it is to be kept."""

    def hygiene(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        if server.list_limits.hidden != "strip":
            return specs
        return [_stripped(spec) if spec.flags else spec for spec in specs]

    return hygiene


def _stripped(spec: ToolSpec) -> ToolSpec:
    return replace(spec, title=without_hidden(spec.title), description=without_hidden(spec.description))


def tell_provenance(server: Server) -> Policy:
    """Make the policy that begins each description with the tool and the server that it comes from, where wanted."""

    def provenance(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        return [replace(spec, description=_told(spec)) for spec in specs] if server.provenance else specs

    return provenance


def _told(spec: ToolSpec) -> str:
    tool, server = printable(without_hidden(spec.ref.tool)), printable(spec.ref.server)
    line = f"Tool {tool} from the MCP server {server}."
    return f"{line}\n\n{spec.description}" if spec.description.strip() else line
