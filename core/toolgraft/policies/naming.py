"""Public names: legal for every provider, one name for one tool, the same on every start."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from toolgraft.config import Server
from toolgraft.spec import ToolRef, ToolSpec

LEGAL: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
LONGEST: Final = 64


def named(
    specs: Sequence[ToolSpec],
    servers: Mapping[str, Server],
    taken: Collection[str] = (),
    legal: re.Pattern[str] = LEGAL,
) -> list[ToolSpec]:
    """Give every tool its public name.

    A tool keeps its own (or prefixed) name where that is legal and nobody else wishes for it. Otherwise it is made
    legal, then qualified by its server, and gets a hash of its identity where that is still not its own, or where
    letters of another script were lost on the way. The names depend on the set of tools alone, not on their order.

    Args:
        specs: The tools of all servers.
        servers: The declarations, by name.
        taken: Names that other tools of the agent have.
        legal: What a name may be, within `LEGAL`; some providers take no digit at the beginning.
    """
    candidates = {spec.ref: _candidates(spec.ref, servers[spec.ref.server], legal) for spec in specs}
    names: dict[ToolRef, str] = {}
    used = set(taken)
    for turn in range(3):
        wanted = {ref: name for ref, each in candidates.items() if ref not in names and (name := each[turn])}
        times = Counter(wanted.values())
        settled = {ref: name for ref, name in wanted.items() if times[name] == 1 and name not in used}
        names.update(settled)
        used.update(settled.values())
    for ref in sorted(candidates.keys() - names.keys(), key=str):
        names[ref] = _hashed(_begun(_written(_wish(ref, servers[ref.server])), legal), ref, used)
        used.add(names[ref])
    return [spec if spec.name == names[spec.ref] else replace(spec, name=names[spec.ref]) for spec in specs]


def _wish(ref: ToolRef, server: Server) -> tuple[str, ...]:
    """The name that a tool would have if every name were legal, in the parts that are made legal each by itself."""
    if server.prefix is True:
        return ("mcp__", ref.server, "__", ref.tool)
    return (server.prefix, "_", ref.tool) if server.prefix else (ref.tool,)


def _candidates(ref: ToolRef, server: Server, legal: re.Pattern[str]) -> tuple[str | None, str | None, str | None]:
    """The names that are tried in turn: as wished, made legal, qualified by the server."""
    wish = _wish(ref, server)
    qualified = _legal(wish if server.prefix else (ref.server, "_", ref.tool), legal)
    if legal.fullmatch("".join(wish)):
        return "".join(wish), qualified, None
    return None, _legal(wish, legal), qualified


def _legal(parts: Sequence[str], legal: re.Pattern[str]) -> str | None:
    """The parts as one legal name, or None where it would be too long or letters of it would be lost."""
    name = _begun(_written(parts), legal)
    return name if len(name) <= LONGEST and not any(map(_loses, parts)) else None


def _written(parts: Sequence[str]) -> str:
    """The parts in legal characters; of one that is all in another script only what it is remains to be said."""
    last = len(parts) - 1
    return "".join(_ascii(part) or ("tool" if at == last else "server") for at, part in enumerate(parts))


def _begun(name: str, legal: re.Pattern[str]) -> str:
    """The name, with a character before it where it may not begin as it does."""
    return name if legal.fullmatch(name[:1]) else f"_{name}"


def _ascii(part: str) -> str:
    legal = re.sub(r"[^a-zA-Z0-9_-]+", "_", _unaccented(part))
    return legal if re.search(r"[a-zA-Z0-9]", legal) or legal == part else ""


def _loses(part: str) -> bool:
    """Whether letters or digits have no place in ASCII, or nothing is left at all."""
    return not _ascii(part) or any(each.isalnum() and not each.isascii() for each in _unaccented(part))


def _unaccented(part: str) -> str:
    """`é` as `e`."""
    return "".join(each for each in unicodedata.normalize("NFKD", part) if not unicodedata.combining(each))


def _hashed(name: str, ref: ToolRef, used: Collection[str]) -> str:
    """Cut the name and append as much of its identity's hash as makes it one of a kind."""
    digest = hashlib.sha256(f"{ref.server}\0{ref.tool}".encode("utf-8", "surrogatepass")).hexdigest()
    for length in (8, 16, 32, 63):
        candidate = f"{name[: LONGEST - 1 - length]}_{digest[:length]}"
        if candidate not in used:
            break
    return candidate
