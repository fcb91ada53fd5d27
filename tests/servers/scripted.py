"""A stdio server that lists and answers what a JSON file says, for lists that change and answers of any shape.

`python -m tests.servers.scripted FILE`. The file holds `tools` (a list of tools as on the wire), `answers` (tool name
to the result on the wire; a tool without one echoes its arguments as JSON), `errors` (tool name to a JSON-RPC error)
`resources` (URI to text) and `instructions`. It is read at each request. A call of `touch` tells the client that the
list has changed. Methods in `hang` are never answered, and one in `exits` ends the process. The process ids of all its
runs stand in FILE.pids.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def answer(script: dict[str, Any], method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The members of the response, but its id."""
    match method:
        case "initialize":
            info = {"name": "scripted", "version": "1"}
            capabilities = {"tools": {"listChanged": True}, "resources": {}}
            version = params["protocolVersion"]
            about = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
            return {"result": about | {key: script[key] for key in ("instructions",) if key in script}}
        case "tools/list":
            return {"result": {"tools": script["tools"]}}
        case "resources/read" if params["uri"] in script.get("resources", {}):
            return {"result": {"contents": [{"uri": params["uri"], "text": script["resources"][params["uri"]]}]}}
        case "tools/call" if params["name"] in script.get("errors", {}):
            return {"error": script["errors"][params["name"]]}
        case "tools/call":
            said = {"tool": params["name"], "arguments": params.get("arguments")}
            echoed = {"content": [{"type": "text", "text": json.dumps(said)}]}
            return {"result": script.get("answers", {}).get(params["name"], echoed)}
        case _:
            return {"error": {"code": -32601, "message": f"no method {method}"}}


def main() -> None:
    file = Path(sys.argv[1])
    with Path(f"{file}.pids").open("a") as pids:
        pids.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        params: dict[str, Any] = message.get("params") or {}
        script = json.loads(file.read_text())
        if message["method"] in script.get("hang", []):
            continue
        if message["method"] in script.get("exits", []):
            return
        told = answer(script, message["method"], params)
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **told}), flush=True)
        if message["method"] == "tools/call" and params["name"] == "touch":
            print(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), flush=True)


if __name__ == "__main__":
    main()
