"""`toolgraft check`: in which form each tool's schema can be given to a model, and why not in a stricter one.

With `--model`, it is what that model's provider would be given.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from toolgraft.cli.exits import ExitCode
from toolgraft.cli.flagged import flags_in, flags_of_description, look_alikes_flagged
from toolgraft.cli.judged import (
    CHARACTERS_A_TOKEN,
    VERDICTS,
    VERDICTS_OF_A_MODEL,
    Candidate,
    Checked,
    judged,
    judged_for,
)
from toolgraft.cli.opening import opened
from toolgraft.cli.sources import HttpOption, ServerOption, Sources, StdioOption, TrustOption, VerboseOption
from toolgraft.cli.terminal import complain, show_logs
from toolgraft.cli.visible import one_line
from toolgraft.dialects import Dialect, dialect_named
from toolgraft.errors import ConfigError
from toolgraft.spec import ToolSpec

LoadTools = Callable[[], Iterable[Candidate]]
"""Gives the tools of live servers."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(_check)


def check(target: str | None, json_output: bool, load_tools: LoadTools, dialect: Dialect | None = None) -> int:
    """Check tools and print what comes of each.

    Args:
        target: A folder of tool lists, a file with one, or None for what `load_tools` gives. A file that is no
            tool list is left to `load_tools`, too.
        json_output: One JSON object a line instead of text.
        load_tools: Gives the tools of live servers.
        dialect: What the provider of the model in question takes; None for no model in particular.

    Returns:
        The exit code: failed where a tool is refused.

    Raises:
        ConfigError: The target cannot be read, or has no tools.
    """
    found = from_path(Path(target)) if target is not None else None
    candidates = list(load_tools() if found is None else found)
    results = map(judged, candidates) if dialect is None else judged_for(candidates, dialect)
    if json_output:
        return _print_lines(results)
    return _print_text(results, VERDICTS if dialect is None else VERDICTS_OF_A_MODEL)


def from_path(path: Path) -> list[Candidate] | None:
    """Read the tool lists in a file, or in all JSON files of a folder; None for a file of another kind.

    Raises:
        ConfigError: It cannot be read, or the folder has no tool list.
    """
    if path.is_dir():
        lists = [_tool_list(each) for each in sorted(path.glob("*.json"))]
        if not any(found is not None for found in lists):
            raise ConfigError("no tool list in this folder", where=str(path))
        return [candidate for found in lists if found is not None for candidate in found]
    return _tool_list(path)


def _tool_list(path: Path) -> list[Candidate] | None:
    try:
        content: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(error.strerror or str(error), where=str(path)) from None
    except (ValueError, RecursionError):
        return None  # a config file may have comments
    server = path.stem
    if isinstance(content, dict):
        whole = cast(dict[str, Any], content)
        server, content = str(whole.get("server", server)), whole.get("tools")
    if not isinstance(content, list):
        return None
    return look_alikes_flagged([_candidate(server, i, tool) for i, tool in enumerate(cast(list[Any], content))])


def _candidate(server: str, index: int, tool: Any) -> Candidate:
    declared = cast(dict[str, Any], tool) if isinstance(tool, dict) else {}
    name = str(declared.get("name", f"#{index}"))
    return Candidate(server, name, declared.get("inputSchema"), flags=flags_in(declared, name))


def _print_lines(results: Iterable[Checked]) -> int:
    refused = False
    for each in results:
        refused = refused or each.verdict == "refused"
        told = {name: getattr(each, name) for name in ("server", "tool", "verdict", "pointer", "reason")}
        given = {} if each.model is None else {"name": each.name, "model": each.model}
        flags = [asdict(flag) for flag in each.flags]
        print(json.dumps({**told, **given, "flags": flags, "plain": each.plain, "strict": each.strict}))
    return ExitCode.FAILED if refused else ExitCode.OK


def _print_text(results: Iterable[Checked], verdicts: Mapping[str, str]) -> int:
    counts: Counter[str] = Counter()
    size = flagged = 0
    for each in results:
        counts[each.verdict] += 1
        size += each.size
        name = one_line(f"{each.server}.{each.tool}", 80)
        why = f"  {one_line(each.reason)} (at '{one_line(each.pointer or '/')}')" if each.reason else ""
        known_by = f"  as '{each.name}'" if each.name not in ("", each.tool) else ""
        print(f"{each.verdict:8} {name:50} {each.size:>8,} B {each.tokens:>7,} tokens{known_by}{why}")
        flagged += bool(each.flags)
        for flag in each.flags:
            print(f"{'flag':8} {name:50} {one_line(str(flag), 600)}")
    for line in _summary(counts, size, verdicts):
        print(line)
    if flagged:
        print(f"{'flagged':8} {flagged:>6,}  a person should look at them")
    return ExitCode.FAILED if counts["refused"] else ExitCode.OK


def _summary(counts: Counter[str], size: int, verdicts: Mapping[str, str]) -> Iterator[str]:
    total = counts.total()
    yield ""
    yield f"{total:,} tools, {size:,} bytes, about {-(-size // CHARACTERS_A_TOKEN):,} tokens"
    for verdict, meaning in verdicts.items():
        share = f"{100 * counts[verdict] / total:.1f} %" if total else ""
        yield f"{verdict:8} {counts[verdict]:>6,}  {share:>7}  {meaning}"


def _check(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CONFIG | FOLDER | FILE]",
            help="An mcp.json, whose servers are asked; a file with a tool list; or a folder of such files.",
            show_default=False,
        ),
    ] = None,
    *,
    server: ServerOption = None,
    stdio: StdioOption = None,
    http: HttpOption = None,
    trust_found: TrustOption = False,
    model: Annotated[
        str,
        typer.Option(metavar="NAME", help="A provider or a model (gemini, openai:gpt-5): show what it would be given."),
    ] = "",
    to_json: Annotated[bool, typer.Option("--json", help="Write one JSON object a line, and nothing else.")] = False,
    verbose: VerboseOption = False,
) -> None:
    """Tell for each tool which form of its schema a model can be given: strict or plain, and why.

    Flags what a person should look at: characters that nobody sees, names that look alike, descriptions from 8 KiB.

    Servers are taken from a config file or from the options, as for `toolgraft tools`.
    """
    show_logs(verbose)
    dialect = dialect_named(model) if model else None
    given = Sources(None, server or (), stdio or (), http or ()).given
    failed: list[str] = []

    def live() -> list[Candidate]:
        return asyncio.run(_listed(Sources(target, server or (), stdio or (), http or (), trust_found), failed))

    code = check(None if target is None or given else str(target), to_json, live, dialect)
    for message in failed:
        complain(message)
    raise typer.Exit(code or (ExitCode.FAILED if failed else ExitCode.OK))


async def _listed(sources: Sources, failed: list[str]) -> list[Candidate]:
    """Ask servers for their tools."""
    async with opened(sources.servers(), strict=False) as (toolbox, _):
        failed += [str(failure) for failure in toolbox.failures.values()]
        found = [_of(tool.spec) for tool in toolbox.tools]
        for refusal in (each for each in toolbox.refused if each.kind == "defect"):
            where = refusal.pointer
            with suppress(ValueError):
                where = where[where.index("/inputSchema") + len("/inputSchema") :]
            found.append(Candidate(refusal.ref.server, refusal.ref.tool, None, (where, refusal.reason)))
        return found


def _of(spec: ToolSpec) -> Candidate:
    flags = (*spec.flags, *flags_of_description(spec.description))
    return Candidate(spec.ref.server, spec.ref.tool, spec.input_schema, flags=flags)
