"""What packages make of a schema, as docs/providers.md tells it: a row that is no longer true says so here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.house.source import ROOT
from tests.providers.argument_names import schema_sent
from tests.providers.environment import run
from tests.providers.packages import PACKAGES

pytestmark = pytest.mark.timeout(200)

_ROW: Final = re.compile(
    r"^\| (?P<package>[\w-]+) \| `(?P<schema>.+?)` \| (?P<raises>raises )?`(?P<sent>.+?)` \|$", re.M
)
_SHORT: Final = {
    "Point": '{"type": "object", "properties": {"east": {"type": "number"}}}',
    "Circle": '{"type": "object", "properties": {"radius": {"type": "number"}}}',
}
ROWS: Final = list(_ROW.finditer((ROOT / "docs" / "providers.md").read_text("utf-8")))


def schema(row: re.Match[str]) -> Any:
    return json.loads(re.sub(r"\b(Point|Circle)\b", lambda name: _SHORT[name[0]], row["schema"]))


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each package sends of its rows."""
    forms = [
        {
            "id": str(at),
            "name": "t",
            "description": "Does.",
            "schema": {"type": "object", "properties": {"v": schema(row)}},
            "names": [],
            "packages": [row["package"]],
        }
        for at, row in enumerate(ROWS)
    ]
    path: Path = tmp_path_factory.mktemp("upstream") / "forms.json"
    path.write_text(json.dumps(forms), "utf-8")
    asked = [each for name in sorted({row["package"] for row in ROWS}) for each in ("--package", name)]
    return run("tests.providers.binding", str(path), "--sent", *asked, seconds=180)


def test_every_row_is_of_a_package_that_is_asked() -> None:
    assert len(ROWS) > 25
    assert {row["package"] for row in ROWS} <= PACKAGES.keys()


@pytest.mark.parametrize("at", range(len(ROWS)), ids=lambda at: f"{ROWS[at]['package']} {ROWS[at]['schema']}")
def test_a_package_makes_of_a_schema_what_the_docs_say(sent: dict[str, Any], at: int) -> None:
    row = ROWS[at]
    each = sent[row["package"]][str(at)]
    if row["raises"]:
        assert str(each["raised"]).startswith(row["sent"])
    else:
        assert each["raised"] is None
        assert schema_sent(each["sent"])["properties"]["v"] == json.loads(row["sent"])
