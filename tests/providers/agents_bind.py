"""Each tool of a corpus by each way that the Agents SDK sends tools: what raises, and what loses names of arguments.

    python agents_bind.py CORPUS [any|own] [every n-th] [part of a way's name]

Run where `agents`, `litellm` and `any-llm-sdk` are installed; toolgraft is found by PYTHONPATH. It sends nothing. `any`
is the form of a tool that was told no model, `own` the one for the provider of each way. What it prints last is JSON:
by way, how many tools there are, raise and lose, and the first of these.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
for name, value in {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}.items():
    os.environ.setdefault(name, value)

from agents import FunctionTool
from agents.models.chatcmpl_converter import Converter
from agents.models.openai_responses import Converter as Responses
from toolgraft.dialects import PORTABLE, Dialect
from toolgraft.errors import SchemaError
from toolgraft.schema import convert
from toolgraft_openai_agents import dialect_of

Way = Callable[[FunctionTool], Any]
"""Gives what is sent of a tool."""


def ways() -> Iterator[tuple[str, str, Way]]:
    """By name: the model that is told, and what is sent of a tool."""
    yield "responses", "gpt-5", lambda tool: Responses.convert_tools([tool], []).tools
    yield "chat completions", "openai-chat", Converter.tool_to_openai
    for model in (
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
    ):
        yield f"litellm {model}", f"litellm/{model}", of_litellm(model)
    for provider, made in of_any_llm().items():
        yield f"any-llm {provider}", f"any-llm/{provider}/x", made


def of_litellm(model: str) -> Way:
    """What LiteLLM makes of a tool that `LitellmModel` hands to it."""
    import litellm
    from agents.extensions.models.litellm_model import _to_dump_compatible
    from litellm.utils import ProviderConfigManager, get_optional_params

    name, provider, _, _ = litellm.get_llm_provider(model)
    config: Any = ProviderConfigManager.get_provider_chat_config(name, litellm.LlmProviders(provider))

    def sent(tool: FunctionTool) -> Any:
        tools = _to_dump_compatible([Converter.tool_to_openai(tool)])
        made = get_optional_params(model=name, custom_llm_provider=provider, tools=tools)
        if provider in ("gemini", "vertex_ai"):  # asked for over the network while a request is made
            return made["tools"]
        said = [{"role": "user", "content": "x"}]
        return config.transform_request(name, said, made, {"aws_region_name": "us-east-1"}, {})

    return sent


def of_any_llm() -> dict[str, Way]:
    """What any-llm makes of a tool that `AnyLLMModel` hands to it; of the providers whose packages are there."""
    from agents.extensions.models.any_llm_model import _to_dump_compatible

    def given(tool: FunctionTool) -> Any:
        return _to_dump_compatible([Converter.tool_to_openai(tool)])

    made: dict[str, Way] = {"openai": given}
    try:
        from any_llm.providers.anthropic.utils import _convert_tool_spec as anthropic

        made["anthropic"] = lambda tool: anthropic(given(tool))
    except ImportError:
        pass
    try:
        from any_llm.providers.bedrock.utils import _convert_tool_spec as bedrock

        made["bedrock"] = lambda tool: bedrock(given(tool), None)
    except ImportError:
        pass
    try:
        from any_llm.providers.gemini.utils import _convert_tool_spec as gemini

        def of_gemini(tool: FunctionTool) -> Any:
            return [each.model_dump(mode="json", exclude_none=True) for each in gemini(given(tool), "gemini")]

        made["gemini"] = of_gemini
    except ImportError:
        pass
    try:
        from any_llm.providers.cohere.cohere import CohereProvider

        made["cohere"] = lambda tool: CohereProvider._convert_tools(given(tool))
    except ImportError:
        pass
    return made


def names(schema: Any) -> set[str]:
    """Names of all members, at every depth."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties" and isinstance(value, dict):
                found |= set(value).union(*map(names, value.values()))
            elif key not in ("enum", "const", "default", "examples", "required"):
                found |= names(value)
    elif isinstance(schema, list):
        found = found.union(*map(names, schema))
    return found


def tools(corpus: Path, step: int) -> Iterator[tuple[str, Any]]:
    """Every n-th tool, with its schema in our forms."""
    listed = [
        (path.stem, tool) for path in sorted(corpus.glob("*.json")) for tool in json.loads(path.read_text())["tools"]
    ]
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


def tried(way: Way, dialect: Dialect, corpus: list[tuple[str, Any]]) -> dict[str, Any]:
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
        if gone := [each for each in names(before) if json.dumps(each, ensure_ascii=False)[1:-1] not in sent]:
            loses.append(f"{name}: {gone[:3]}")
    return {
        "tools": len(corpus),
        "raise": len(raises),
        "lose": len(loses),
        "change the schema": len(changes),
        "first": [*raises[:5], *loses[:5], *changes[:2]],
    }


def main(folder: str, form: str = "any", step: str = "1", only: str = "") -> None:
    """Print what comes of each way."""
    corpus = list(tools(Path(folder), int(step)))
    found = {
        name: tried(way, PORTABLE if form == "any" else dialect_of(model), corpus)
        for name, model, way in ways()
        if only in name
    }
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
