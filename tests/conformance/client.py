"""The client that the conformance suite starts, once a scenario: `python -m tests.conformance.client LEG URL`.

The suite names the scenario in the environment. A client that ends with an error fails it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from toolgraft import Http

from tests.conformance.legs import LEGS, Tools
from tests.conformance.person import answer
from tests.conformance.signing_in import signs_in

Calls: TypeAlias = Iterator[tuple[str, Mapping[str, Any]]]

SECONDS: Final = 75.0
"""A client that hangs ends by itself: the suite, at its limit of 60 s, notes it, but ends only the shell around it."""


async def run(leg: str, url: str, scenario: str, context: Mapping[str, Any]) -> None:
    """Play a scenario's client through one leg."""
    server = Http(
        url,
        name="judge",
        required=True,
        errors="raise",
        elicit=answer,
        auth=signs_in(scenario, context) if scenario.startswith("auth/") else None,
    )
    async with asyncio.timeout(SECONDS), LEGS[leg](server) as tools:
        for name, arguments in calls(scenario, context, tools):
            await tools.call(name, arguments)


def calls(scenario: str, context: Mapping[str, Any], tools: Tools) -> Calls:
    """What the scenario's instructions have a client call."""
    if scenario == "initialize":
        return
    if scenario == "tools_call":
        yield "add_numbers", {"a": 5, "b": 3}
    elif scenario == "json-schema-2020-12-preservation":
        yield "json_schema_echo", {"schema": dict(tools.input_schema("json_schema_2020_12_tool"))}
    elif "toolCalls" in context:
        yield from ((call["name"], call["arguments"]) for call in context["toolCalls"])
    else:
        yield from ((name, sample(tools.input_schema(name))) for name in tools.names)


def sample(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fewest arguments that a tool takes."""
    simple: Mapping[str, Any] = {
        "string": "sample",
        "integer": 1,
        "number": 1.5,
        "boolean": True,
        "array": [],
        "object": {},
    }
    return {name: simple[schema["properties"][name]["type"]] for name in schema.get("required", ())}


def main(leg: str, url: str) -> None:
    """Be the client of the scenario that the environment names."""
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    asyncio.run(run(leg, url, scenario, context))


if __name__ == "__main__":
    main(*sys.argv[1:])
