"""Third-party distributions, really built and really installed, without the network."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest


class Site:
    """A folder that distributions are installed into, and programs that see them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packages = folder / "site"

    def install(self, name: str, modules: Mapping[str, str], entry_points: str) -> None:
        """Install a distribution made of modules and entry points."""
        stem = f"{name.replace('-', '_')}-1.0"
        wheel, info = self._folder / f"{stem}-py3-none-any.whl", f"{stem}.dist-info"
        files = {
            **{f"{module}.py": text for module, text in modules.items()},
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/entry_points.txt": entry_points,
        }
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
            archive.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"]))
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--no-config"]
        command = [*uv, "--python", sys.executable, "--target", str(self._packages), str(wheel)]
        subprocess.run(command, check=True, timeout=50, capture_output=True)

    def run(self, program: str) -> str:
        """Run a program in a fresh interpreter that sees what is installed; return what it prints."""
        script = self._folder / "program.py"
        script.write_text(program)
        path = os.pathsep.join([str(self._packages), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=55,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)
