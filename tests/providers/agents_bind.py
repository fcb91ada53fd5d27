"""Each tool of a corpus by each way that the Agents SDK sends tools: what raises, and what loses names of arguments.

    python -m tests.providers.agents_bind CORPUS [any|own] [every n-th] [part of a way's name]

Run where `agents`, `litellm` and `any-llm-sdk` are installed, with toolgraft on the path. It sends nothing. `any` is
the form of a tool that was told no model, `own` the one for the provider of each way. What it prints last is JSON: by
way, how many tools there are, raise, lose and have their schema changed, and the first of these.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, cast

from agents import FunctionTool
from agents.models.chatcmpl_converter import Converter
from agents.models.openai_responses import Converter as Responses
from toolgraft.dialects import PORTABLE, Dialect
from toolgraft.errors import SchemaError
from toolgraft.schema import Converted, convert
from toolgraft_openai_agents import dialect_of

Way: TypeAlias = Callable[[FunctionTool], Any]
"""Gives what is sent of a tool."""

OF_LITELLM = (
    "openai/gpt-5",
    "anthropic/claude-sonnet-4-5",
    "gemini/gemini-2.5-pro",
    "vertex_ai/gemini-2.5-pro",
    "bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0",
    "bedrock/amazon.nova-pro-v1:0",
    "cohere_chat/command-r-plus",
    "cohere/command-a-03-2025",
    "mistral/mistral-large-latest",
    "groq/llama-3.3-70b-versatile",
    "xai/grok-4",
    "deepseek/deepseek-chat",
    "fireworks_ai/accounts/fireworks/models/llama-v3p1-70b-instruct",
    "ollama_chat/llama3.1",
)
OF_ANY_LLM = ("openai", "anthropic", "bedrock", "gemini", "cohere")


def ways() -> Iterator[tuple[str, str, Way]]:
    """By name: the model that is told, and what is sent of a tool."""
    yield "responses", "gpt-5", lambda tool: Responses.convert_tools([tool], []).tools
    yield "chat completions", "openai-chat", Converter.tool_to_openai
    for model in OF_LITELLM:
        yield f"litellm {model}", f"litellm/{model}", of_litellm(model)
    for provider in OF_ANY_LLM:
        try:
            yield f"any-llm {provider}", f"any-llm/{provider}/x", of_any_llm(provider)
        except ImportError:
            continue  # the provider's own package is not installed


def given(tool: FunctionTool) -> list[Any]:
    """What `LitellmModel` and `AnyLLMModel` hand on: Chat Completions' shape, in dicts and lists of its own."""
    dumped: Any = import_module("agents.util._json")
    return dumped._to_dump_compatible([Converter.tool_to_openai(tool)])


def of_litellm(model: str) -> Way:
    """What LiteLLM makes of a tool."""
    litellm: Any = import_module("litellm")
    utils: Any = import_module("litellm.utils")
    name, provider, _, _ = litellm.get_llm_provider(model)
    config = utils.ProviderConfigManager.get_provider_chat_config(name, litellm.LlmProviders(provider))

    def sent(tool: FunctionTool) -> Any:
        made = utils.get_optional_params(model=name, custom_llm_provider=provider, tools=given(tool))
        if provider in ("gemini", "vertex_ai"):  # the rest of such a request is made with a token
            return made["tools"]
        said = [{"role": "user", "content": "x"}]
        return config.transform_request(name, said, made, {"aws_region_name": "us-east-1"}, {})

    return sent


def of_any_llm(provider: str) -> Way:
    """What any-llm makes of a tool in its messages."""
    if provider == "openai":
        return given
    if provider == "cohere":
        cohere: Any = import_module("any_llm.providers.cohere.cohere")
        return lambda tool: cohere.CohereProvider._convert_tools(given(tool))
    package: Any = import_module(f"any_llm.providers.{provider}.utils")
    if provider == "gemini":
        return lambda tool: [
            each.model_dump(mode="json", exclude_none=True)
            for each in package._convert_tool_spec(given(tool), provider)
        ]
    more = (None,) if provider == "bedrock" else ()
    return lambda tool: package._convert_tool_spec(given(tool), *more)


def names(schema: Any) -> set[str]:
    """Names of all members, at every depth."""
    found: set[str] = set()
    if isinstance(schema, list):
        return found.union(*map(names, cast("list[Any]", schema)))
    if not isinstance(schema, dict):
        return found
    for key, value in cast("dict[str, Any]", schema).items():
        if key == "properties":
            found |= set(value).union(*map(names, value.values()))
        elif key not in ("enum", "const", "default", "examples", "required"):
            found |= names(value)
    return found


def tools(corpus: Path, step: int) -> Iterator[tuple[str, Converted]]:
    """Every n-th tool, with its schema in our forms."""
    files = sorted(corpus.glob("*.json"))
    listed = [(file.stem, tool) for file in files for tool in json.loads(file.read_text())["tools"]]
    for server, tool in listed[::step]:
        try:
            yield f"{server}/{tool['name']}", convert(tool["inputSchema"], "natural")
        except SchemaError:
            continue


def function_tool(schema: dict[str, Any], strict: bool) -> FunctionTool:
    """The function tool of a schema, which the SDK does not rewrite."""

    async def unused(*_: Any) -> str:
        return ""

    tool = FunctionTool("a_tool", "A tool.", schema, unused, strict_json_schema=False)
    tool.strict_json_schema = strict
    return tool


def tried(way: Way, dialect: Dialect, corpus: list[tuple[str, Converted]]) -> dict[str, Any]:
    """Send every tool one way."""
    raises: list[str] = []
    loses: list[str] = []
    changes: list[str] = []
    for name, converted in corpus:
        form = dialect.form(converted)
        before = copy.deepcopy(form.schema)
        try:
            sent = json.dumps(way(function_tool(form.schema, form.strict)), ensure_ascii=False, default=str)
        except Exception as error:
            raises.append(f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:100]}")
            continue
        if form.schema != before:
            changes.append(name)
        if gone := [each for each in names(before) if f"{json.dumps(each, ensure_ascii=False)}: " not in sent]:
            loses.append(f"{name}: {gone[:3]}")
    first = [*raises[:5], *loses[:5], *changes[:2]]
    return {"tools": len(corpus), "raise": len(raises), "lose": len(loses), "change": len(changes), "first": first}


def main(folder: str, form: str = "any", step: str = "1", only: str = "") -> None:
    """Print what comes of each way."""
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore")
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.setdefault(name, "unused")
    corpus = list(tools(Path(folder), int(step)))
    found = {
        name: tried(way, PORTABLE if form == "any" else dialect_of(model), corpus)
        for name, model, way in ways()
        if only in name
    }
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
