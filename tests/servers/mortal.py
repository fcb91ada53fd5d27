"""A stdio server that dies, or grows deaf, in the middle of its work; each call that it runs is a line in the ledger.

`python mortal.py LEDGER [--runs N] [--end exit|deaf|mute] [--late] [--once FILE]`: it runs N calls, then exits, closes
its input and lives on, or closes its output and lives on; with `--late` only after a moment, with the answers given.
`--probe exit|silent|spoilt|SECONDS` is what it does when it is asked what it speaks. `--modern` speaks 2026-07-28 only.
With `--once FILE` it does so only in the first process, which makes FILE. `--ping BYTES` floods with requests of that
size and reads nothing more, `--lines` floods with lines of one character, `--changes` tells of a change after each
list. `--keep FILE` starts a process that holds its pipes open and writes its id there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from typing import Any

OBJECT = {"type": "object"}
MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ledger")
    parser.add_argument("--runs", type=int, default=10**9)
    parser.add_argument("--end", default="exit")
    parser.add_argument("--late", type=float, default=0.0)
    parser.add_argument("--once", default="")
    parser.add_argument("--probe", default="")
    parser.add_argument("--modern", action="store_true")
    parser.add_argument("--ping", type=int, default=0)
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--keep", default="")
    parser.add_argument("--answer", default="")
    options = parser.parse_args()
    if options.once:
        if os.path.exists(options.once):
            options.end, options.runs, options.ping, options.lines = "exit", 10**9, 0, False
        open(options.once, "w").close()
    Mortal(options).serve()


class Mortal:
    """One run of it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.runs = 0
        self.locked_modern = False
        self.spoilt = False

    def note(self, text: str) -> None:
        with open(self.options.ledger, "a") as ledger:
            ledger.write(text + "\n")

    def write(self, message: dict[str, Any] | str) -> None:
        text = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        data = (text + "\n").encode("utf-8", "surrogateescape")
        while data:
            data = data[os.write(1, data) :]

    def serve(self) -> None:
        self.note(f"started {os.getpid()}")
        if self.options.keep:
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            with open(self.options.keep, "w") as file:
                file.write(str(child.pid))
        rest = b""
        while data := os.read(0, 1 << 16):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.take(json.loads(line))

    def take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method == "tools/call":
            self.call(message)
        elif "id" in message and method is not None:
            if method != "tools/list":
                self.note(method)
            self.ask(message, method)

    def ask(self, message: dict[str, Any], method: str) -> None:
        frame: dict[str, Any] = {"id": message["id"]}
        probe = self.options.probe
        if method == "server/discover" and probe:
            if probe == "exit":
                sys.stderr.write("thread 'main' panicked: unknown method\n")
                sys.stderr.flush()
                os._exit(101)
            if probe == "silent":
                return
            if probe == "spoilt":
                self.spoilt = True
            else:
                time.sleep(float(probe))
        if method == "server/discover" and self.options.modern:
            capabilities = {"tools": {"listChanged": True}}
            self.write(
                {**frame, "result": {**MODERN, "supportedVersions": ["2026-07-28"], "capabilities": capabilities}}
            )
        elif self.spoilt:
            self.write({**frame, "error": {"code": -32600, "message": "not initialized"}})
        elif method == "initialize" and not self.options.modern:
            info = {"name": "mortal", "version": "1"}
            capabilities = {"tools": {"listChanged": True}}
            version = message["params"]["protocolVersion"]
            self.write(
                {**frame, "result": {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}}
            )
        elif method == "tools/list":
            params: dict[str, Any] = message.get("params") or {}
            meta: dict[str, Any] = params.get("_meta") or {}
            if not self.options.modern and "io.modelcontextprotocol/protocolVersion" in meta:
                data = {"supported": ["2025-11-25"], "requested": "2026-07-28"}
                self.write({**frame, "error": {"code": -32022, "message": "unsupported version", "data": data}})
                return
            self.note("list")
            tools = [{"name": name, "inputSchema": OBJECT} for name in ("act", "pid")]
            self.write({**frame, "result": {**(MODERN if self.options.modern else {}), "tools": tools}})
            if self.options.changes:
                self.write({"method": "notifications/tools/list_changed"})
            if self.options.ping or self.options.lines:
                threading.Thread(target=self.flood, daemon=True).start()
                if self.options.ping:
                    time.sleep(60)
        else:
            self.write({**frame, "error": {"code": -32601, "message": f"no {method}"}})

    def flood(self) -> None:
        time.sleep(0.2)
        if self.options.lines:
            while True:
                os.write(1, b"x\n" * 30_000)
        for number in range(10**9):
            self.write({"id": f"{number:0{self.options.ping}}", "method": "ping"})

    def call(self, message: dict[str, Any]) -> None:
        params = message["params"]
        arguments: dict[str, Any] = params.get("arguments") or {}
        if params["name"] == "act":
            self.runs += 1
            self.note(f"act {arguments.get('n')}")
        if self.runs >= self.options.runs and not self.options.late:
            self.end()
        if self.options.answer:
            self.write(self.options.answer.replace("ID", json.dumps(message["id"])).replace("\\xff", "\udcff"))
        else:
            content = [{"type": "text", "text": f"{os.getpid()}"}]
            result = {**(MODERN if self.options.modern else {}), "content": content}
            self.write({"id": message["id"], "result": result})
        if self.runs >= self.options.runs and self.options.late:
            time.sleep(self.options.late)
            self.end()

    def end(self) -> None:
        if self.options.end == "exit":
            os._exit(1)
        os.close(0 if self.options.end == "deaf" else 1)
        time.sleep(60)


if __name__ == "__main__":
    main()
