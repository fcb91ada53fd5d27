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

_PREFIXED: Final = re.compile(r"mcp__[a-zA-Z0-9_-]+?__[a-zA-Z0-9_-]+")
_LEAST: Final = len("mcp__") + 8
"""Characters that are left of what stands before a tool's own name, where both together are too long."""


def is_tool_name(name: str) -> bool:
    """Whether a name has the form `mcp__<server>__<tool>`, as `prefix=True` gives it and other clients do.

    Nothing is to be read off it: `toolbox.find(name)` says which tool of which server it is.
    """
    return isinstance(name, str) and len(name) <= LONGEST and _PREFIXED.fullmatch(name) is not None  # pyright: ignore[reportUnnecessaryIsInstance]


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
    wishes = {spec.ref: wish(spec, servers[spec.ref.server]) for spec in specs}
    candidates = {ref: _candidates(ref, each, servers[ref.server], legal) for ref, each in wishes.items()}
    names: dict[ToolRef, str] = {}
    used = set(taken)
    for turn in range(3):
        wanted = {ref: name for ref, each in candidates.items() if ref not in names and (name := each[turn])}
        times = Counter(wanted.values())
        settled = {ref: name for ref, name in wanted.items() if times[name] == 1 and name not in used}
        names.update(settled)
        used.update(settled.values())
    owners = Counter(form for form, _ in {(legal_form(each, legal), ref.server) for ref, each in wishes.items()})
    for ref in sorted(candidates.keys() - names.keys(), key=str):
        shared = owners[legal_form(wishes[ref], legal)] > 1
        names[ref] = _hashed(
            _qualified(ref, wishes[ref], servers[ref.server]) if shared else wishes[ref], ref, used, legal
        )
        used.add(names[ref])
    return [spec if spec.name == names[spec.ref] else replace(spec, name=names[spec.ref]) for spec in specs]


def wish(spec: ToolSpec, server: Server) -> tuple[str, ...]:
    """The name that a tool would have if every name were legal, in the parts that are made legal each by itself."""
    ref = spec.ref
    if server.prefix is True:
        return ("mcp__", ref.server, "__", ref.tool)
    if callable(server.prefix):
        return (spec.name,)  # which the policy `name_by_prefix` has set
    return (server.prefix, "_", ref.tool) if server.prefix else (ref.tool,)


def legal_form(parts: Sequence[str], legal: re.Pattern[str]) -> str:
    """The parts as one name in legal characters, however long, and whatever is lost of them."""
    return _begun("".join(_written(parts)), legal)


def _qualified(ref: ToolRef, wished: tuple[str, ...], server: Server) -> tuple[str, ...]:
    """The parts of a name that has its server in it."""
    return wished if server.prefix is True else (ref.server, "_", *wished)


def _candidates(
    ref: ToolRef, wished: tuple[str, ...], server: Server, legal: re.Pattern[str]
) -> tuple[str | None, str | None, str | None]:
    """The names that are tried in turn: as wished, made legal, qualified by the server."""
    qualified = _legal(_qualified(ref, wished, server), legal)
    if legal.fullmatch("".join(wished)):
        return "".join(wished), qualified, None
    return None, _legal(wished, legal), qualified


def _legal(parts: Sequence[str], legal: re.Pattern[str]) -> str | None:
    """The parts as one legal name, or None where it would be too long or letters of it would be lost."""
    name = legal_form(parts, legal)
    return name if len(name) <= LONGEST and not any(map(_loses, parts)) else None


def _written(parts: Sequence[str]) -> list[str]:
    """The parts in legal characters; of one that is all in another script only what it is remains to be said."""
    last = len(parts) - 1
    return [_ascii(part) or ("tool" if at == last else "server") for at, part in enumerate(parts)]


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


def _hashed(parts: Sequence[str], ref: ToolRef, used: Collection[str], legal: re.Pattern[str]) -> str:
    """Cut the name and append as much of its identity's hash as makes it one of a kind."""
    digest = hashlib.sha256(f"{ref.server}\0{ref.tool}".encode("utf-8", "surrogatepass")).hexdigest()
    for length in (8, 16, 32, 63):
        candidate = f"{_begun(_cut(parts, LONGEST - 1 - length), legal)[: LONGEST - 1 - length]}_{digest[:length]}"
        if candidate not in used:
            break
    return candidate


def _cut(parts: Sequence[str], room: int) -> str:
    """The parts as one name of at most so many characters; the tool's own is cut last."""
    *before, own = _written(parts)
    if not before:
        return own[:room]
    *qualifier, separator = before
    left = max(room - len(separator) - len(own), _LEAST)
    return f"{''.join(qualifier)[:left]}{separator}{own}"[:room]
