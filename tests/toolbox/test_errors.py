"""Errors on their way between processes."""

from __future__ import annotations

import copy
import pickle

import pytest
from toolgraft import ToolRef, ToolResult, errors
from toolgraft.errors import ToolgraftError

REF = ToolRef("server", "tool")
UNREACHED = errors.ConnectError("server", "uvx thing", "no such command")

ALL = [
    errors.ConfigError("wrong", where="mcp.json: servers.a"),
    errors.MissingExtraError("langchain"),
    errors.PluginError("broken"),
    errors.SchemaError("dangling", pointer="/properties/a"),
    UNREACHED,
    errors.ServersRequiredError({"server": UNREACHED}),
    errors.ClosedError("closed"),
    errors.UnknownToolError(None, "no tool"),
    errors.ArgumentsError(REF, ["/a: wanted a number"]),
    errors.ProtocolError(REF, "no", code=-1, data={"a": 1}),
    errors.TransportError(REF, "reset", sent=False, http_status=503, retry_after="3"),
    errors.DeadlineError(REF, limit=3, source="here"),
    errors.ResultError(REF, "too large"),
    errors.ToolOutcomeUnknownError(REF, "lost"),
]


@pytest.mark.faults("L6")
@pytest.mark.parametrize("error", ALL, ids=[type(error).__name__ for error in ALL])
def test_an_error_comes_out_of_another_process_as_it_was(error: ToolgraftError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert repr(vars(again)) == repr(vars(error))


@pytest.mark.faults("T29", "T35")
def test_what_a_server_writes_steers_no_terminal_and_forges_no_line_in_an_error() -> None:
    hostile = ToolRef("s", "pay\n\x1b[2Jtool 'x'")
    for error in (
        errors.ProtocolError(hostile, "first\r\nsecond \x1b[31mred\x07 \u202eabc\x00", code=1),
        errors.ToolError(hostile, "first\nsecond \x1b[31mred\x07 \u202eabc\x00", result=ToolResult()),
        errors.ConnectError("s", "uvx thing", "first\nsecond \x1b[31mred\x07 \u202eabc\x00"),
    ):
        assert all(character.isprintable() or character == "\n" for character in str(error)), ascii(str(error))
        assert "first\nsecond \\x1b[31mred\\x07 \\u202eabc\\x00" in str(error)
        assert str(error).count("\n") == 1


@pytest.mark.faults("T28")
@pytest.mark.parametrize("said", ["Error: Error: quota", "error:quota", " ERROR : Error: quota", "quota"])
def test_an_error_of_the_protocol_says_once_that_it_is_one(said: str) -> None:
    error = errors.ProtocolError(REF, said, code=-32000)
    assert str(error) == "tool 'tool' of server 'server': quota (error -32000)"


@pytest.mark.faults("T28")
def test_an_error_that_says_nothing_else_stays_as_it_is() -> None:
    assert errors.ProtocolError(REF, "Error:", code=1).reason == "Error: (error 1)"
