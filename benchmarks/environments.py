"""The environments of the contenders: our own, and one a library that cannot live in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CACHE: Final = Path(os.environ.get("CI_CACHE") or ROOT / ".cache") / "bench"

PEERS: Final = {
    "langchain-mcp": ("langchain[mcp]==1.5.2", "fastmcp==4.2.3", "mcp==2.3.0"),
    "mcp-adapters": ("langchain-mcp-adapters==0.3.2", "langchain==1.5.2", "mcp==1.30.0"),
}


def python(environment: str) -> str:
    """The interpreter of an environment; `own` is the one that runs now."""
    return sys.executable if environment == "own" else str(CACHE / environment / "bin" / "python")


def set_up() -> None:
    """Make the environments that are missing or were made for other versions. Needs uv, a dev dependency."""
    for name, wanted in PEERS.items():
        made = CACHE / name / "installed"
        if made.exists() and made.read_text() == "\n".join(wanted):
            continue
        print(f"installing {' '.join(wanted)}", file=sys.stderr)
        shutil.rmtree(CACHE / name, ignore_errors=True)
        uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}") or "uv"
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(CACHE / name)], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python(name), *wanted], check=True)
        made.write_text("\n".join(wanted))
