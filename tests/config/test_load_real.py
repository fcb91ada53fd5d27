"""What was read from a file, started for real."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from toolgraft.toolbox.graft import connect

SERVER = """
import os, sys

from mcp.server import MCPServer

server = MCPServer("told")


@server.tool()
def told() -> list[str]:
    return [os.environ["KEY"], os.environ["FROM_FILE"], os.getcwd(), *sys.argv[1:]]


server.run()
"""


@pytest.mark.anyio
async def test_a_file_s_values_reach_the_server_that_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLGRAFT_INPUT_KEY", "from input")
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "work").mkdir()
    (tmp_path / ".env").write_text("FROM_FILE=from file\n")
    entry = {
        "command": sys.executable,
        "args": ["${workspaceFolder}/server.py", "${NOT_SET:-by default}"],
        "env": {"KEY": "${input:key}"},
        "envFile": ".env",
        "cwd": "${workspaceFolder}/work",
    }
    config = {"inputs": [{"id": "key", "type": "promptString"}], "servers": {"it": entry, "off": {"disabled": True}}}
    path = tmp_path / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text("// mine\n" + json.dumps(config))
    async with connect(path) as box:
        assert not box.failures
        result = await box.call("it.told", {})
    assert result.structured == {"result": ["from input", "from file", str(tmp_path / "work"), "by default"]}
