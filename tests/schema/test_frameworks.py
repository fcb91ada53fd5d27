"""What the frameworks do to our strict schemas: nothing that matters."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from toolgraft.schema import convert, lint

from tests.schema.made_up import tool_schema

agents = pytest.importorskip("agents")
function_calling = pytest.importorskip("langchain_core.utils.function_calling")

SEEDS = range(150)


def strict_schemas() -> list[dict[str, Any]]:
    found = [convert(tool_schema(Random(seed)), level).strict for seed in SEEDS for level in ("natural", "full")]
    return [schema for schema in found if schema is not None]


async def _never(context: Any, args: str) -> str:
    return ""


def test_the_agents_sdk_changes_nothing() -> None:
    for schema in strict_schemas():
        before = json.dumps(schema)
        tool = agents.FunctionTool(
            name="t",
            description="",
            params_json_schema=json.loads(before),
            on_invoke_tool=_never,
            strict_json_schema=True,
        )
        assert tool.params_json_schema == json.loads(before)


def test_langchain_changes_nothing_that_matters() -> None:
    for schema in strict_schemas():
        given = {"title": "t", "description": "", **json.loads(json.dumps(schema))}
        function = function_calling.convert_to_openai_tool(given, strict=True)["function"]
        parameters = {key: value for key, value in function["parameters"].items() if key != "title"}
        assert function["strict"] is True
        assert lint(parameters) == []
        assert parameters == {key: value for key, value in schema.items() if key != "description"}
