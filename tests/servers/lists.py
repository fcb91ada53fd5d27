"""A server over stdio that lists the tools of a file, of nothing but the standard library: `python lists.py FILE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def result_of(message: dict[str, Any], tools: list[Any]) -> dict[str, Any] | None:
    match message.get("method"):
        case "initialize":
            asked = message["params"]["protocolVersion"]
            return {
                "protocolVersion": asked,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "l", "version": "1"},
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": tools}
        case "tools/call":
            return {"content": [{"type": "text", "text": json.dumps(message["params"].get("arguments"))}]}
        case _:
            return None


def main() -> None:
    tools: list[Any] = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = result_of(message, tools)
        said = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
