"""The same on the mcp SDK 1.x, which answers over HTTP with event streams: what most servers in the wild are.

old.py [--http PORT]
"""

import argparse
import asyncio
import importlib

from thin import IMAGE, TEXT

parser = argparse.ArgumentParser()
parser.add_argument("--http", type=int)
parser.add_argument("--log")
given = parser.parse_args()
types = importlib.import_module("mcp.types")  # names that mcp 2 no longer has
fastmcp = importlib.import_module("mcp.server.fastmcp")
server = fastmcp.FastMCP("old", host="127.0.0.1", port=given.http or 0, log_level="ERROR")


async def echo(text: str) -> str:
    """Return the text."""
    return text


async def sleep(ms: int = 50) -> str:
    """Wait, then answer."""
    await asyncio.sleep(ms / 1000)
    return "ok"


async def big_text() -> str:
    """Return 1 MiB of text."""
    return TEXT


async def image():  # type: ignore[no-untyped-def]
    """Return a picture of 1 MB."""
    return types.CallToolResult(content=[types.ImageContent(type="image", data=IMAGE, mimeType="image/png")])


image.__annotations__["return"] = types.CallToolResult  # known only at run time
for function in (echo, sleep, big_text, image):
    server.tool(structured_output=False)(function)

if __name__ == "__main__":
    server.run("streamable-http" if given.http else "stdio")
