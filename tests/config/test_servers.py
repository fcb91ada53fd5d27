"""What a declaration takes, refuses, copies and shows."""

from __future__ import annotations

import copy
import pickle
import ssl
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast, get_type_hints

import httpx2
import pytest
from mcp import Client
from mcp.server import MCPServer
from toolgraft.config import AnyServer, Checks, Custom, Errors, Held, Http, InProcess, Limits, Sse, Stdio
from toolgraft.config.server import Server, ServerOptions
from toolgraft.config.servers import StdioOptions
from toolgraft.errors import ConfigError

SECRET = "hunter2-secret"


def every_kind() -> list[AnyServer]:
    return [
        Stdio("uvx", "mcp-server-git", env={"TOKEN": SECRET}, bind={"key": SECRET}),
        Http("https://example.com/mcp", headers={"Authorization": SECRET}),
        Sse("https://example.com/sse", headers={"Authorization": SECRET}),
        InProcess(MCPServer("mine"), bind={"key": SECRET}),
        Custom(lambda: cast("Any", None), bind={"key": SECRET}),
        Held(Client(MCPServer("lent")), bind={"key": SECRET}),
    ]


def kind_name(server: AnyServer) -> str:
    return type(server).__name__


def test_the_options_of_a_signature_are_the_fields_of_a_server() -> None:
    assert set(ServerOptions.__annotations__) == {each.name for each in fields(Server)}
    own = {each.name for each in fields(Stdio)} - {each.name for each in fields(Server)} - {"command"}
    assert set(get_type_hints(StdioOptions)) - set(get_type_hints(ServerOptions)) == own


@pytest.mark.parametrize("server", every_kind(), ids=kind_name)
def test_a_repr_shows_kind_and_name_and_no_secret(server: AnyServer) -> None:
    shown = f"{server!r} {server} {server.target}"
    assert type(server).__name__ in shown
    assert server.name in shown
    assert SECRET not in shown


@pytest.mark.parametrize("server", every_kind(), ids=kind_name)
def test_a_server_is_equal_to_its_copy_and_not_to_a_changed_one(server: AnyServer) -> None:
    same: AnyServer = replace(server)
    assert same == server
    assert hash(same) == hash(server)
    changed = replace(server, timeout=5)
    assert changed != server
    assert (changed.timeout, changed.name) == (5, server.name)


@pytest.mark.parametrize("server", [*every_kind()[:3]], ids=kind_name)
def test_a_server_that_is_data_survives_pickle_and_deepcopy(server: AnyServer) -> None:
    assert pickle.loads(pickle.dumps(server)) == server
    assert copy.deepcopy(server) == server


def test_a_server_is_frozen() -> None:
    server = Stdio("uvx")
    with pytest.raises(AttributeError):
        server.timeout = 3  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_later_change_of_what_was_handed_in_reaches_no_server() -> None:
    env, headers, names, bind = {"A": "1"}, {"H": "1"}, ["a"], {"k": 1}
    stdio, http = Stdio("uvx", env=env, only=names), Http("https://h/mcp", headers=headers, bind=bind)
    env["A"] = headers["H"] = "changed"
    names.append("b")
    bind["k"] = 2
    assert stdio.env == {"A": "1"}
    assert stdio.only == ("a",)
    assert http.headers == {"H": "1"}
    assert http.bind == {"k": 1}


def test_an_unknown_keyword_is_a_type_error_that_names_it() -> None:
    with pytest.raises(TypeError, match="tiemout"):
        Stdio("uvx", tiemout=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_arguments_may_be_given_in_line_by_keyword_or_as_paths() -> None:
    assert Stdio("uvx", "a", args=["b"]).args == ("a", "b")
    assert Stdio(Path("/bin/x"), Path("y.py")).args == ("y.py",)
    assert Stdio(Path("/bin/x")).command == "/bin/x"


@pytest.mark.parametrize("kind", [Stdio, Http, Sse, InProcess, Custom, Held])
def test_every_field_says_what_it_takes(kind: type[Server]) -> None:
    told = {name for each in kind.__mro__ for name in vars(each).get("_takes", {})}
    assert told == {each.name for each in fields(kind)}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"args": "a b"}, "args is a list"),
    ({"args": ["ok", 3]}, r"args\[1\] is a string, not int"),
    ({"args": ["a\0b"]}, r"args\[0\] has a zero byte"),
    ({"command": ""}, "command is empty"),
    ({"command": "a\nb"}, "command is empty or not"),
    ({"only": "search"}, r"write only=\['search'\]"),
    ({"without": "search"}, "without is a list"),
    ({"repeatable": [1]}, "repeatable is a list of names"),
    ({"inherit_env": "PATH"}, "inherit_env is a list"),
    ({"env": {"TOKEN": 3}}, r"env\['TOKEN'\] is a string"),
    ({"env": {"A=B": "x"}}, "env has a name"),
    ({"env": {"": "x"}}, "env has a name"),
    ({"timeout": 0}, "timeout is a number of seconds above 0, or None for no limit"),
    ({"timeout": float("nan")}, "timeout is a number"),
    ({"timeout": "5"}, "timeout is a number"),
    ({"timeout": True}, "timeout is a number"),
    ({"connect_timeout": None}, "connect_timeout is a number of seconds above 0, not None$"),
    ({"tool_timeouts": {"slow": -1}}, r"tool_timeouts\['slow'\]"),
    ({"tool_timeouts": 5}, "tool_timeouts is a mapping"),
    ({"era": "2025-11-25"}, "era is one of 'auto', 'legacy', '2026-07-28', not '2025-11-25'"),
    ({"errors": "ignore"}, "errors is one of"),
    ({"output_check": True}, "output_check is one of"),
    ({"stderr": "file"}, r"stderr is one of .*stderr=Path\('file'\)"),
    ({"cwd": 3}, "cwd is a path, not an int"),
    ({"args": 3}, "args is a list"),
    ({"required": "no"}, "required is True or False, not a str"),
    ({"trust": "false"}, "trust is True or False, not a str"),
    ({"trust": 0}, "trust is True or False, not an int"),
    ({"trust": None}, "trust is True or False, not None"),
    ({"only": None}, "only is a list of names, not None"),
    ({"only": len}, r"not a builtin.*; .*policies=\[\.\.\.\]"),
    ({"repeatable": True}, "repeatable is a list of names, not a bool"),
    ({"client_info": "app"}, r'client_info=\("my-app", "1.0"\), not a str'),
    ({"client_info": ("app",)}, "client_info is a name and a version"),
    ({"client_info": ("app", 1)}, "client_info is a name and a version"),
    ({"follow_links": True}, "follow_links is a number of links, not a bool"),
    ({"follow_links": -1}, "follow_links is a number of links, not -1; the least is 0"),
    ({"timeout": timedelta(seconds=3)}, r"write timeout=value.total_seconds\(\)"),
    ({"tool_timeouts": {"slow": "3"}}, r"tool_timeouts\['slow'\] is a number of seconds"),
    ({"bind": ["a"]}, "bind is a mapping by name, not a list"),
    ({"meta": "a"}, "meta is a mapping by name, not a str"),
]
WRONG_REMOTE: list[tuple[dict[str, Any], str]] = [
    ({"verify": None}, "verify is False, the path of a CA bundle, or an ssl.SSLContext, not None"),
    ({"verify": 0}, "verify is False"),
    ({"cert": 3}, "cert is a path, or a tuple of two"),
    ({"cert": ("a", "b", "c")}, "cert is a path, or a tuple of two"),
    ({"proxy": f"user:{SECRET}@host:3128"}, "proxy is a URL that begins with http://, .*, as in 'http://host:3128'"),
    ({"proxy": {"https": SECRET}}, "proxy is one URL for all requests, .* not a dict"),
    ({"auth": httpx2.BasicAuth}, r"not the class BasicAuth: make one of it, BasicAuth\(...\)"),
    ({"auth": len}, "or an httpx2.Auth, not a builtin"),
    ({"http_client": httpx2.Client}, "http_client makes an httpx2.AsyncClient, not a Client"),
    ({"identity": "user"}, "identity is a function of a CallContext, not a str"),
]


@pytest.mark.faults("T30")
@pytest.mark.parametrize(("given", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_field_is_refused_by_its_name(given: dict[str, Any], message: str) -> None:
    options: Any = {"command": "uvx", **given}
    with pytest.raises(ConfigError, match=message):
        Stdio(**options)


@pytest.mark.faults("T30")
@pytest.mark.parametrize("kind", [Http, Sse])
@pytest.mark.parametrize(("given", "message"), WRONG_REMOTE, ids=lambda value: str(value)[:40])
def test_a_wrong_field_of_a_remote_server_is_refused_without_showing_it(
    kind: type[Any], given: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        kind("https://h/mcp", **given)
    assert SECRET not in str(caught.value)


@pytest.mark.faults("T30")
def test_what_is_left_out_is_taken_in_the_forms_that_users_have() -> None:
    given: Any = {
        "verify": Path("~/ca.pem"),
        "cert": Path("c.pem"),
        "client_info": ["app", "1"],
        "proxy": "socks5://h:1",
    }
    server = Http("https://h/mcp", **given, headers={"X": "a\tb", "Empty": ""})
    assert (server.verify, server.cert) == (str(Path.home() / "ca.pem"), "c.pem")
    assert server.client_info == ("app", "1")
    assert Http("https://h", verify=ssl.create_default_context(), cert=("a", "b"), auth=httpx2.BasicAuth("u", "p"))


@pytest.mark.faults("T30")
@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Checks(coerce=cast("Any", "no")), "coerce is True or False, not a str"),
        (lambda: Checks(validate=cast("Any", 0)), "validate is True or False"),
        (lambda: Http("https://h", max_sse_event_size=cast("Any", "1")), "max_sse_event_size is a number of bytes"),
        (lambda: Limits(source_line=cast("Any", "no")), "source_line is True or False"),
        (lambda: Limits(text=True), "text is a whole number of 0 or more, or None for no cap, not a bool"),
        (lambda: Limits(wire_bytes=cast("Any", None)), "wire_bytes is a whole number of 0 or more, not None"),
        (lambda: Limits(spill_days=0), "spill_days is a number of days above 0, or None for files are kept"),
        (lambda: Limits(spill_to=cast("Any", 3)), "spill_to is a path, not an int"),
        (lambda: Limits(structured=cast("Any", "no")), "structured is one of 'once'"),
        (lambda: Errors(tool=cast("Any", True)), r"Errors\(tool=...\) is one of 'model', 'raise', not 'True'"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(made: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        made()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (SECRET, "must begin with http"),
        (f"ftp://{SECRET}@h/x", "must begin with http"),
        (f"http:///{SECRET}", "no host"),
        (f"http://h/{SECRET} x", "white space"),
        (f"http://[{SECRET}/", "no host"),
        (f"https://h/\n{SECRET}", "white space"),
    ],
)
def test_a_wrong_url_is_refused_without_showing_it(url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        Http(url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"Authorization": f"Bearer {SECRET}\n"}, r"\['Authorization'\] has a line break"),
        ({"Bad Name": SECRET}, "a name that no HTTP header"),
        ({"": SECRET}, "a name that no HTTP header"),
        ({"X": 3}, r"headers\['X'\] is a string"),
        ({"X": None}, r"headers\['X'\] is a string, not None"),
        ({"X": f"{SECRET} "}, r"headers\['X'\] has white space at an end"),
        ({"X": f"\t{SECRET}"}, r"headers\['X'\] has white space at an end"),
        ({"X": f"{SECRET}\x01{SECRET}"}, r"headers\['X'\] has a control character"),
        ({"X": f"{SECRET}\x7f"}, r"headers\['X'\] has a control character"),
        ({"X": f"{SECRET}é"}, r"headers\['X'\] has a character outside ASCII"),
        ({"X": f"{SECRET}\u00a0"}, r"headers\['X'\] has white space at an end"),
    ],
)
def test_a_wrong_header_is_refused_without_showing_its_value(headers: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        Http("https://h/mcp", headers=headers)
    assert SECRET not in str(caught.value)


def test_headers_may_be_a_function() -> None:
    assert callable(Http("https://h/mcp", headers=lambda context: {"X": context.server}).headers)


@pytest.mark.parametrize(
    ("server", "name"),
    [
        (Stdio("uvx", "mcp-server-git"), "mcp-server-git"),
        (Stdio("npx", "-y", "@modelcontextprotocol/server-memory"), "server-memory"),
        (Stdio("/usr/local/bin/serve"), "serve"),
        (Stdio("python", "-c", "import this; print('x')"), "python"),
        (Stdio("env", f"TOKEN={SECRET}", "prog"), "prog"),
        (Stdio("mcp-remote", f"https://h/p?token={SECRET}"), "mcp-remote"),
        (Stdio("serve", "sk-abcdefghij1234567890"), "serve"),
        (Http(f"https://user:{SECRET}@example.com:8443/mcp"), "example.com"),
        (InProcess(MCPServer("mine")), "mine"),
        (Stdio("uvx", "x", name="own"), "own"),
    ],
    ids=str,
)
def test_a_name_is_taken_from_the_target_and_is_no_secret(server: AnyServer, name: str) -> None:
    assert server.name == name


def test_limits_refuse_what_cannot_be_kept() -> None:
    with pytest.raises(ConfigError, match="spill_to"):
        Limits(on_overflow="spill")
    with pytest.raises(ConfigError, match="wire_bytes"):
        Limits(wire_bytes=-1)
