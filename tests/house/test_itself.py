"""The project speaks of itself: nothing in it knows of the machine that it was written on."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.house.source import ROOT

# Written in pieces, so that this file does not find itself.
FOREIGN = re.compile(
    "|".join(
        (
            *(rf"(?<![\w.])/{folder}/" for folder in ("opt", "work", "root")),
            r"(?<![\w.])/home/(?!me\b|user\b)\w",
            r"/Users/(?!me\b)\w",
            "py" + r"pi\.org",
            "python" + r"hosted\.org",
            "registry" + r"\.npm",
        )
    )
)


def _tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone: no list of tracked files")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=50)
    return [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_machine_path_or_a_registry() -> None:
    found: list[str] = []
    for name in _tracked():
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        found += [
            f"{name}:{number}: {line.strip()[:100]}"
            for number, line in enumerate(text.splitlines(), 1)
            if FOREIGN.search(line)
        ]
    assert not found, "\n".join(found)


def test_nothing_generated_is_tracked() -> None:
    generated = re.compile(r"(^|/)(__pycache__|node_modules|dist|build|\.venv|\.cache)/|\.(pyc|whl|egg-info)$")
    assert not [name for name in _tracked() if generated.search(name)]


@pytest.mark.parametrize(
    "parts", [("/op", "t/x"), ("cd /wor", "k/main"), ("/hom", "e/ada/x"), ("https://pyp", "i.org/simple")]
)
def test_such_a_line_is_found(parts: tuple[str, str]) -> None:
    assert FOREIGN.search("".join(parts))


@pytest.mark.parametrize("line", ["see docs/opt/x", "framework/tools", "/home/me/project", "C:/Users/me", "a/work/b"])
def test_an_innocent_line_is_not(line: str) -> None:
    assert not FOREIGN.search(line)
