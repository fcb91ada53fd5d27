"""Tools of real servers with every provider's package: each tenth; with TOOLGRAFT_EVERY_TOOL=1 all, in half an hour."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest
from toolgraft_langchain.tools import MCPTool

from tests.providers.environment import run
from tests.providers.forms import DEFAULT, OWN, forms, listed
from tests.providers.packages import PACKAGES

pytestmark = pytest.mark.timeout(900)


EVERY: Final = 1 if os.environ.get("TOOLGRAFT_EVERY_TOOL") else 10


@pytest.fixture(scope="module")
def tools(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, MCPTool]:
    """Those whose schema is taken."""
    schemas: dict[str, Any] = {}
    for path in sorted(corpus.glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"]:
            schemas[f"{path.stem}/{tool['name']}/{len(schemas)}"] = tool["inputSchema"]
    asked = {title: schemas[title] for title in list(schemas)[::EVERY]}
    return listed(asked, tmp_path_factory.mktemp("corpus"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_real_tool_is_sent_with_every_argument_name_that_the_package_can_carry(
    tools: dict[str, MCPTool], tmp_path: Path, package: str
) -> None:
    path = tmp_path / "forms.json"
    path.write_text(json.dumps(list(forms(tools, [package]))), "utf-8")
    sent = run("tests.providers.binding", str(path), "--package", package, seconds=800)[package]
    assert len(sent) == 2 * len(tools)
    for given in (DEFAULT, OWN):
        mine = {title: each for title, each in sent.items() if title.startswith(given)}
        assert {title: each["raised"] for title, each in mine.items() if each["raised"]} == {}
        assert {title: each["lost"] for title, each in mine.items() if each["lost"]} == {}
