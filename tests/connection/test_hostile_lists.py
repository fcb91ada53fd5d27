"""Lists that a hostile server writes: each piece costs itself, the rest is served, and the work is bounded."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import ListLimits
from toolgraft.connection import ListCut
from toolgraft.connection.listing.listing import Listing, all_pages, list_all
from toolgraft.connection.listing.read_tool import ServerRefused, read_tool
from toolgraft.connection.wire.lenient_json import read_json
from toolgraft.errors import ConfigError, ConnectError
from toolgraft.spec import Refusal, ToolSpec

from tests.connection.conftest import StartRaw, raw_http, raw_stdio, talk

OBJECT: dict[str, Any] = {"type": "object"}
WAYS = ["stdio", "http", "sse"]


def way(transport: str, start_raw: StartRaw, *options: str, **settings: Any) -> Any:
    if transport == "stdio":
        return raw_stdio(*options, **settings)
    return raw_http(start_raw(*options, kind=transport), **settings)


async def listed(*tools: Any, limits: ListLimits | None = None) -> Listing:
    async def page(_cursor: str | None) -> dict[str, Any]:
        return {"tools": list(tools)}

    return await list_all("s", page, limits=limits or ListLimits())


def refused(listing: Listing) -> dict[str, str]:
    return {each.ref.tool: each.pointer for each in listing.refused}


@pytest.mark.anyio
@pytest.mark.faults("D11", "D12", "D13")
@pytest.mark.parametrize("transport", WAYS)
async def test_each_hostile_piece_is_a_refusal_of_its_own_and_the_rest_is_served(
    transport: str, start_raw: StartRaw
) -> None:
    async with talk(way(transport, start_raw, "--list", "hostile")) as line:
        listing = await line.connection.list_tools()
        named = [tool.name for tool in listing.tools]
        assert named == ["good", "deep_meta", "delete", "\u0443\u0434\u0430\u043b\u0438\u0442\u044c"]
        assert refused(listing) == {
            "talks": "/description",
            "titled": "/annotations/title",
            "deep": "/inputSchema",
            "wide": "/inputSchema",
            "deep_output": "/outputSchema",
            "#7": "/name",
            "re\x1b[31md": "/name",
            "zero\u200bwidth": "/name",
            "half\ufffd": "/name",
            "d\u0435lete": "/name",
        }
        assert all(len(str(each)) < 500 for each in listing.refused)
        assert len(repr(listing.tools[1].meta)) < 10_000, "what is for programs costs no tool, and has an end"
        assert await line.says("good") == "good"


@pytest.mark.anyio
@pytest.mark.faults("D11")
@pytest.mark.parametrize("transport", WAYS)
async def test_a_list_beyond_its_limits_is_cut_and_says_so(transport: str, start_raw: StartRaw) -> None:
    limits = ListLimits(tools=100, pages=7)
    async with talk(way(transport, start_raw, "--list", "endless", list_limits=limits)) as line:
        listing = await line.connection.list_tools()
        assert [tool.name for tool in listing.tools] == [f"t{at}" for at in range(7)]
        assert listing.cut in listing.warnings
        assert len(line.heard(ListCut)) == 1
    async with talk(way(transport, start_raw, "--list", "many", list_limits=limits)) as line:
        listing = await line.connection.list_tools()
        assert len(listing.tools) == 100
        assert listing.cut


@pytest.mark.anyio
@pytest.mark.faults("D11")
async def test_twenty_thousand_tools_are_listed_and_not_one_more() -> None:
    async with talk(raw_stdio("--list", "many")) as line:
        listing = await line.connection.list_tools()
        assert len(listing.tools) == ListLimits().tools == 20_000
        assert "too long" in listing.cut


@pytest.mark.anyio
@pytest.mark.faults("D11")
@pytest.mark.parametrize("transport", WAYS)
async def test_a_limit_may_refuse_the_whole_server(transport: str, start_raw: StartRaw) -> None:
    for options, limits in (
        ("hostile", ListLimits(on_description="refuse_server")),
        ("hostile", ListLimits(on_schema="refuse_server")),
        ("hostile", ListLimits(on_name="refuse_server")),
        ("endless", ListLimits(pages=3, on_length="refuse_server")),
    ):
        with pytest.raises(ConnectError, match="the server is not served \\(set by list_limits\\)"):
            async with talk(way(transport, start_raw, "--list", options, list_limits=limits)):
                pytest.fail("it is served")


@pytest.mark.anyio
@pytest.mark.faults("D11")
async def test_no_more_pages_are_asked_for_than_the_limit_allows() -> None:
    asked: list[str | None] = []

    async def endless(cursor: str | None) -> dict[str, Any]:
        asked.append(cursor)
        return {"tools": [], "nextCursor": str(len(asked))}

    _, cut, _ = await all_pages(endless, "tools", ListLimits(pages=5))
    assert len(asked) == 5
    assert cut

    async def wide(cursor: str | None) -> dict[str, Any]:
        asked.append(cursor)
        return {"tools": [], "nextCursor": "x" * 1_000_000}

    asked.clear()
    _, (said,), _ = await all_pages(wide, "tools")
    assert asked == [None]
    assert "1,000,000" in said


class Counted(dict[str, Any]):
    """A schema that counts how often somebody looks into it."""

    looks = 0

    def values(self) -> Any:
        type(self).looks += 1
        return super().values()


@pytest.mark.faults("D11")
def test_a_schema_is_not_walked_beyond_its_limits() -> None:
    deep: dict[str, Any] = Counted(type="object")
    for _ in range(10_000):
        deep = Counted(properties=deep)
    Counted.looks = 0
    read = read_tool("s", 0, {"name": "t", "inputSchema": deep})
    assert isinstance(read, Refusal)
    assert Counted.looks <= ListLimits().schema_depth


@pytest.mark.anyio
@pytest.mark.faults("D11")
@pytest.mark.parametrize("field", ["description", "title"])
@pytest.mark.parametrize("letter", ["a", "é", "漢", "🎉"])
async def test_a_text_that_is_to_be_cut_is_served_with_a_mark_within_its_bytes(field: str, letter: str) -> None:
    limits = ListLimits(description_bytes=100, on_description="cut")
    text = letter * 101
    listing = await listed({"name": "wordy", field: text}, {"name": "short", field: letter * 25}, limits=limits)
    wordy, short = listing.tools
    told = getattr(wordy, field)
    assert told.endswith("[…]")
    assert 80 < len(told.encode()) <= 100
    assert getattr(short, field) == letter * 25
    assert [str(flag) for flag in wordy.flags] == [f"cut from {len(text.encode()):,} bytes to 100 (at '/{field}')"]
    assert any("'wordy' has cut from" in warning for warning in listing.warnings)


@pytest.mark.anyio
@pytest.mark.faults("D11")
async def test_bytes_are_counted_not_characters() -> None:
    limits = ListLimits(description_bytes=100, schema_bytes=100)
    tools = [
        {"name": "fits", "description": "a" * 100},
        {"name": "not", "description": "é" * 51},
        {"name": "schema", "inputSchema": {**OBJECT, "title": "é" * 50}},
    ]
    listing = await listed(*tools, limits=limits)
    assert [tool.name for tool in listing.tools] == ["fits"]
    assert refused(listing) == {"not": "/description", "schema": "/inputSchema"}


@pytest.mark.anyio
@pytest.mark.faults("D11")
async def test_names_may_be_held_to_the_grammar_of_the_protocol() -> None:
    names = ("fine", "a.b-c_d", "with space", "ümlaut", "x" * 129)
    listing = await listed(*({"name": name} for name in names), limits=ListLimits(names="mcp"))
    assert [tool.name for tool in listing.tools] == ["fine", "a.b-c_d"]
    assert len(listing.refused) == 3
    assert len((await listed(*({"name": name} for name in names))).tools) == 5


@pytest.mark.parametrize(
    "wrong",
    [{"tools": 0}, {"on_name": "cut"}, {"schema_depth": 101}, {"schema_nodes": 20_001}, {"hidden": True}],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        ListLimits(**wrong)


@pytest.mark.anyio
@pytest.mark.faults("D13")
@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_names_that_look_the_same_the_one_in_plain_letters_is_served(turned: bool) -> None:
    tools = [{"name": "delete"}, {"name": "d\u0435l\u0435t\u0435"}]
    listing = await listed(*(tools[::-1] if turned else tools))
    assert [tool.name for tool in listing.tools] == ["delete"]
    (impostor,) = listing.refused
    assert "looks like that of the tool 'delete'" in impostor.reason


@pytest.mark.anyio
@pytest.mark.faults("D13")
@pytest.mark.parametrize(
    "name",
    [
        "\uff44elete",
        "d\u0435lete",
        "\U0001d41delete",
        "\u0501\u0435\u04cf\u0435t\u0435",
        "del\u00e9te",
    ],
)
async def test_look_alikes_come_in_many_alphabets(name: str) -> None:
    listing = await listed({"name": "delete"}, {"name": name})
    assert [tool.name for tool in listing.tools] == ["delete"]


@pytest.mark.anyio
@pytest.mark.faults("D13")
async def test_a_name_in_one_script_is_served_and_one_in_several_is_flagged() -> None:
    names = ("удалить", "削除する", "삭제", "حذف", "tool_削除", "p\u0430ypal")
    listing = await listed(*({"name": name} for name in names))
    assert [tool.name for tool in listing.tools] == list(names)
    assert [tool.name for tool in listing.tools if tool.flags] == ["p\u0430ypal"]
    assert "Cyrillic, Latin" in str(listing.tools[-1].flags[0])
    assert any("Cyrillic, Latin" in warning for warning in listing.warnings)


@pytest.mark.faults("D11")
@pytest.mark.parametrize("depth", [150, 900, 10_000, 100_000])
def test_json_that_is_nested_deeper_than_any_reader_goes_costs_that_value_alone(depth: int) -> None:
    for open_, close, inner in (("[", "]", 0), ('{"a\\"]":', "}", 'a"]')):
        deep = open_ * depth + "1" + close * depth
        text = f'{{"first": "[{{", "deep": {deep}, "last": [2]}}'
        read = read_json(text.encode())
        assert read["first"] == "[{"
        assert read["last"] == [2]
        at: Any = read["deep"]
        levels = 0
        while not isinstance(at, str | int):
            at, levels = at[inner], levels + 1
        assert levels == depth if at == 1 else levels >= 199
        assert at == 1 or "nested deeper" in str(at)


def test_deep_json_whose_brackets_do_not_match_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"bracket|Extra|Expecting|nested"):
        read_json(b"[" * 100_000)
    with pytest.raises(ValueError, match=r"bracket|Extra|Expecting|nested"):
        read_json(b"[" * 100_000 + b"]" * 100_001)


TEXT = st.text(st.characters(codec=None), max_size=12)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
TIGHT = [
    ListLimits(),
    ListLimits(name=3, description_bytes=64, schema_bytes=64, schema_depth=2, schema_nodes=3, on_description="cut"),
    ListLimits(hidden="refuse_tool", names="mcp"),
    ListLimits(hidden="keep"),
    ListLimits(on_name="refuse_server", on_schema="refuse_server", hidden="refuse_server"),
]


@given(
    st.fixed_dictionaries(
        {"name": TEXT},
        optional={
            "title": TEXT | TREES,
            "description": TEXT.map(lambda text: text * 9),
            "inputSchema": st.dictionaries(TEXT, TREES, max_size=3),
            "outputSchema": TREES,
            "annotations": TREES,
            "_meta": TREES,
        },
    ),
    st.sampled_from(TIGHT),
)
@pytest.mark.faults("D11", "D12")
def test_whatever_text_stands_in_a_tool_it_is_served_within_the_limits_or_refused(
    raw: dict[str, Any], limits: ListLimits
) -> None:
    try:
        read = read_tool("s", 0, raw, limits=limits)
    except ServerRefused:
        assert "refuse_server" in (limits.on_name, limits.on_schema, limits.hidden)
        return
    if isinstance(read, ToolSpec):
        read.name.encode()
        assert len(read.name) <= limits.name
        assert len(read.description.encode("utf-8", "surrogatepass")) <= limits.description_bytes
        written = json.dumps(raw.get("inputSchema", {}), ensure_ascii=False, separators=(",", ":"))
        assert len(written.encode("utf-8", "surrogatepass")) <= limits.schema_bytes


@pytest.mark.anyio
@pytest.mark.faults("D11")
async def test_a_flood_of_refusals_is_recorded_whole_and_logged_in_part(
    start_raw: StartRaw, caplog: pytest.LogCaptureFixture
) -> None:
    flood: Callable[[], Any] = lambda: raw_stdio("--list", "many", list_limits=ListLimits(names="mcp", name=3))  # noqa: E731
    async with talk(flood()) as line:
        listing = await line.connection.list_tools()
        assert len(listing.tools) == 100
        assert len(listing.refused) == 19_900
    assert len(caplog.records) < 100
    assert any("19,880 more" in record.getMessage() for record in caplog.records)
