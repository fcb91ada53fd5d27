"""Which kinds of fault the docs list, and which ones tests are marked with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import FOLDERS, ROOT

PAGE = ROOT / "docs" / "faults.md"
NOT_BUILT = "Not built yet"
_ROW = re.compile(r"^\| *(?P<id>[A-Z]+\d+[a-z]?) *\| *(?P<seen>.*?) *\| *(?P<done>.*?) *\|$")


def rows(text: str) -> list[tuple[str, str, tuple[str, str]]]:
    """Return each row of a page of faults: its section, its id, and the two sentences."""
    found: list[tuple[str, str, tuple[str, str]]] = []
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif row := _ROW.match(line):
            found.append((section, row["id"], (row["seen"], row["done"])))
    return found


def marked(folders: tuple[Path, ...] = (ROOT / "tests", *FOLDERS.values())) -> dict[str, str]:
    """Return each id that a test is marked with, and a file that has it."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text("utf-8")
            if "faults" in text:
                found.update((each, path.name) for each in ids_in(ast.parse(text, str(path))))
    return found


def ids_in(tree: ast.AST) -> Iterator[str]:
    """Give the ids in `mark.faults("S1", ...)`, and in `faults=("S1", ...)` of a table of cases."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.faults"):
            given: list[ast.expr] = [each for each in node.args if not isinstance(each, ast.Starred)]
        elif isinstance(node, ast.keyword) and node.arg == "faults" and isinstance(node.value, ast.Tuple):
            given = node.value.elts
        else:
            continue
        for each in given:
            assert isinstance(each, ast.Constant), f"line {each.lineno}: the id of a fault is written out"
            yield str(each.value)
