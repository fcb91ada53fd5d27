"""`${…}` is replaced once, and never in silence by nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.config import Input, Stdio, load
from toolgraft.config.documents.expand import Scope
from toolgraft.config.documents.inputs import Inputs, InputSource
from toolgraft.errors import ConfigError

ENVIRON = {"VAR": "value", "EMPTY": "", "NESTED": "${VAR}", "ProgramFiles(x86)": "C:\\P"}


def expand(text: str, **environ: str) -> str:
    environ = {**ENVIRON, **environ}
    return Scope(environ, Inputs({}, None, environ), lambda: Path("/w/project")).expand(text, "here")


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("plain", "plain"),
        ("${VAR}", "value"),
        ("${env:VAR}", "value"),
        ("a${VAR}b${VAR}c", "avaluebvaluec"),
        ("${EMPTY}", ""),
        ("${VAR:-other}", "value"),
        ("${NOPE:-other}", "other"),
        ("${EMPTY:-other}", "other"),
        ("${NOPE:-}", ""),
        ("${env:NOPE:-other}", "other"),
        ("${NOPE:-http://h:80/a b}", "http://h:80/a b"),
        ("${NESTED}", "${VAR}"),
        ("${ProgramFiles(x86)}", "C:\\P"),
        ("${workspaceFolder}/x", f"{Path('/w/project')}/x"),
        ("${workspaceFolderBasename}", "project"),
        ("${userHome}", str(Path.home())),
        ("${pathSeparator}${/}", os.sep * 2),
        ("$VAR $ {VAR} %VAR%", "$VAR $ {VAR} %VAR%"),
        ("$${VAR}", "${VAR}"),
        ("$$VAR", "$$VAR"),
        ("}${VAR}{", "}value{"),
    ],
)
def test_a_reference_is_replaced(text: str, expanded: str) -> None:
    assert expand(text) == expanded


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("${NOPE}", r"^here: environment variable NOPE is not set; set it, or give a default: \$\{NOPE:-…\}$"),
        ("${env:NOPE}", "environment variable NOPE is not set"),
        ("${VAR", "is not closed"),
        ("${NOPE:-${VAR}}", "stands within another"),
        ("${}", r"'\$\{\}' is no reference"),
        ("${config:editor.x}", "is no reference that is known here; write"),
        ("${command:pick}", "is no reference"),
        ("${workspaceFolder:other}", "is no reference"),
        ("${VAR-x}", "is no reference"),
        ("${ VAR }", "is no reference"),
        ("${input:key}", "input 'key' is not among the file's inputs"),
    ],
)
def test_what_cannot_be_replaced_is_an_error_that_says_where(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        expand(text)


@given(st.text())
def test_a_value_goes_in_as_it_is(value: str) -> None:
    assert expand("<${X}>", X=value) == f"<{value}>"


@given(st.text(alphabet="${}:-VARa \\"))
def test_any_text_is_expanded_or_refused(text: str) -> None:
    try:
        expanded = expand(text)
    except ConfigError:
        return
    if "${" not in text:
        assert expanded == text


PROMPT = {"type": "promptString", "id": "api-key", "description": "Your key", "password": True}
PICK = {"type": "pickString", "id": "region", "options": ["eu", "us"], "default": "eu"}


def asked(inputs: InputSource | None = None, reference: str = "api-key", **environ: str) -> str:
    config = {"inputs": [PROMPT, PICK], "servers": {"it": {"command": "x", "args": [f"${{input:{reference}}}"] * 2}}}
    (server,) = load(config, inputs=inputs, environ=environ)
    assert isinstance(server, Stdio)
    assert server.args[0] == server.args[1]
    return server.args[0]


def test_an_input_is_taken_from_the_caller_then_the_environment_then_the_default() -> None:
    assert asked({"api-key": "k"}, TOOLGRAFT_INPUT_API_KEY="other") == "k"
    assert asked({"region": "us"}, TOOLGRAFT_INPUT_API_KEY="other") == "other"
    assert asked(reference="region") == "eu"
    assert asked(reference="region", TOOLGRAFT_INPUT_REGION="us") == "us"
    assert asked({"undeclared": "u"}, reference="undeclared") == "u"


def test_an_input_is_asked_for_once_with_all_that_is_known_of_it() -> None:
    calls: list[Input] = []

    def ask(wanted: Input) -> str:
        calls.append(wanted)
        return "typed"

    assert asked(ask) == "typed"
    assert calls == [Input("api-key", "Your key", password=True)]


def test_an_input_without_value_says_how_to_give_one() -> None:
    with pytest.raises(
        ConfigError, match=r"it\.args\[0\]: input 'api-key' \(Your key\) has no value; give load\(inputs="
    ):
        asked()
    with pytest.raises(ConfigError, match="set TOOLGRAFT_INPUT_API_KEY"):
        asked(lambda wanted: None)  # type: ignore[arg-type,return-value]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="did you mean 'api-key'"):
        asked(reference="api_key")
    with pytest.raises(ConfigError, match="was given int, not a string"):
        asked({"api-key": 3})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
