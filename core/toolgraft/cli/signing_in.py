"""`toolgraft login`, `logout` and `status`: sign in ahead of time, sign out, and see who is signed in where."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from rich import box
from rich.table import Table

from toolgraft.cli.exits import EXIT_CODES
from toolgraft.cli.inventory import json_text
from toolgraft.cli.sources import Sources, TrustOption, VerboseOption, parse_server
from toolgraft.cli.terminal import output, show_logs
from toolgraft.cli.visible import one_line
from toolgraft.config.oauth import OAuth, OAuthGrant
from toolgraft.config.redact import redact_url
from toolgraft.config.servers import Http, Remote, Sse
from toolgraft.errors import ConfigError
from toolgraft.options import Options
from toolgraft.toolbox import Toolbox

if TYPE_CHECKING:
    from toolgraft.oauth.standing import Standing

_Server: TypeAlias = Annotated[
    str, typer.Argument(metavar="SERVER", help="Its URL, or its name in a config file.", show_default=False)
]
_Config: TypeAlias = Annotated[
    Path | None, typer.Option("--config", metavar="CONFIG", help="The config file that names it.", show_default=False)
]
_URL: Final = ("http://", "https://", "sse:")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("login", epilog=EXIT_CODES)(_login)
    app.command("logout", epilog=EXIT_CODES)(_logout)
    app.command("status", epilog=EXIT_CODES)(_status)


def _login(
    server: _Server,
    *,
    config: _Config = None,
    show_url: Annotated[bool, typer.Option("--print", help="Print the URL, and open no browser.")] = False,
    trust_found: TrustOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Sign in to a server ahead of time, so that programs of yours need not ask."""
    show_logs(verbose)
    declared = _declared(server, config, trust_found)
    if show_url and isinstance(declared.auth, OAuth):
        declared = replace(declared, auth=replace(declared.auth, ask="print"))
    asyncio.run(_signed_in(declared))


def _logout(
    server: _Server, *, config: _Config = None, trust_found: TrustOption = False, verbose: VerboseOption = False
) -> None:
    """Sign out of a server: its tokens are given back and forgotten, whosesoever they are."""
    show_logs(verbose)
    asyncio.run(_signed_out(_declared(server, config, trust_found)))


def _status(
    server: Annotated[
        str | None,
        typer.Argument(metavar="SERVER", help="Its URL, or its name in a config file; else all.", show_default=False),
    ] = None,
    *,
    config: _Config = None,
    to_json: Annotated[bool, typer.Option("--json", help="Write JSON, and nothing else, to standard output.")] = False,
    trust_found: TrustOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Tell who is signed in where and until when. No secret is shown."""
    show_logs(verbose)
    asyncio.run(_told(None if server is None else _declared(server, config, trust_found), to_json))


def _declared(server: str, config: Path | None, trust_found: bool) -> Http | Sse:
    """The server that is meant, with a sign-in.

    Raises:
        ConfigError: There is none of this name, it has no URL, or it is not signed in to.
    """
    if server.startswith(_URL):
        found = parse_server(server)
    else:
        known = {each.name: each for each in Sources(config, trust_found=trust_found).servers()}
        if server not in known:
            raise ConfigError(f"there is no server {server!r}; there are {', '.join(sorted(known))}", where="SERVER")
        found = known[server]
    if not isinstance(found, Http | Sse):
        raise ConfigError(f"server {found.name!r} is not reached by a URL, and is not signed in to", where="SERVER")
    if found.auth is None:
        return replace(found, auth=OAuth())
    if not isinstance(found.auth, OAuthGrant):
        raise ConfigError(f"server {found.name!r} has another auth, which is not signed in to", where="SERVER")
    return found


async def _signed_in(server: Http | Sse) -> None:
    async with Toolbox([replace(server, required=True)], Options()) as toolbox:
        tools = len(toolbox.tools)
    found = await _standings(server)
    console = output()
    if not found:
        console.print(f"{one_line(server.name)} wants no login ({tools} tools)", markup=False)
    for each in found:
        issuer, until = one_line(each.issuer), _until(each.until, renewable=each.renewable)
        console.print(f"signed in to {one_line(server.name)} at {issuer}, {until} ({tools} tools)", markup=False)


async def _signed_out(server: Http | Sse) -> None:
    from toolgraft.connection.wire.http.log_redaction import kept_out_of_logs
    from toolgraft.connection.wire.http.signing import fetch
    from toolgraft.oauth.standing import sign_out
    from toolgraft.oauth.store.opened import opened
    from toolgraft.oauth.wire.discovery import canonical

    auth = _grant(server)
    with kept_out_of_logs(server.url):
        gone = await sign_out(opened(auth.store), canonical(server.url), fetch(server, auth.trusted_hosts))
    said = f"signed out of {one_line(server.name)}" if gone else f"nobody was signed in to {one_line(server.name)}"
    output().print(said, markup=False)


async def _told(server: Http | Sse | None, to_json: bool) -> None:
    found = await _standings(server)
    if to_json:
        typer.echo(json_text([{**asdict(each), "server": redact_url(each.server)} for each in found]))
        return
    console = output()
    if not found:
        console.print("nobody is signed in", markup=False)
        return
    table = Table("server", "who", "signed in at", "scope", "until", box=box.SIMPLE)
    for each in found:
        cells = (redact_url(each.server), each.identity or "-", each.issuer, each.scope or "-")
        table.add_row(*(one_line(cell) for cell in cells), _until(each.until, renewable=each.renewable))
    console.print(table)


async def _standings(server: Remote | None) -> Sequence[Standing]:
    from toolgraft.oauth.standing import standings
    from toolgraft.oauth.store.opened import opened
    from toolgraft.oauth.wire.discovery import canonical

    if server is None:
        return await standings(opened("file"))
    return await standings(opened(_grant(server).store), canonical(server.url))


def _grant(server: Remote) -> OAuthGrant:
    assert isinstance(server.auth, OAuthGrant)
    return server.auth


def _until(until: float | None, *, renewable: bool) -> str:
    if renewable:
        return "renewed by itself"
    if until is None:
        return "until it is refused"
    shown = datetime.fromtimestamp(until).astimezone().isoformat(" ", "minutes")
    return f"until {shown}" if until > time.time() else f"expired {shown}"
