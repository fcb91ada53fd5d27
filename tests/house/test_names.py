"""The public names: what `__all__` says is there, is all there is, and is documented."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from types import ModuleType

import pytest

from tests.house.source import FOLDERS, Module, modules

PUBLIC = (*FOLDERS, "toolgraft.config", "toolgraft.errors", "toolgraft.schema", "toolgraft.testing")
LIGHT = ("toolgraft", *(f"toolgraft.{room}" for room in ("calls", "config", "errors", "result", "spec", "toolbox")))
HEAVY = frozenset(
    {
        "agents",
        "anyio",
        "asyncio",
        "httpx",
        "httpx2",
        "jsonschema",
        "langchain",
        "langchain_core",
        "langgraph",
        "mcp",
        "mcp_types",
        "openai",
        "pydantic",
        "rich",
        "ssl",
        "starlette",
        "typer",
        "uvicorn",
    }
)


def _order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as the linter sorts them."""
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2), name


def _own(module: ModuleType) -> set[str]:
    """The names that are defined in a module or in the rooms of its package, and not hidden."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
        if f"{getattr(value, '__module__', '')}.".startswith(f"{module.__name__}.")
    }


def _lists_names(module: Module) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "__all__" for node in ast.walk(module.tree))


@pytest.mark.parametrize("name", [each.name for each in modules() if _lists_names(each)])
def test_listed_names_are_there_sorted_and_complete(name: str) -> None:
    module = importlib.import_module(name)
    listed: list[str] = list(module.__all__)
    assert listed == sorted(set(listed), key=_order)
    assert not [each for each in listed if not hasattr(module, each)]
    if hasattr(module, "__path__"):  # a package's names are its front; a module may take names for its own use
        assert not _own(module) - set(listed)


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "toolgraft.errors"])
def test_the_public_packages_have_public_names(name: str) -> None:
    assert importlib.import_module(name).__all__


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_class_and_function_is_documented(name: str) -> None:
    module = importlib.import_module(name)
    silent: list[str] = []
    for each in getattr(module, "__all__", _own(module)):
        value = getattr(module, each)
        if (inspect.isclass(value) or inspect.isfunction(value)) and not value.__doc__:
            silent.append(each)
    assert not silent


def test_every_error_is_drawn_in_the_tree() -> None:
    errors = importlib.import_module("toolgraft.errors")
    drawn = set(re.findall(r"\b[A-Z]\w+Error\b", errors.__doc__ or ""))
    defined = {name for name in _own(errors) if name.endswith("Error")}
    assert defined <= drawn
    assert all(issubclass(getattr(errors, name), errors.ToolgraftError) for name in defined)


@pytest.mark.parametrize("name", LIGHT)
def test_importing_a_light_room_loads_nothing_heavy(name: str) -> None:
    script = f"import sys, {name}; print(*sorted({{each.partition('.')[0] for each in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.faults("T33")
@pytest.mark.parametrize(
    ("package", "names"),
    [
        ("toolgraft", "Event Connected Lost Reconnected ListChanged Refused ListCut"),
        ("toolgraft_langchain", "chat_completions.pictures_middleware chat_completions.pictures_as_user_messages"),
        ("toolgraft_openai_agents", "chat_completions.PicturesAsUserItems"),
    ],
)
def test_names_are_there_without_another_import(package: str, names: str) -> None:
    script = f"import {package}\n" + "\n".join(f"{package}.{name}" for name in names.split())
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
