"""A server over stdio that asks too much, too often and at the wrong time, in the old and the new way."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from typing import Any

LEGACY = sys.argv[1] == "legacy"
LEDGER = sys.argv[2] if len(sys.argv) > 2 else ""
FORM = {
    "message": "who?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 5}, "age": {"type": "integer", "default": 7}},
        "required": ["name"],
    },
}
PAGE = {"mode": "url", "message": "sign in", "url": "https://login.invalid/x?token=s3cret", "elicitationId": "e"}
TOOLS = ["ask", "page", "needs", "flood", "endless", "later", "mixed", "many", "slow", "meet", "echo"]

_lock = threading.Lock()
_answers: dict[str, dict[str, Any]] = {}
_answered = threading.Condition()
_met: list[object] = []


def note(text: str) -> None:
    if LEDGER:
        with _lock, open(LEDGER, "a") as ledger:
            ledger.write(text + "\n")


def write(message: dict[str, Any]) -> None:
    with _lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def push(key: str, params: dict[str, Any] = FORM) -> None:
    write({"id": key, "method": "elicitation/create", "params": params})


def met(request: Any, number: int) -> bool:
    """Wait for so many calls to be under way, or to have been."""
    with _answered:
        _met.append(request)
        _answered.notify_all()
        return _answered.wait_for(lambda: len(_met) >= number, 20)


def wait_for(keys: list[str]) -> list[str]:
    with _answered:
        _answered.wait_for(lambda: all(key in _answers for key in keys), 30)
        return [_said(_answers[key]) if key in _answers else "nothing" for key in keys]


def _said(answer: dict[str, Any]) -> str:
    if "error" in answer:
        return f"error {answer['error']['message']}"
    return f"{answer['result']['action']} {json.dumps(answer['result'].get('content'), sort_keys=True)}"


def count(keys: list[str]) -> str:
    return json.dumps(Counter(said.split()[0] for said in wait_for(keys)))


def pushed(request: Any, name: str, arguments: dict[str, Any]) -> str:
    """A tool that asks the old way."""
    match name:
        case "ask" if arguments.get("or fail"):
            push(f"q{request}")
            raise LookupError(wait_for([f"q{request}"])[0])
        case "ask" if arguments.get("quietly"):
            return "done"
        case "ask" | "page":
            if "beside" in arguments:
                met(request, arguments["beside"])
            push(f"q{request}", PAGE if name == "page" else FORM)
            return wait_for([f"q{request}"])[0]
        case "flood":
            keys = [f"f{number}" for number in range(arguments["n"])]
            for key in keys:
                push(key)
            return count(keys)
        case "endless":
            for number in range(10_000):
                push(f"e{number}")
                wait_for([f"e{number}"])
                note("asked")
            return "done"
        case "meet":  # ends when it was called for the nth time
            return "met" if met(request, arguments["n"]) else "missed"
        case "slow":
            time.sleep(0.3)
            return "slow"
        case _:
            return str(arguments.get("text", name))


def asked(params: dict[str, Any]) -> dict[str, Any]:
    """A tool that asks the new way."""
    name: str = params["name"]
    answers: dict[str, Any] | None = params.get("inputResponses")
    question = {"method": "elicitation/create", "params": PAGE if name == "page" else FORM}
    if name == "echo" or (answers and name != "endless"):
        said = json.dumps(answers, sort_keys=True) if answers else str(params["arguments"]["text"])
        return {"resultType": "complete", "content": [{"type": "text", "text": said}]}
    questions: dict[str, Any] = {"q": question}
    if name == "mixed":
        questions = {"a": question, "b": {"method": "sampling/createMessage", "params": {}}}
    if name == "many":
        questions = {f"q{number}": question for number in range(1000)}
    note("asked")
    return {"resultType": "input_required", "inputRequests": questions, "requestState": "s"}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    method: str = message["method"]
    params: dict[str, Any] = message.get("params") or {}
    if method == "initialize":
        info = {"name": "asking", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
        return {"tools": tools, **({} if LEGACY else {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"})}
    if method == "server/discover" and not LEGACY:
        known: dict[str, Any] = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
        return {**known, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    if method != "tools/call":
        raise LookupError(method)
    note(f"call {params['name']}")
    if LEGACY:
        text = pushed(message["id"], params["name"], params.get("arguments") or {})
        return {"content": [{"type": "text", "text": text}]}
    return asked(params)


def handle(message: dict[str, Any]) -> None:
    if "method" not in message:
        with _answered:
            _answers[str(message["id"])] = message
            _answered.notify_all()
        note(f"answered {_said(message)}")
        return
    if message["method"] == "notifications/cancelled":
        note("cancelled")
    if "id" not in message:
        return
    params: dict[str, Any] = message.get("params") or {}
    if message["method"] == "tools/call" and params["name"] == "needs":
        given: dict[str, Any] = params.get("arguments") or {}
        data = given.get("data", {"elicitations": [PAGE]})
        write({"id": message["id"], "error": {"code": -32042, "message": f"see {PAGE['url']}", "data": data}})
        return
    try:
        result = answer(message)
    except LookupError as unknown:
        write({"id": message["id"], "error": {"code": -32601, "message": f"no {unknown}"}})
        return
    write({"id": message["id"], "result": result})
    if message["method"] == "tools/call" and params["name"] == "later":
        for number in range(params["arguments"]["n"]):
            push(f"l{number}")


if __name__ == "__main__":
    for line in sys.stdin:
        threading.Thread(target=handle, args=(json.loads(line),), daemon=True).start()
