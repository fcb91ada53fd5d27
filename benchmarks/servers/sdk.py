"""A server on the mcp SDK 2.x, as its users write them.

sdk.py [--http PORT] [--name NAME] [--log FILE]
"""

import argparse
import asyncio
import json
import os
import time
from pathlib import Path
from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult, ImageContent
from pydantic import Field
from thin import IMAGE, TEXT

parser = argparse.ArgumentParser()
parser.add_argument("--http", type=int)
parser.add_argument("--name", default="sdk")
parser.add_argument("--log")
given = parser.parse_args()
server = MCPServer(given.name, log_level="ERROR")


def event(method: str) -> None:
    if given.log:
        with Path(given.log).open("a") as log:
            log.write(json.dumps({"at": time.time(), "pid": os.getpid(), "method": method}) + "\n")


@server.tool(structured_output=False)
async def echo(text: Annotated[str, Field(description="What to return.")]) -> str:
    """Return the text."""
    return text


@server.tool()
async def typed(text: Annotated[str, Field(description="What to return.")]) -> str:
    """Return the text as a structured value too, under an output schema."""
    return text


@server.tool(structured_output=False)
async def sleep(ms: int = 50) -> str:
    """Wait, then answer."""
    await asyncio.sleep(ms / 1000)
    return "ok"


@server.tool(structured_output=False)
async def hang() -> str:
    """Never answer."""
    event("hang")
    try:
        await asyncio.Event().wait()
    finally:
        event("cancelled")
    return "never"


@server.tool(structured_output=False)
async def big_text() -> str:
    """Return 1 MiB of text."""
    return TEXT


@server.tool(structured_output=False)
async def image() -> CallToolResult:
    """Return a picture of 1 MB."""
    return CallToolResult(content=[ImageContent(type="image", data=IMAGE, mime_type="image/png")])


def search(query: str, limit: int = 10, sort: str = "date") -> str:
    """Search the items of a collection and return those that match the query, newest first."""
    return query


for index in range(4):
    server.add_tool(search, name=f"search_items_{index}")

if __name__ == "__main__":
    event("start")
    if given.http:
        server.run("streamable-http", host="127.0.0.1", port=given.http)
    else:
        server.run("stdio")
