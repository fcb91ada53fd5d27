"""Bytes in any pieces make the same lines and events, within a limit."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.connection.wire.http.event_stream import Event, EventReader
from toolgraft.connection.wire.lines import Cutter
from toolgraft.connection.wire.unreadable import TooLarge


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({cut % (len(data) + 1) for cut in cuts})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line)), st.lists(st.integers(0, 10**6)))
def test_lines_do_not_depend_on_how_the_bytes_come(lines: list[bytes], cuts: list[int]) -> None:
    cutter = Cutter(1000)
    data = b"".join(line + b"\n" for line in lines)
    assert [line for piece in pieces(data, cuts) for line in cutter.feed(piece)] == lines


@given(st.lists(st.integers(0, 40)), st.lists(st.integers(0, 10**6)))
def test_a_line_above_the_limit_is_told_and_the_next_is_whole(sizes: list[int], cuts: list[int]) -> None:
    cutter = Cutter(20)
    lines = [bytes(range(33, 33 + size)) for size in sizes]
    data = b"".join(line + b"\n" for line in lines)
    found = [line for piece in pieces(data, cuts) for line in cutter.feed(piece)]
    assert [line.head if isinstance(line, TooLarge) else line for line in found] == lines
    assert [-1 if isinstance(line, TooLarge) else len(line) for line in found] == [
        size if size <= 20 else -1 for size in sizes
    ]


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20)


@given(
    st.lists(st.tuples(st.sampled_from(["", "message", "endpoint"]), st.lists(TEXT, min_size=1, max_size=3))),
    st.sampled_from(["\n", "\r\n"]),
    st.lists(st.integers(0, 10**6)),
)
def test_events_do_not_depend_on_how_the_bytes_come(
    events: list[tuple[str, list[str]]], end: str, cuts: list[int]
) -> None:
    text = ""
    for kind, data in events:
        text += f": a comment{end}" + (f"event: {kind}{end}" if kind else "") + f"id: 7{end}"
        text += "".join(f"data: {line}{end}" for line in data) + end
    reader = EventReader(10_000)
    found = [event for piece in pieces(text.encode(), cuts) for event in reader.feed(piece)]
    assert [(each.kind, each.data) for each in found] == [
        (kind or "message", "\n".join(data).encode()) for kind, data in events
    ]


@pytest.mark.faults("T7")
def test_an_event_of_many_short_lines_takes_little_more_memory_than_they_are_long() -> None:
    reader, chunk = EventReader(10_000_000), b"data:ab\n" * 1_000
    tracemalloc.start()
    try:
        for _ in range(100):
            assert list(reader.feed(chunk)) == []
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 800_000  # of 300,000 bytes
    (event,) = reader.feed(b"\n")
    assert event.data == b"\n".join([b"ab"] * 100_000)


def test_an_event_above_the_limit_is_told_with_its_head_and_the_next_is_whole() -> None:
    reader = EventReader(50)
    big = b'data: {"id": 7, ' + b"x" * 100 + b"\n\n"
    many = b"".join(b"data: " + b"y" * 30 + b"\n" for _ in range(5)) + b"\n"
    found = list(reader.feed(big + many + b"data: {}\n\n"))
    assert isinstance(found[0].data, TooLarge)
    assert b'"id": 7' in found[0].data.head
    assert isinstance(found[1].data, TooLarge)
    assert found[2] == Event("message", b"{}")
