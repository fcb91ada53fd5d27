"""Throw-away environments to install the project into."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SECONDS = 280


def uv(*arguments: str | Path, cwd: Path | None = None) -> str:
    """Run uv and return what it printed."""
    done = _run([sys.executable, "-m", "uv", *map(str, arguments)], cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def find_python(version: str) -> str | None:
    """Return the interpreter of a version, e.g. `3.12`, from the search path or from pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{version}")
    candidates = [*([on_path] if on_path else []), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
    return next((each for each in candidates if _run([each, "-c", ""], None).returncode == 0), None)


@dataclass(frozen=True)
class Environment:
    folder: Path

    @classmethod
    def make(cls, folder: Path, python: str = sys.executable) -> Environment:
        uv("venv", "--quiet", "--no-python-downloads", "--python", python, folder)
        return cls(folder)

    @property
    def scripts(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.scripts / "python"

    def install(self, *arguments: str | Path) -> None:
        """Install as pip does, and check that what is installed fits together."""
        uv("pip", "install", "--quiet", "--python", self.python, *arguments)
        uv("pip", "check", "--python", self.python)

    def has(self, distribution: str) -> bool:
        script = f"import importlib.metadata as m; m.version({distribution!r})"
        return _run([str(self.python), "-c", script], self.folder).returncode == 0

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a Python program away from the source tree."""
        return _run([str(self.python), "-c", script], self.folder)

    def command(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return _run([str(self.scripts / name), *arguments], self.folder)


def _run(command: list[str], cwd: Path | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
