"""What newcomers write by habit from other libraries, and the sentence that sets them right."""

from __future__ import annotations

import inspect
import pydoc
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, ClientSession
from mcp.server import MCPServer
from toolgraft.config import AnyServer, Custom, Held, Http, InProcess, Sse, Stdio, load
from toolgraft.errors import ConfigError

SECRET = "hunter2-secret"
stdio: Any = Stdio
http: Any = Http
sse: Any = Sse
in_process: Any = InProcess
held: Any = Held
KINDS: list[type[Any]] = [Stdio, Http, Sse, InProcess, Custom, Held]


def of_package(package: str, kind: str, **members: object) -> Any:
    """An object of a class from a package that need not be installed."""
    return type(kind, (), {"__module__": f"{package}.inner", **members})()


@pytest.mark.faults("T30")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: http("https://h", header=SECRET), "did you mean headers"),
        (lambda: stdio("uvx", params=SECRET), r"Stdio\(command, \*args"),
        (lambda: http("https://h", cache_tools_list=True), "tool lists are kept"),
        (lambda: http("https://h", client_session_timeout_seconds=5), "timeout= is the limit of a call"),
        (lambda: http("https://h", transport="streamable_http"), "the class says it"),
        (lambda: http("https://h", sse_read_timeout=5), "timeout= is the limit of a call"),
        (lambda: http("https://h", httpx_client_factory=SECRET), "http_client=factory"),
        (lambda: stdio("uvx", tool_filter=SECRET), "only="),
        (lambda: stdio("uvx", session_kwargs=SECRET), "elicit="),
        (lambda: http("https://h", token=SECRET), r"auth=Bearer\(token\)"),
        (lambda: http("https://h", timout=5), "did you mean 'timeout'"),
        (lambda: stdio("uvx", strict="full"), r"graft\(\.\.\., strict="),
        (lambda: in_process(MCPServer("m"), nonsense=1), "it takes "),
        (lambda: held(Client(MCPServer("m")), disabled=True), "leave the declaration out"),
        (lambda: stdio("uvx", tools=SECRET), r": only= and without= take names"),
        (lambda: stdio("uvx", header=SECRET), r"headers=.*reached by its URL has it, Http\("),
        (lambda: stdio("uvx", url=SECRET), r"reached by its URL has it, Http\("),
        (lambda: http("https://h", command=SECRET), r"started has it, Stdio\(command"),
        (lambda: http("https://h", env=SECRET), r"started has it, Stdio\(command"),
        (lambda: http("https://h", follow_redirects=True), "redirects within a server's own origin are followed"),
        (lambda: http("https://h", cookies=SECRET), "did you mean headers="),
        (lambda: sse("https://h", ca_bundle=SECRET), "did you mean verify=path"),
        (lambda: stdio("uvx", require_approval="always"), "did you mean approve="),
        (lambda: stdio("uvx", environment=SECRET), "did you mean env="),
    ],
)
def test_a_name_from_another_library_is_answered_with_ours(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        make()
    assert "unexpected keyword argument" in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.faults("T30")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: stdio("uvx mcp-server-git"), r'write Stdio\("uvx", "mcp-server-git"\)'),
        (lambda: stdio(f"serve --api-key {SECRET} 'a b'"), r'Stdio\("serve", "--api-key", "\*\*\*", "a b"\)'),
        (lambda: stdio("/no/such/python server.py"), r'Stdio\("/no/such/python", "server.py"\)'),
        (lambda: stdio("https://h/mcp"), r"Http\(url\)"),
        (lambda: stdio("uvx", env=[f"A={SECRET}"]), r'env is a dict, not a list: write env=\{"A": "\.\.\."\}'),
        (lambda: stdio("uvx", env="A=1"), "env is a dict, not a str"),
        (lambda: http("localhost:8000"), "http://localhost:8000/mcp"),
        (lambda: http("uvx mcp-server-git"), "Stdio"),
        (lambda: http("ws://h/mcp"), "WebSocket"),
        (lambda: http("https://h", auth=of_package("httpx", "BasicAuth", async_auth_flow=1)), "httpx2.BasicAuth"),
        (lambda: http("https://h", auth=("user", SECRET)), "httpx2.BasicAuth"),
        (lambda: http("https://h", auth=object()), "not an object"),
        (lambda: http("https://h", http_client=object()), "lambda"),
        (lambda: sse("https://h", http_client=of_package("httpx", "AsyncClient")), "import httpx2"),
        (lambda: held(object()), r"Held\(client\)"),
        (lambda: held(Client), r"Held\(client\)"),
        (lambda: held(ClientSession.__new__(ClientSession)), "bare session"),
        (
            lambda: held(of_package("fastmcp", "Client", session=1, call_tool=1, list_tools=1, read_resource=1)),
            "fastmcp",
        ),
        (lambda: in_process(of_package("fastmcp", "FastMCP", name="x")), "package fastmcp"),
        (lambda: in_process(MCPServer), r"write MCPServer\(\.\.\.\)"),
        (lambda: in_process("server.py"), "not a str"),
        (lambda: in_process(Path("server.py")), "not a PosixPath"),
        (lambda: in_process(of_package("mine", "Thing", name="x")), "not a Thing"),
        (lambda: in_process(lambda: MCPServer("m")), "call what makes the server"),
        (lambda: in_process(of_package("agents", "MCPServerStdio", name="x")), r"package agents: write Stdio\(command"),
        (lambda: in_process(Client(MCPServer("m"))), r"package mcp: write Held\(client\)"),
        (lambda: held(of_package("agents", "MCPServerStreamableHttp")), r"package agents: write Http\(url"),
        (
            lambda: held(of_package("fastmcp", "Client")),
            "declare its server: .* or enter an mcp.Client",
        ),
        (lambda: held(MCPServer("m")), r"write InProcess\(server\)"),
        (lambda: Custom(of_package("mcp", "StdioServerParameters")), r"write Stdio\(command, \*args"),
    ],
)
@pytest.mark.faults("T46")
def test_a_value_of_the_wrong_kind_is_answered_with_the_right_form(make: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        make()
    assert SECRET not in str(caught.value)


def test_right_values_are_taken(tmp_path: Path) -> None:
    with_space = tmp_path / "my server"
    with_space.touch()
    assert Stdio(str(with_space)).command == str(with_space)
    assert InProcess(type("Mine", (MCPServer,), {})("m")).name == "m"
    assert Http("https://h", auth=httpx2.BasicAuth("u", "p"), http_client=httpx2.AsyncClient).auth
    assert Stdio("uvx", env={"A": "1"}).env == {"A": "1"}


@pytest.mark.faults("T29")
def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/ada")
    server = Stdio("~/bin/serve", "~/kept", cwd="~/work", stderr=Path("~/log"))
    assert (server.command, server.args, server.cwd) == ("/ada/bin/serve", ("~/kept",), "/ada/work")
    assert server.stderr == Path("/ada/log")
    assert Stdio("x", cwd=Path("~")).cwd == Path("/ada")
    assert Http("https://h", verify="~/ca.pem", cert=("~/c", "~/k")).verify == "/ada/ca.pem"
    assert Http("https://h", cert=("~/c", "~/k")).cert == ("/ada/c", "/ada/k")


@pytest.mark.faults("T33")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_help_lists_all_that_a_server_takes_and_says_what_it_is(kind: type[Any]) -> None:
    signature = inspect.signature(kind)
    taken = {"arguments" if each.name == "args" else each.name for each in fields(kind)}
    assert set(signature.parameters) == taken
    told = pydoc.plain(pydoc.render_doc(kind)).partition("Method resolution order")[0]
    assert all(f"      {each.name}: " in told for each in fields(kind)), told


def load_one(entry: dict[str, Any]) -> AnyServer:
    (server,) = load({"it": entry}, environ={})
    return server


REMOTE: dict[str, Any] = {"transport": "streamable_http", "url": "https://h/mcp"}


@pytest.mark.faults("T43")
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({**REMOTE, "timeout": 2}, "it.timeout: .*'timeout_seconds' for the limit of a call"),
        ({**REMOTE, "transport": "http", "timeout": 30.0}, "'timeout_seconds'"),
        ({**REMOTE, "transport": "sse", "timeout": 5}, "'timeout_seconds'"),
        ({**REMOTE, "sse_read_timeout": 300}, "it.sse_read_timeout: .*'timeout_seconds'"),
        ({**REMOTE, "auth": "bearer"}, "it.auth: .*Authorization"),
        ({"command": "x", "auth": "oauth"}, "it.auth: "),
        ({"url": "https://h", "oauth": {"clientId": "x", "grant": SECRET}}, "it.oauth.grant: "),
        ({"url": "https://h", "oauth": {"clientSecret": SECRET}}, "it.oauth: client_secret needs client_id"),
        ({**REMOTE, "httpx_client_factory": print}, r"it.httpx_client_factory: .*http_client=factory"),
        ({"transport": "stdio", "command": "x", "session_kwargs": {"a": 1}}, "it.session_kwargs: "),
        ({"transport": "websocket", "url": "ws://h"}, "no transport that MCP has"),
        ({"url": "https://h", "headersHelper": "get-token"}, "it.headersHelper: .*no command is run"),
        ({"url": "https://h", "bearer_token_env_var": "T"}, "it.bearer_token_env_var: .*Bearer"),
        ({"url": "https://h", "authProviderType": "google_credentials"}, "it.authProviderType: "),
        ({"command": "x", "sandboxEnabled": True}, "it.sandboxEnabled: .*not run in a sandbox"),
        ({"command": "x", "tool_filters": {"allowed": ["a"]}}, "it.tool_filters: .*only"),
        ({"command": "x", "require_approval": "always"}, "it.require_approval: "),
        ({"command": "x", "environment": {"A": "b"}}, "it.environment: .*'env'"),
        ({"command": "x", "disable": True}, "did you mean 'disabled'"),
        ({"command": "x", "exclude_tool": ["a"]}, "did you mean 'excludeTools'"),
        ({"url": "https://h", "header": {"A": "b"}}, "'headers'"),
        ({**REMOTE, "requestInit": {"headers": {"Authorization": SECRET}}}, "it.requestInit: .*'headers'"),
        ({**REMOTE, "eventSourceInit": {"x": 1}}, "it.eventSourceInit: .*'headers'"),
        ({**REMOTE, "extraHeaders": {"A": SECRET}}, "it.extraHeaders: .*'headers'"),
        ({"url": "https://h", "token": SECRET}, "it.token: .*Bearer"),
        ({"url": "https://h", "accessToken": SECRET}, "it.accessToken: .*Bearer"),
        ({"url": "https://h", "basicAuth": {"username": "u", "password": SECRET}}, "it.basicAuth: .*Bearer"),
        ({"url": "https://h", "cookies": {"sid": SECRET}}, "it.cookies: "),
        ({"url": "https://h", "clientSecret": SECRET}, "it.clientSecret: "),
        ({"url": "https://h", "verify": False}, r"it.verify: is not read from a config; .* Http\(url, verify=...\)"),
        ({"url": "https://h", "cert": "c.pem"}, r"it.cert: .*Http\(url, cert=...\)"),
        ({"type": "sse", "url": "https://h", "proxy": SECRET}, r"it.proxy: .*Sse\(url, proxy=...\)"),
        ({"url": "https://h", "tls": {"ca": "x"}}, r"it.tls: .*verify="),
        ({"url": "https://h", "caBundle": "x"}, r"it.caBundle: .*verify="),
        ({"url": "https://h", "https_proxy": SECRET}, r"it.https_proxy: .*proxy="),
        ({"command": "x", "bind": {"a": SECRET}}, r"it.bind: .*Stdio\(command, \*args, bind=...\)"),
        ({"command": "x", "elicit": len}, r"it.elicit: .*elicit=...\)"),
        ({"command": "x", "elicitation_callback": len}, "it.elicitation_callback: .*no functions"),
        ({"command": "x", "tool_interceptors": [len]}, "it.tool_interceptors: .*middleware"),
        ({"command": "x", "before_start": len}, "it.before_start: .*no functions"),
        ({"command": "x", "user": "nobody"}, "it.user: .*programs are started as the user that you are"),
        ({"command": "x", "shell": True}, "it.shell: .*no shell"),
        ({"command": "x", "encoding": "latin-1"}, "it.encoding: .*MCP is UTF-8"),
        ({"command": "x", "container": {"image": "x"}}, "it.container: .*not run in a sandbox"),
        ({"command": "x", "defaultToolTimeout": 5}, "'timeout_seconds'"),
        ({"command": "x", "toolTimeout": {"a": 5}}, "'timeout_seconds'"),
        ({**REMOTE, "timeout": timedelta(seconds=30)}, "'timeout_seconds' for the limit of a call"),
        (
            {"command": "x", "timeout": timedelta(seconds=30)},
            r"it.timeout: must be a number above 0; write its",
        ),
    ],
    ids=str,
)
def test_a_field_that_would_change_what_a_server_does_is_an_error_with_the_remedy(
    entry: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load_one(entry)
    assert SECRET not in str(caught.value)


@pytest.mark.faults("T43")
def test_what_loosens_nothing_is_taken() -> None:
    auth = httpx2.BasicAuth("u", SECRET)
    assert load_one({**REMOTE, "auth": auth}) == Http("https://h/mcp", name="it", auth=auth)
    assert load_one({**REMOTE, "timeout": 30_000}).timeout == 30
    assert load_one({"url": "https://h", "timeout": 20}).timeout == 20
    assert load_one({"url": "https://h", "oauth": {"enabled": False}, "sandboxEnabled": False, "auth": None})
    assert load_one({"url": "https://h", "verify": True, "proxy": None, "bind": {}, "maxTokens": 5, "certified": "yes"})
    assert load_one({"command": "x", "encoding": None, "restart": {"enabled": True}, "gallery": True})
    assert load_one({"command": "x", "require_approval": "never", "allowed_tools": ["a"]}).only == ("a",)
    loaded = load({"it": {"command": "x", "autoApprove": ["a"], "alwaysAllow": []}})
    assert loaded.warnings == ("servers: it.autoApprove: not read; 'approve' says which calls wait for a person's yes",)
