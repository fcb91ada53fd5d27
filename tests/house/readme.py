"""The code blocks of the README, as its tests read them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


def type_errors(python: str | Path, folder: Path, seconds: int) -> str:
    """Write every program of the README into a folder, and return what pyright and mypy, both strict, say of them.

    Args:
        python: The interpreter whose packages they are checked against.
        folder: An empty folder, away from the tree.
        seconds: Limit of each checker.
    """
    programs = [block for block in blocks() if block.language == "python"]
    names = [f"readme_line_{block.line}.py" for block in programs]
    for name, block in zip(names, programs, strict=True):
        (folder / name).write_text(block.code, "utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}), "utf-8")
    checkers = (
        ["pyright", "--pythonpath", str(python), *names],
        ["mypy", "--strict", "--python-executable", str(python), *names],
    )
    told = ""
    for checker in checkers:
        done = subprocess.run(
            [sys.executable, "-m", *checker], cwd=folder, capture_output=True, text=True, timeout=seconds
        )
        told += done.stdout + done.stderr if done.returncode else ""
    return told
