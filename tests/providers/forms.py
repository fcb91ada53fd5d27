"""Tools as LangChain tools, in the forms that packages are given, as `tests.providers.binding` reads them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool
from toolgraft import Stdio
from toolgraft_langchain import for_model, graft
from toolgraft_langchain.tools import MCPTool

from tests.providers.argument_names import paths
from tests.providers.packages import PACKAGES
from tests.servers import lists

Node = dict[str, Any]

DEFAULT, OWN = "default", "own"


def listed(schemas: Mapping[str, Node], folder: Path) -> dict[str, MCPTool]:
    """Have a server list tools of these schemas, and graft them; those that are refused are left out."""
    titles = {f"tool_{index}": title for index, title in enumerate(schemas)}
    tools = [{"name": name, "description": f"Does {name}.", "inputSchema": schemas[titles[name]]} for name in titles]
    (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
    server = Stdio(sys.executable, str(lists.__file__), str(folder / "tools.json"), name="lists")
    with graft(server) as grafted:
        return {titles[tool.bound.spec.ref.tool]: tool for tool in grafted}


def forms(tools: Mapping[str, MCPTool], packages: Sequence[str] = tuple(PACKAGES)) -> Iterator[Node]:
    """Give each tool as with nothing told, for all packages, and as drawn for the models of each one."""
    for title, tool in tools.items():
        yield {**form(tool, tool), "id": f"{DEFAULT}/{title}", "packages": list(packages)}
    for dialect in {PACKAGES[name].dialect for name in packages}:
        mine = [name for name in packages if PACKAGES[name].dialect == dialect]
        for (title, tool), drawn in zip(tools.items(), for_model(list(tools.values()), dialect), strict=True):
            yield {**form(drawn, tool), "id": f"{OWN}/{title}", "packages": mine}


def form(drawn: BaseTool, tool: MCPTool) -> Node:
    names = {path[-1] for path in paths(tool.bound.schema.plain)}
    return {
        "name": drawn.name,
        "description": drawn.description,
        "schema": drawn.get_input_jsonschema(),
        "names": sorted(names),
    }
