"""The code blocks of the README, as its tests read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.house.source import ROOT

README = ROOT / "README.md"
_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```[ ]*$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        language: First word after the fence.
        line: Line of the fence, from 1.
        code: What stands in it. A block marked `python continued` has the program of the python block before it
            in front.
    """

    language: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"line{self.line}-{self.language}"


def blocks(text: str | None = None) -> list[Block]:
    return list(_blocks(README.read_text("utf-8") if text is None else text))


def _blocks(text: str) -> Iterator[Block]:
    program = ""
    for fence in _FENCE.finditer(text):
        language, *marks = fence["info"].split() or [""]
        code = re.sub(rf"^{fence['indent']}", "", fence["body"], flags=re.M)
        line = text.count("\n", 0, fence.start()) + 1
        if language == "python":
            program = code = f"{program}\n{code}" if "continued" in marks else code
        yield Block(language, line, code)


def commands(block: Block) -> str:
    """Return what a reader would type: a shell block whole, of a `console` block the lines after the prompt."""
    if block.language != "console":
        return block.code
    return "\n".join(line[2:] for line in block.code.splitlines() if line.startswith("$ "))


def pip_requirements(text: str | None = None) -> list[str]:
    """Return what of toolgraft the README has installed by `pip install`, in order, each once; a clone is `.`."""
    found = [
        word.strip("'\"")
        for block in blocks(text)
        if block.language in ("bash", "sh", "console")
        for line in commands(block).splitlines()
        for words in re.findall(r"\bpip install ([^&|;#\n]+)", line)
        for word in words.split()
        if re.match(r"['\"]?(toolgraft\b|\.(\[|['\"]?$))", word)
    ]
    return list(dict.fromkeys(found))
