"""The README is executed: every program runs, every command works, every file format parses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.readme import Block, blocks, commands, pip_requirements, type_errors

BLOCKS = blocks()
SECONDS = 110

# Installing is what the packaging tests and CI do; a shell block runs without these lines.
_SET_ASIDE = (
    "pip install",
    "python -m pip install",
    "uv add",
    "uv pip install",
    "git clone",
    "cd toolgraft",
    "scripts/",
)


def _of(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def _run(command: list[str], folder: Path) -> None:
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    environment = {**os.environ, "PATH": os.pathsep.join(folders), "COLUMNS": "120"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"


def without_installing(code: str) -> str:
    """Return the commands that a test runs; a line of several joined by && loses only those set aside."""
    lines: list[str] = []
    for line in code.splitlines():
        parts = [part for part in line.split("&&") if not part.strip().startswith(_SET_ASIDE)]
        lines.append("&&".join(parts))
    return "\n".join(lines)


@pytest.mark.timeout(SECONDS + 10)
@pytest.mark.parametrize("block", _of("python"), ids=str)
def test_every_program_of_the_readme_runs(block: Block, tmp_path: Path) -> None:
    program = tmp_path / f"readme_line_{block.line}.py"
    program.write_text(block.code, "utf-8")
    _run([sys.executable, str(program)], tmp_path)


@pytest.mark.faults("T32")
@pytest.mark.timeout(4 * SECONDS + 10)
def test_every_program_of_the_readme_is_typed_as_pyright_and_mypy_are_strict(tmp_path: Path) -> None:
    assert type_errors(sys.executable, tmp_path, 2 * SECONDS) == ""


@pytest.mark.timeout(SECONDS + 10)
@pytest.mark.parametrize("block", _of("bash", "sh", "console"), ids=str)
def test_every_command_of_the_readme_works(block: Block, tmp_path: Path) -> None:
    _run(["bash", "-euo", "pipefail", "-c", without_installing(commands(block))], tmp_path)


@pytest.mark.parametrize("block", _of("json", "jsonc", "toml"), ids=str)
def test_every_file_that_the_readme_shows_is_read(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if block.language == "toml":
        assert tomllib.loads(block.code)
        return
    for variable in re.findall(r"\$\{(?:env:)?(\w+)\}", block.code):
        monkeypatch.setenv(variable, "set")
    from toolgraft.config import load

    path = tmp_path / "mcp.json"
    path.write_text(block.code, "utf-8")
    assert load(path)


def test_every_block_says_what_it_is() -> None:
    known = {"python", "bash", "sh", "json", "jsonc", "toml", "text", "console"}
    assert [str(block) for block in BLOCKS if block.language not in known] == []


def test_the_readme_begins_with_code_and_an_install_line() -> None:
    assert pip_requirements(), "the README does not say how to install toolgraft"
    assert _of("python"), "the README shows no program"


def test_blocks_are_found_with_their_lines_and_programs() -> None:
    text = "# A\n\n```python\nx = 1\n```\n\n- b\n\n  ```python continued\n  y = x\n  ```\n\n```\nplain\n```\n"
    assert [(block.language, block.line, block.code) for block in blocks(text)] == [
        ("python", 3, "x = 1\n"),
        ("python", 9, "x = 1\n\ny = x\n"),
        ("", 13, "plain\n"),
    ]


def test_installing_is_set_aside_and_nothing_else() -> None:
    assert without_installing("pip install 'toolgraft[all]' && toolgraft demo") == " toolgraft demo"
    assert without_installing("scripts/test\ntoolgraft tools") == "\ntoolgraft tools"
    text = "```bash\npython -m pip install -q 'toolgraft[all]' rich && toolgraft demo\npip install toolgraft\n```\n"
    assert pip_requirements(text) == ["toolgraft[all]", "toolgraft"]
    assert pip_requirements("```console\n$ pip install '.[cli]'  # toolgraft\nSuccessfully installed\n```\n") == [
        ".[cli]"
    ]


def test_of_a_console_block_only_what_is_typed_is_run() -> None:
    assert commands(Block("console", 1, "$ echo a  # say a\na\n$ echo b\nb\n")) == "echo a  # say a\necho b"
