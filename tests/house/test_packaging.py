"""The project as people install it: wheel, source distribution, editable, and each extra on its own."""

from __future__ import annotations

import hashlib
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.environment import SECONDS, Environment, find_python, uv
from tests.house.readme import blocks, pip_requirements, type_errors
from tests.house.source import FOLDERS, ROOT, modules

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(SECONDS + 20)]

CALL_BY_LANGCHAIN = """
import asyncio, sys
from toolgraft.testing import demo_stdio
from toolgraft_langchain import graft

async def main():
    async with graft(demo_stdio()) as tools:
        add = next(tool for tool in tools if tool.name == "add")
        print(await add.ainvoke({"a": 2, "b": 3}))

asyncio.run(main())
"""
CALL_BY_OPENAI_AGENTS = """
import asyncio
from toolgraft.testing import demo_stdio
from toolgraft_openai_agents import graft
from toolgraft_openai_agents.scripted import run_scripted

async def main():
    async with graft(demo_stdio()) as tools:
        (step,) = await run_scripted(tools, [("add", {"a": 2, "b": 3})])
        print(step.text)

asyncio.run(main())
"""


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path

    def requirement(self, extras: str = "") -> str:
        return f"toolgraft{f'[{extras}]' if extras else ''} @ {self.wheel.as_uri()}"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--quiet", "--python", sys.executable, "--out-dir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Built(wheel, sdist)


def _contents(wheel: Path) -> Mapping[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/RECORD")]
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}


def test_the_wheel_of_the_source_distribution_is_the_wheel_of_the_tree(built: Built, tmp_path: Path) -> None:
    uv("build", "--quiet", "--python", sys.executable, "--wheel", "--out-dir", tmp_path, ROOT)
    (direct,) = tmp_path.glob("*.whl")
    assert _contents(built.wheel) == _contents(direct)


def test_the_wheel_holds_the_three_typed_packages_and_the_licence_only(built: Built) -> None:
    contents = set(_contents(built.wheel))
    assert {name.partition("/")[0] for name in contents if ".dist-info/" not in name} == set(FOLDERS)
    assert {f"{package}/py.typed" for package in FOLDERS} <= contents
    assert any(name.endswith("/licenses/LICENSE") for name in contents)
    paths = {name.removesuffix(".py").removesuffix("/__init__") for name in contents}
    assert {module.name.replace(".", "/") for module in modules()} <= paths


def test_the_source_distribution_holds_all_that_the_tests_need(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO", "tests/conftest.py", "scripts/test"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".cache", ".ci/", "dist"))]


def test_without_extras_the_core_works_and_the_adapters_say_what_to_install(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement())
    used = environment.run("import toolgraft, toolgraft.testing, toolgraft.connection; print(toolgraft.__version__)")
    assert used.returncode == 0, used.stderr
    for package, extra in (("toolgraft_langchain", "langchain"), ("toolgraft_openai_agents", "openai-agents")):
        missing = environment.run(f"import {package}")
        assert missing.stderr.splitlines()[-1].endswith(f"MissingExtraError: pip install 'toolgraft[{extra}]'")
        assert environment.run(f"try: import {package}\nexcept ImportError: pass").returncode == 0
    command = environment.command("toolgraft", "--help")
    assert command.returncode != 0
    assert "pip install 'toolgraft[cli]'" in command.stderr
    assert "Traceback" not in command.stderr


def test_langchain_core_is_enough_for_the_tools(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement(), "langchain-core")
    done = environment.run(CALL_BY_LANGCHAIN)
    assert done.returncode == 0, done.stderr
    assert "5" in done.stdout
    assert not [name for name in ("langchain", "langgraph", "openai-agents") if environment.has(name)]


@pytest.mark.faults("T32")
def test_the_langchain_extra_is_enough_for_an_agent_and_brings_no_other_framework(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement("langchain"))
    assert not environment.has("openai-agents")
    programs = [block for block in blocks() if "from langchain.agents import" in block.code]
    assert programs
    for block in programs:
        done = environment.run(block.code)
        assert done.returncode == 0, done.stderr


@pytest.mark.faults("T32")
@pytest.mark.timeout(3 * SECONDS)
def test_every_program_of_the_readme_is_typed_where_only_the_wheel_is_installed(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement("all"))
    programs = tmp_path / "programs"
    programs.mkdir()
    assert type_errors(environment.python, programs, SECONDS) == ""


def test_the_openai_agents_extra_is_enough_for_its_adapter_and_brings_no_more(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement("openai-agents"))
    done = environment.run(CALL_BY_OPENAI_AGENTS)
    assert done.returncode == 0, done.stderr
    assert "5" in done.stdout
    assert not [name for name in ("langchain", "langchain-core", "langgraph") if environment.has(name)]


def test_the_cli_extra_is_enough_for_the_commands(built: Built, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement("cli"))
    done = environment.command("toolgraft", "--help")
    assert done.returncode == 0, done.stderr
    assert "demo" in done.stdout


@pytest.mark.parametrize("requirement", pip_requirements() or ["toolgraft[all]"])
def test_what_the_readme_installs_runs_the_demo(requirement: str, built: Built, tmp_path: Path) -> None:
    extras = requirement.partition("[")[2].rstrip("]")
    environment = Environment.make(tmp_path / "venv")
    environment.install(built.requirement(extras))
    done = environment.command("toolgraft", "demo")
    if "all" in extras:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert "pip install" in done.stderr


def test_an_editable_install_uses_the_tree(tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "venv")
    environment.install("--editable", f"{ROOT}[langchain]")
    done = environment.run("import toolgraft, toolgraft_langchain as l; print(toolgraft.__file__); print(l.__file__)")
    assert done.returncode == 0, done.stderr
    assert all(Path(line).is_relative_to(ROOT) for line in done.stdout.split())
    assert environment.run(CALL_BY_LANGCHAIN).returncode == 0


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_it_works_on_every_python_of_this_machine(version: str, built: Built, tmp_path: Path) -> None:
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        pytest.skip(f"the other tests run on Python {version}")
    python = find_python(version)
    if python is None:
        pytest.skip(f"this machine has no Python {version}")
    environment = Environment.make(tmp_path / "venv", python)
    environment.install(built.requirement("all"))
    for script in (CALL_BY_LANGCHAIN, CALL_BY_OPENAI_AGENTS):
        done = environment.run(script)
        assert done.returncode == 0, done.stderr
        assert "5" in done.stdout
