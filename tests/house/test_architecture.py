"""The plan of the house, held by reading the source: who may import whom, and how large a room may be."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

from tests.house.source import FOLDERS, ROOT, Import, Module, modules

# Imports run from right to left only. A new room is given its place here.
ORDER = (
    "errors",
    "host_loop",
    "spec",
    "filters",
    "config",
    "postgres",
    "result",
    "calls",
    "content",
    "shown",
    "schema",
    "dialects",
    "output_schema",
    "oauth",
    "connection",
    "context",
    "policies",
    "approval",
    "journal",
    "tools",
    "hookspecs",
    "plugins",
    "options",
    "toolbox",
    "adapter",
    "testing",
    "serve",
    "cli",
)
MCP_ROOMS = {"connection", "oauth", "testing", "serve"}
FRAMEWORKS = ("langchain", "langgraph", "langsmith", "openai", "agents", *(set(FOLDERS) - {"toolgraft"}))
NAMELESS = {"utils", "util", "helpers", "helper", "misc", "common", "base", "core", "manager"}


def _is_of(module: str, families: tuple[str, ...]) -> bool:
    top = module.partition(".")[0]
    return any(top == family or top.startswith(f"{family}_") for family in families)


def _wrong(offenders: list[tuple[Module, Import]]) -> str:
    return "\n".join(f"{module}:{each.line} imports {each.module}" for module, each in offenders)


def test_every_room_of_the_core_has_a_place_in_the_order() -> None:
    rooms = {module.room for module in modules("toolgraft")} - {"", "__main__"}
    assert rooms <= set(ORDER), f"give a place in ORDER to {sorted(rooms - set(ORDER))}"


def test_imports_of_the_core_run_one_way() -> None:
    place = {room: at for at, room in enumerate(ORDER)}
    offenders = [
        (module, each)
        for module in modules("toolgraft")
        if module.room in place
        for each in module.imports
        if each.module.startswith("toolgraft.") and not each.typing_only
        if each.module != "toolgraft.__version__"
        if place.get(each.module.split(".")[1], len(ORDER)) > place[module.room]
    ]
    assert not offenders, _wrong(offenders)


# The same within rooms that are folders of folders.
WITHIN = {
    "config": (
        "redact",
        "takes",
        "misplaced",
        "keywords",
        "wellformed",
        "list_limits",
        "options",
        "token_store",
        "database",
        "oauth",
        "service",
        "objects",
        "approval",
        "server",
        "servers",
        "documents",
    ),
    "schema": (
        "language",
        "validation",
        "read",
        "plain",
        "decode",
        "strict",
        "full",
        "build",
        "aliases",
        "labels",
        "arguments",
        "description",
        "converted",
    ),
    "oauth": ("values", "challenge", "wire", "store", "grants", "flights", "renewal", "account", "signing", "standing"),
    "connection": ("events", "loops", "wire", "listing", "session", "calls", "preload", "unpickled", "connection"),
}


@pytest.mark.parametrize("room", WITHIN)
def test_imports_within_a_room_of_folders_run_one_way(room: str) -> None:
    place = {inner: at for at, inner in enumerate(WITHIN[room])}
    inside = [(module, module.name.split(".")[2]) for module in modules("toolgraft") if _is_in(module.name, room)]
    assert {inner for _, inner in inside} <= set(WITHIN[room])
    offenders = [
        (module, each)
        for module, inner in inside
        for each in module.imports
        if _is_in(each.module, room) and not each.typing_only and place[each.module.split(".")[2]] > place[inner]
    ]
    assert not offenders, _wrong(offenders)


def test_no_transport_asks_for_another_kind_of_server() -> None:
    at = "toolgraft.connection.wire."
    asks = {
        module.name.removeprefix(at)
        for module in modules("toolgraft")
        if module.name.startswith(at)
        for each in module.imports
        if each.module.startswith(f"{at}kinds") and not each.typing_only
    }
    assert not asks


def test_nothing_is_imported_in_a_circle_even_for_types() -> None:
    edges = {module.name: {each.module for each in module.imports} for module in modules("toolgraft")}
    files = {name for name in edges if f"{name}." not in "".join(f"{other} " for other in edges)}
    ahead = {name: edges[name] & files - {name} for name in files}
    while free := {name for name, wanted in ahead.items() if not wanted}:
        ahead = {name: wanted - free for name, wanted in ahead.items() if name not in free}
    assert not ahead, sorted(ahead)


def test_no_folder_holds_more_than_two_dozen_files() -> None:
    sizes = {folder: len(list(folder.glob("*.py"))) for folder in {module.path.parent for module in modules()}}
    assert not {str(folder): size for folder, size in sizes.items() if size > 24}


def _is_in(name: str, room: str) -> bool:
    return name.startswith(f"toolgraft.{room}.") and len(name.split(".")) > 2


def test_the_core_never_imports_a_framework() -> None:
    offenders = [
        (module, each) for module in modules("toolgraft") for each in module.imports if _is_of(each.module, FRAMEWORKS)
    ]
    assert not offenders, _wrong(offenders)


def test_an_adapter_never_imports_another() -> None:
    adapters = set(FOLDERS) - {"toolgraft"}
    offenders = [
        (module, each)
        for module in modules(*adapters)
        for each in module.imports
        if each.module.partition(".")[0] in adapters - {module.package}
    ]
    assert not offenders, _wrong(offenders)


def test_only_the_rooms_at_the_wire_import_the_mcp_sdk() -> None:
    offenders = [
        (module, each)
        for module in modules()
        if module.package != "toolgraft" or module.room not in MCP_ROOMS
        for each in module.imports
        if _is_of(each.module, ("mcp",)) and not each.typing_only
    ]
    assert not offenders, _wrong(offenders)


def test_the_langchain_adapter_needs_langchain_core_only() -> None:
    """Classes of middleware stand in a folder of their own, which nothing else imports at the top."""
    needing = "toolgraft_langchain.middleware"
    offenders = [
        (module, each)
        for module in modules("toolgraft_langchain")
        if not module.name.startswith(needing)
        for each in module.imports
        if each.at_top and not each.typing_only
        if each.module.partition(".")[0] in ("langchain", "langgraph") or each.module.startswith(needing)
    ]
    assert not offenders, _wrong(offenders)


def _declared() -> set[str]:
    """The distributions that pyproject.toml names, those that the mcp SDK needs, and pydantic's own core."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *(each for extra in set(extras) - {"dev"} for each in extras[extra])]
    return {_canonical(each) for each in (*named, *(requires("mcp") or ()), "pydantic-core")}


def _canonical(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", name.group() if name else requirement).lower()


def test_whatever_is_imported_is_declared() -> None:
    declared, installed = _declared(), packages_distributions()

    def known(top: str) -> bool:
        owners = {_canonical(name) for name in installed.get(top, ())}
        return top in sys.stdlib_module_names or top in FOLDERS or bool(owners & declared)

    offenders = [
        (module, each) for module in modules() for each in module.imports if not known(each.module.partition(".")[0])
    ]
    assert not offenders, _wrong(offenders)


def test_no_room_is_larger_than_400_lines() -> None:
    sizes = {str(module): len(module.path.read_text("utf-8").splitlines()) for module in modules()}
    assert not {path: size for path, size in sizes.items() if size > 400}


def test_no_function_is_longer_than_60_lines() -> None:
    def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        return (function.end_lineno or 0) - function.lineno + 1

    long = {
        f"{module}:{function.lineno} {function.name}": length(function)
        for module in modules()
        for function in module.functions
        if length(function) > 60
    }
    assert not long


def test_no_room_has_a_name_that_says_nothing() -> None:
    assert not [str(module) for module in modules() if module.path.stem.strip("_") in NAMELESS]


def test_every_room_says_what_it_is_for() -> None:
    assert not [str(module) for module in modules() if not ast.get_docstring(module.tree)]


def test_every_test_folder_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert not [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import mcp", ("mcp", False, True)),
        ("from toolgraft import errors", ("toolgraft.errors", False, True)),
        ("from toolgraft.errors import CallError", ("toolgraft.errors", False, True)),
        ("if TYPE_CHECKING:\n    import mcp", ("mcp", True, True)),
        ("if TYPE_CHECKING:\n    pass\nelse:\n    import mcp", ("mcp", False, True)),
        ("def f():\n    import mcp", ("mcp", False, False)),
        ("try:\n    import mcp\nexcept ImportError:\n    pass", ("mcp", False, True)),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, expected: tuple[str, bool, bool], tmp_path: Path) -> None:
    path = tmp_path / "room.py"
    path.write_text(source)
    (only,) = Module(path, "toolgraft.room").imports
    assert (only.module, only.typing_only, only.at_top) == expected
