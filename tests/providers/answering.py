"""Send results of every shape with packages: a program for the environment of `scripts/providers`.

    python -m tests.providers.answering [--package groq]

It prints `{package: {shape: {"default", "told", "followed"}}}`, `{"raised", "request"}` each: for tools that do not
know the model, for tools that were told it, and for an agent whose tools and messages follow it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.tools import BaseTool
from toolgraft import Stdio
from toolgraft_langchain import follow_model, graft

from tests.providers.endpoint import Endpoint, endpoint
from tests.providers.packages import PACKAGES
from tests.servers import every_result

Node = dict[str, Any]

CALL: Node = {"name": "", "args": {}, "id": "call00001", "type": "tool_call"}
"""A call by an id that Mistral takes."""

DOCUMENTS = frozenset({"application/pdf"})


def grafted(**options: Any) -> Any:
    left_out = (*every_result.FAILING, *every_result.LARGE)
    server = Stdio(sys.executable, str(every_result.__file__), "stdio", name="every", without=left_out)
    return graft(server, **options)


async def spoken(tools: Sequence[BaseTool]) -> dict[str, list[AnyMessage]]:
    """Call each tool, and give the messages that a model would be sent next."""
    made: dict[str, list[AnyMessage]] = {}
    for tool in tools:
        call: Any = {**CALL, "name": tool.name}
        answer = await tool.ainvoke(call)
        made[tool.name] = [HumanMessage("go"), AIMessage("", tool_calls=[call]), answer]
    return made


def followed(model: Any, messages: list[AnyMessage], tools: Sequence[BaseTool]) -> tuple[Any, Any]:
    """Give messages and tools as an agent sends them that follows its model."""
    from langchain.agents.middleware import ModelRequest

    seen: list[Any] = []

    def handler(request: Any) -> Any:
        seen.append(request)

    follow_model().wrap_model_call(ModelRequest(model=model, messages=messages, tools=[*tools]), handler)
    return seen[0].messages, seen[0].tools


def sent(model: Any, messages: list[AnyMessage], tools: Sequence[BaseTool], kept: Endpoint) -> Node:
    raised = "nothing was sent"
    try:
        model.bind_tools(tools).invoke(messages)
    except Exception as error:
        raised = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    request = kept.taken()
    return {"raised": raised if request is None else None, "request": request}


async def answered(names: Sequence[str], kept: Endpoint) -> dict[str, dict[str, Node]]:
    said: dict[str, dict[str, Node]] = {}
    async with grafted() as untold, grafted(files=DOCUMENTS) as with_files:
        histories = await spoken(untold), await spoken(with_files)
        for name in names:
            model = PACKAGES[name].chat_model(kept.url)
            async with grafted(model=model) as told:
                own = await spoken(told)
                said[name] = {
                    tool.name: {
                        "default": sent(model, histories[0][tool.name], [tool], kept),
                        "told": sent(model, own[tool.name], [mine], kept),
                        "followed": sent(model, *followed(model, histories[1][tool.name], [tool]), kept),
                    }
                    for tool, mine in zip(untold, told, strict=True)
                }
    return said


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", action="append", choices=PACKAGES, default=[])
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    with endpoint() as kept:
        json.dump(asyncio.run(answered(options.package or [*PACKAGES], kept)), sys.stdout)


if __name__ == "__main__":
    main()
