"""Errors on their way between processes."""

from __future__ import annotations

import copy
import pickle

import pytest
from toolgraft import ToolRef, errors
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
