"""How many tools of real servers can be given to OpenAI's strict mode, soundly and without loss; side by side.

    python -m benchmarks.strict_coverage [folder of tool lists]

All conversions are judged by one lint (`toolgraft.schema.lint`, which also takes what was seen to be accepted
though the documentation does not list it). The columns:

- strict: tools that are given as strict.
- sound: of these, those that the lint passes.
- lossless: of the sound ones, those that force no optional argument and close no open object.
- forced: optional members, at all levels, that are required and take no null.
- closed: objects that are open at the server and are closed for the model.
- 400: tools for which OpenAI would refuse the whole request, in whatever form; and servers with such a tool.
"""

from __future__ import annotations

import gc
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolgraft.schema import convert, lint
from toolgraft.schema.language.keywords import is_list, is_object

Node = dict[str, Any]
Form = tuple[Node, bool]
"""The schema that is sent, and whether as strict."""


@dataclass(frozen=True)
class Tool:
    """One tool of a real server."""

    server: str
    name: str
    schema: Node


@dataclass
class Score:
    """What a converter makes of all tools."""

    strict: int = 0
    sound: int = 0
    lossless: int = 0
    forced: int = 0
    closed: int = 0
    refused: int = 0
    servers: frozenset[str] = frozenset()
    milliseconds: float = 0.0


def read(folder: Path) -> list[Tool]:
    """Read the tool lists in a folder."""
    found: list[Tool] = []
    for path in sorted(folder.glob("*.json")):
        listed = json.loads(path.read_text("utf-8"))
        found += [Tool(listed["server"], tool["name"], tool["inputSchema"]) for tool in listed["tools"]]
    return found


def of_toolgraft(level: Any) -> Callable[[Node], Form]:
    """Ours; everything is made that a call would need."""

    def form(schema: Node) -> Form:
        converted = convert(schema, level)
        plain, _ = converted.plain, converted.codec
        return (plain, False) if converted.strict is None else (converted.strict, True)

    return form


def of_agents() -> Callable[[Node], Form]:
    """The Agents SDK's own conversion of an MCP tool, as it calls it."""
    from agents.mcp import MCPServerStdio, MCPUtil
    from mcp.types import Tool as McpTool

    logging.getLogger("openai.agents").setLevel(logging.CRITICAL)
    server = MCPServerStdio(params={"command": "never"}, name="s")

    def form(schema: Node) -> Form:
        tool = McpTool.model_construct(name="t", description="", input_schema=schema)
        made = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
        return made.params_json_schema, made.strict_json_schema

    return form


def of_langchain() -> Callable[[Node], Form]:
    """LangChain's conversion of a tool's arguments under `bind_tools(strict=True)`."""
    from langchain_core.tools import StructuredTool
    from langchain_core.utils.function_calling import convert_to_openai_tool

    def form(schema: Node) -> Form:
        tool = StructuredTool(name="t", description="d", args_schema=schema, func=print)
        return convert_to_openai_tool(tool, strict=True)["function"]["parameters"], True

    return form


def score(tools: list[Tool], form: Callable[[Node], Form]) -> Score:
    """Judge a converter."""
    found = Score()
    bad: set[str] = set()
    for tool in tools:
        schema, strict = form(tool.schema)
        sound = not lint(schema, undocumented=True) if strict else acceptable(schema)
        if not sound:
            found.refused += 1
            bad.add(tool.server)
        if not strict:
            continue
        forced, closed = losses(tool.schema, schema)
        found.strict += 1
        found.sound += sound
        found.lossless += sound and not forced and not closed
        found.forced += forced
        found.closed += closed
    found.servers = frozenset(bad)
    return found


_LOOK_AROUND = re.compile(r"\(\?<?[=!]")


def acceptable(schema: Node) -> bool:
    """Whether OpenAI takes a schema that is not strict."""
    if schema.get("type") != "object" or {"anyOf", "oneOf", "allOf", "enum", "not"} & schema.keys():
        return False
    for node in schema_nodes(schema):
        if node.get("type") == "array" and "items" not in node:
            return False
        if isinstance(pattern := node.get("pattern"), str) and _LOOK_AROUND.search(pattern):
            return False
    return True


def schema_nodes(schema: Any) -> Iterator[Node]:
    """All schemas in a schema."""
    if is_object(schema):
        yield schema
        for key, value in schema.items():
            if key in ("properties", "$defs", "definitions", "patternProperties") and is_object(value):
                for inner in value.values():
                    yield from schema_nodes(inner)
            elif key not in ("default", "enum", "const", "examples"):
                yield from schema_nodes(value)
    elif is_list(schema):
        for inner in schema:
            yield from schema_nodes(inner)


def losses(source: Node, served: Node) -> tuple[int, int]:
    """Optional members that became forced, and open objects that became closed."""
    walk = _Losses(source, served)
    walk.compare(source, served, 0)
    return walk.forced, walk.closed


class _Losses:
    def __init__(self, source: Node, served: Node) -> None:
        self.roots = (source, served)
        self.forced = self.closed = 0

    def compare(self, source: Any, served: Any, depth: int) -> None:
        source, served = follow(source, self.roots[0]), follow(served, self.roots[1])
        if depth > 12 or not is_object(source) or not is_object(served):
            return
        if "properties" not in served and "anyOf" in served:
            branches = [follow(each, self.roots[1]) for each in served["anyOf"]]
            if "anyOf" in source or "oneOf" in source:
                for one, other in zip(source.get("anyOf") or source["oneOf"], branches, strict=False):
                    self.compare(one, other, depth + 1)
                return
            wanted = "properties" if "properties" in source else "items"
            served = next((each for each in branches if wanted in each), served)
        carried = served.get("properties", {}).keys() - source.get("properties", {}).keys()
        self.closed += depth > 0 and is_open(source) and served.get("additionalProperties") is False and not carried
        for name, member in served.get("properties", {}).items():
            declared = source.get("properties", {}).get(name)
            if declared is None:
                continue
            optional = name not in (source.get("required") or ()) and name in served.get("required", ())
            self.forced += optional and not takes_null(member, self.roots[1])
            self.compare(declared, member, depth + 1)
        if "items" in source and "items" in served:
            self.compare(source["items"], served["items"], depth + 1)


def follow(schema: Any, root: Node) -> Any:
    """What a reference stands for."""
    for _ in range(20):
        if not is_object(schema) or not isinstance(schema.get("$ref"), str):
            return schema
        found: Any = root
        for step in schema["$ref"].split("/")[1:]:
            found = found[int(step)] if is_list(found) else found.get(step, {})
        schema = found
    return schema


def is_open(schema: Node) -> bool:
    """Whether an object's author says, or shows by declaring nothing, that it takes other members."""
    rest = schema.get("additionalProperties")
    kind = schema.get("type", "object" if "properties" in schema else None)
    return kind == "object" and rest is not False and (rest is not None or not schema.get("properties"))


def takes_null(schema: Any, root: Node) -> bool:
    """Whether a strict schema takes null."""
    schema = follow(schema, root)
    kinds = schema.get("type", ())
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return True
    return any(takes_null(each, root) for each in schema.get("anyOf", ()))


def timed(tools: list[Tool], forms: list[Callable[[Node], Form]], rounds: int = 3) -> list[float]:
    """Milliseconds of CPU for all tools, the best of some rounds in turn."""
    best = [float("inf")] * len(forms)
    for _ in range(rounds):
        for i, form in enumerate(forms):
            gc.collect()
            started = time.process_time()
            for tool in tools:
                form(tool.schema)
            best[i] = min(best[i], 1000 * (time.process_time() - started))
    return best


def main() -> None:
    """Print the table."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    tools = read(Path(sys.argv[1]) if len(sys.argv) > 1 else beside)
    servers = len({tool.server for tool in tools})
    contenders = {
        "toolgraft natural": of_toolgraft("natural"),
        "toolgraft full": of_toolgraft("full"),
        "openai-agents": of_agents(),
        "langchain strict=True": of_langchain(),
    }
    print(f"{len(tools):,} tools of {servers} servers\n")
    times = timed(tools, list(contenders.values()))
    print(
        f"{'':22}{'strict':>8}{'sound':>8}{'lossless':>9}{'':>8}{'forced':>8}{'closed':>8}{'400':>6}{'servers':>9}{'ms':>8}"
    )
    for (name, form), milliseconds in zip(contenders.items(), times, strict=True):
        found = score(tools, form)
        share = f"{100 * found.lossless / len(tools):.1f} %"
        print(
            f"{name:22}{found.strict:>8,}{found.sound:>8,}{found.lossless:>9,}{share:>8}{found.forced:>8,}"
            f"{found.closed:>8,}{found.refused:>6,}{len(found.servers):>9}{milliseconds:>8,.0f}"
        )
    print(f"\nconversion: {times[2] / times[0]:.2f} times as fast as openai-agents, in the same run")


if __name__ == "__main__":
    main()
