"""What it costs to import each library, in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from resource import struct_rusage
from typing import Final

from benchmarks.environments import CACHE, python
from benchmarks.fleet import Samples, shuffled
from benchmarks.roster import ADAPTERS, AGENTS, CONTENDERS, LANGCHAIN_MCP, LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

OPENING: Final = "; import toolgraft.connection.connection, toolgraft.toolbox.connections"


def rows(scope: Scope) -> Iterator[Row]:
    bare = {"toolgraft": ("own", "import toolgraft"), RAW: ("own", CONTENDERS[RAW].imports)}
    peers = {
        name: (CONTENDERS[name].environment, CONTENDERS[name].imports) for name in (AGENTS, LANGCHAIN_MCP, ADAPTERS)
    }
    samples, memory = _measured({**bare, **peers}, scope.rounds)
    yield Row("import, CPU", samples, {"toolgraft": 0.05}, base=None, unit="s")
    yield Row("import, memory", memory, {"toolgraft": 20}, base=None, judged="wall", unit="MB")
    floors = {
        LC: ("langchain_core.tools + mcp", "import mcp; from langchain_core.tools import BaseTool"),
        OA: ("agents + mcp", "import agents, mcp"),
    }
    for name, (floor, imports) in floors.items():
        both = {floor: ("own", imports), name: ("own", CONTENDERS[name].imports + OPENING)}
        samples, _ = _measured(both, scope.rounds)
        yield Row("all imports of a first use", samples, {name: 1.02}, base=floor, unit="s")


def _measured(programs: Mapping[str, tuple[str, str]], rounds: int) -> tuple[Samples, Samples]:
    samples, memory = Samples(), Samples()
    for number in range(rounds + 1):
        for name in shuffled(list(programs)):
            environment, program = programs[name]
            wall, usage = _run(python(environment), program)
            if number:
                samples.add(name, {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime})
                memory.add(name, {"wall": float(usage.ru_maxrss), "cpu": 0.0})
    return samples, memory


def _run(interpreter: str, program: str) -> tuple[float, struct_rusage]:
    started = time.perf_counter()
    cached = {**os.environ, "PYTHONPYCACHEPREFIX": str(CACHE / "bytecode")}  # as an installed package has it
    cached.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [interpreter, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=cached
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{program!r} ended with {process.returncode}")
    return time.perf_counter() - started, usage
