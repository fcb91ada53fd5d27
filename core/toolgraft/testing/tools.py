"""The demo server's tools: definitions and answers as they stand on the wire, without the SDK."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

COLORS: Mapping[str, tuple[int, int, int]] = {"red": (214, 40, 57), "green": (46, 160, 67), "blue": (9, 105, 218)}
REPORT_URI = "demo://report/2026"
REPORT = "# Report\n\nAll is well — 12 °C in Zürich.\n"

_LOOKS = {"readOnlyHint": True, "openWorldHint": False}
_ODD_NAMES = ("args", "callbacks", "class", "config", "kwargs", "run_manager", "self", "tool_call_id", "tool_input")


def _object(properties: Json, *required: str) -> Json:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


DEMO_TOOLS: tuple[Json, ...] = (
    {
        "name": "add",
        "title": "Add two numbers",
        "description": "Add two numbers.",
        "inputSchema": _object({"a": {"type": "number"}, "b": {"type": "number"}}, "a", "b"),
        "outputSchema": _object({"sum": {"type": "number"}}, "sum"),
        "annotations": {**_LOOKS, "idempotentHint": True},
    },
    {
        "name": "greet",
        "description": "Greet a person. The greeting may be left out.",
        "inputSchema": _object(
            {
                "name": {"type": "string", "description": "Who to greet."},
                "greeting": {"type": "string", "default": "Hello", "description": "The word to greet with."},
            },
            "name",
        ),
        "annotations": _LOOKS,
    },
    {
        "name": "picture",
        "title": "Draw a picture",
        "description": "Draw a square of one color as a PNG picture.",
        "inputSchema": _object(
            {
                "color": {"type": "string", "enum": sorted(COLORS)},
                "size": {"type": "integer", "minimum": 1, "maximum": 512, "default": 16},
            },
            "color",
        ),
        "annotations": _LOOKS,
    },
    {
        "name": "weather",
        "description": "Tell the weather of a city.",
        "inputSchema": _object({"city": {"type": "string"}}, "city"),
        "outputSchema": _object(
            {
                "city": {"type": "string"},
                "celsius": {"type": "number"},
                "wind": _object({"from": {"type": "string"}, "knots": {"type": "number"}}, "from", "knots"),
                "warning": {"type": ["string", "null"]},
            },
            "city",
            "celsius",
            "wind",
            "warning",
        ),
        "annotations": {"title": "Weather", "readOnlyHint": True},
    },
    {
        "name": "report",
        "description": "Give a report as text, an embedded file and a link to the whole.",
        "inputSchema": {"type": "object"},
        "annotations": _LOOKS,
    },
    {
        "name": "sound",
        "description": "Play a short beep.",
        "inputSchema": _object({}),
        "annotations": _LOOKS,
    },
    {
        "name": "echo",
        "description": "Return exactly the arguments that arrived, under any name.",
        "inputSchema": {"type": "object", "properties": {name: {"type": "string"} for name in _ODD_NAMES}},
        "annotations": _LOOKS,
    },
    {
        "name": "fail",
        "description": "Fail for the reason given.",
        "inputSchema": _object({"reason": {"type": "string"}}, "reason"),
        "annotations": _LOOKS,
    },
    {
        "name": "slow",
        "description": "Wait some seconds, with progress on the way.",
        "inputSchema": _object({"seconds": {"type": "number", "minimum": 0, "maximum": 600}}, "seconds"),
        "annotations": _LOOKS,
    },
    {
        "name": "notes.delete",
        "title": "Delete a note",
        "description": "Delete a note for good.",
        "inputSchema": _object({"id": {"type": "integer"}}, "id"),
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
    },
    {
        "name": "refresh_view",
        "description": "For the server's own app; not a tool for the model.",
        "inputSchema": _object({}),
        "_meta": {"ui": {"resourceUri": "ui://demo/view", "visibility": ["app"]}},
    },
)
"""The tools as `tools/list` gives them (MCP: Tool)."""


def text(*lines: str) -> Json:
    """Return a result with one text block a line."""
    return {"content": [{"type": "text", "text": line} for line in lines]}


def structured(value: Json) -> Json:
    """Return a result with a structured value and, as the spec asks, the same as text."""
    return {**text(json.dumps(value, ensure_ascii=False)), "structuredContent": value}


def error(message: str, **details: Any) -> Json:
    """Return a result that says the tool failed."""
    return {**text(message), "structuredContent": {"error": message, **details}, "isError": True}


def png(rgb: tuple[int, int, int], size: int) -> bytes:
    """Return a square PNG picture of one color (ISO/IEC 15948)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(rgb) * size) * size
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def wav(samples: int = 80) -> bytes:
    """Return a beep: a square wave of 8-bit samples at 8 kHz (RIFF WAVE)."""
    data = bytes(160 if at // 4 % 2 else 96 for at in range(samples))
    head = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + samples, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    return head + struct.pack("<4sI", b"data", samples) + data


def _picture(arguments: Json) -> Json:
    color, size = arguments["color"], int(arguments.get("size", 16))
    if color not in COLORS or not 1 <= size <= 512:
        return error(f"no such picture: color {color!r}, size {size}")
    data = base64.b64encode(png(COLORS[color], size)).decode()
    picture = {"type": "image", "mimeType": "image/png", "data": data}
    return {"content": [*text(f"A {color} square of {size} by {size} pixels.")["content"], picture]}


def _weather(arguments: Json) -> Json:
    city = str(arguments["city"])
    wind = {"from": "west", "knots": 7}
    return structured({"city": city, "celsius": 5 + len(city), "wind": wind, "warning": None})


def _report(_: Json) -> Json:
    embedded = {"uri": f"{REPORT_URI}/summary.md", "mimeType": "text/markdown", "text": REPORT}
    link = {"uri": REPORT_URI, "name": "report.md", "title": "The whole report", "mimeType": "text/markdown"}
    blocks = [{"type": "resource", "resource": embedded}, {"type": "resource_link", **link}]
    return {"content": [*text("Here is the report.")["content"], *blocks]}


def _sound(_: Json) -> Json:
    data = base64.b64encode(wav()).decode()
    return {"content": [{"type": "audio", "mimeType": "audio/wav", "data": data}]}


ANSWERS: Mapping[str, Callable[[Json], Json]] = {
    "add": lambda arguments: structured({"sum": arguments["a"] + arguments["b"]}),
    "greet": lambda arguments: text(f"{arguments.get('greeting', 'Hello')}, {arguments['name']}!"),
    "picture": _picture,
    "weather": _weather,
    "report": _report,
    "sound": _sound,
    "echo": lambda arguments: structured({"arguments": arguments}),
    "fail": lambda arguments: error(str(arguments["reason"]), code="DEMO"),
    "notes.delete": lambda arguments: text(f"Note {arguments['id']} is deleted."),
    "refresh_view": lambda _: text("refreshed"),
}
"""What each tool answers, but for `slow`, which waits."""


def answer(tool: str, arguments: Json) -> Json:
    """Return the wire result of a call; what is wrong with the arguments is an error result, as the spec asks."""
    definition = next(each for each in DEMO_TOOLS if each["name"] == tool)
    schema: Json = definition["inputSchema"]
    missing = [name for name in schema.get("required", ()) if name not in arguments]
    unknown = sorted(set(arguments) - set(schema["properties"])) if schema.get("additionalProperties") is False else []
    if missing or unknown:
        return error(f"invalid arguments: missing {missing}, unknown {unknown}")
    try:
        return ANSWERS[tool](arguments)
    except (TypeError, ValueError) as wrong:
        return error(f"invalid arguments: {wrong}")
