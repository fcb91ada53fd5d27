"""One process of a LangGraph run that pauses: `python -m tests.approval.paused_graph KIND ask|answer FOLDER`.

`ask` runs until a person is asked, says so in a line, and waits to be killed. `answer` goes on from what is on the disk
with a yes, and prints what the model is told. Each run of the tool is a line in FOLDER/ledger.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import langchain.agents as framework
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from toolgraft import Stdio
from toolgraft_langchain import approve, graft, interrupt_on

from tests.approval.by_hand import by_hand

THREAD: Any = {"configurable": {"thread_id": "1"}}
KINDS = ("tool", "by_hand", "batched", "per_call")


class OnDisk(InMemorySaver):
    """Keeps what it holds in a file, whole after each write."""

    def __init__(self, file: Path) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self._file = file
        if file.exists():
            storage, writes, blobs = pickle.loads(file.read_bytes())
            for thread, spaces in storage.items():
                for space, checkpoints in spaces.items():
                    self.storage[thread][space] = checkpoints
            for key, each in writes.items():
                self.writes[key] = each
            self.blobs.update(blobs)

    def put(self, *given: Any, **more: Any) -> Any:
        made = super().put(*given, **more)
        self._keep()
        return made

    def put_writes(self, *given: Any, **more: Any) -> None:
        super().put_writes(*given, **more)
        self._keep()

    def _keep(self) -> None:
        storage = {
            thread: {space: dict(held) for space, held in spaces.items()} for thread, spaces in self.storage.items()
        }
        held = (storage, {key: dict(each) for key, each in self.writes.items()}, dict(self.blobs))
        draft = self._file.with_suffix(".new")
        draft.write_bytes(pickle.dumps(held))
        draft.replace(self._file)


class Script(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


def graph_of(kind: str, tools: Any, asked: AIMessage, saver: OnDisk) -> Any:
    if kind == "by_hand":
        return by_hand(tools, asked, saver)
    mode: Any = kind
    middleware = [] if kind == "tool" else [HumanInTheLoopMiddleware(interrupt_on(tools), interrupt_mode=mode)]
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    scripted = Script(messages=iter([asked, AIMessage("done")]))
    return create_agent(scripted, tools, middleware=middleware, checkpointer=saver)


def answer_to(value: Any) -> Any:
    if value.get("type") == "toolgraft_approval":
        return approve(value)
    yes = {"type": "approve"}
    return {"decisions": [yes] * len(value["action_requests"])} if "action_requests" in value else yes


async def main(kind: str, step: str, folder: Path) -> None:
    saver = OnDisk(folder / "checkpoints")
    raw = ("-m", "tests.servers.raw", "stdio", "--ledger", str(folder / "ledger"))
    call: Any = {"id": "c0", "name": "echo", "args": {"text": "on"}, "type": "tool_call"}
    asked = AIMessage("", tool_calls=[call]) if step == "ask" else AIMessage("done")
    async with graft(Stdio(sys.executable, *raw, name="raw", only=["echo"], approve="always")) as tools:
        graph = graph_of(kind, tools, asked, saver)
        if step == "ask":
            paused = await graph.ainvoke({"messages": [HumanMessage("go")]}, THREAD)
            print(json.dumps([each.id for each in paused["__interrupt__"]]), flush=True)
            await asyncio.Event().wait()
        pending = (await graph.aget_state(THREAD)).interrupts
        answers = {each.id: answer_to(each.value) for each in pending}
        end = await graph.ainvoke(Command(resume=answers), THREAD)
        told = [each.text for each in end["messages"] if isinstance(each, ToolMessage)]
        print(json.dumps({"told": told, "asked": len(end.get("__interrupt__") or ())}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
