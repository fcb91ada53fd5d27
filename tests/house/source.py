"""The project's own source, as the tests of the house read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "toolgraft": ROOT / "core",
    "toolgraft_langchain": ROOT / "integrations" / "langchain",
    "toolgraft_openai_agents": ROOT / "integrations" / "openai_agents",
}


@dataclass(frozen=True)
class Import:
    """One imported module, by its full dotted name."""

    module: str
    line: int
    typing_only: bool
    at_top: bool


@dataclass(frozen=True)
class Module:
    path: Path
    name: str

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]

    @property
    def room(self) -> str:
        """Its file or folder right under the package; empty for the package itself."""
        return ".".join(self.name.split(".")[1:2])

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text("utf-8"), str(self.path))

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(_imports(self.tree, typing_only=False, at_top=True))

    @property
    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))


@cache
def modules(*packages: str) -> tuple[Module, ...]:
    """Return the modules of some of the packages, of all when none is named."""
    found: list[Module] = []
    for package in packages or FOLDERS:
        folder = FOLDERS[package]
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found.append(Module(path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)))
    return tuple(found)


def _imports(node: ast.AST, *, typing_only: bool, at_top: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, typing_only, at_top) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: relative import"
            base = child.module or ""
            inside = _is_package(base)
            names = (f"{base}.{alias.name}" if inside else base for alias in child.names)
            yield from (Import(name, child.lineno, typing_only, at_top) for name in names)
        elif isinstance(child, ast.If) and ast.unparse(child.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for each in child.body:
                yield from _imports(ast.Module([each], []), typing_only=True, at_top=at_top)
            for each in child.orelse:
                yield from _imports(ast.Module([each], []), typing_only=typing_only, at_top=at_top)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imports(child, typing_only=typing_only, at_top=at_top and not function)


def _is_package(name: str) -> bool:
    """Whether it is one of our top packages, so that `from toolgraft import errors` names a room."""
    return name in FOLDERS
