"""Opening, refreshing and closing at the same time, from several tasks, loops and threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from toolgraft import Toolbox, connect
from toolgraft.errors import ClosedError

from tests.toolbox.conftest import Scripted, until

pytestmark = pytest.mark.anyio

Make = Callable[..., Scripted]


@pytest.mark.faults("L6", "L8")
async def test_a_toolbox_closed_while_it_opens_leaves_no_process(scripted: Make) -> None:
    good, silent = scripted("good", "a"), scripted("silent", "b", hang=["initialize"])
    toolbox = connect(good.declared(), silent.declared())

    async def opened() -> None:
        with pytest.raises(ClosedError):
            await toolbox.__aenter__()

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(opened)
            await until(lambda: bool(good.pids and silent.pids))
            await toolbox.close()
    assert not good.running
    assert not silent.running


@pytest.mark.faults("L6", "L8")
async def test_a_cancelled_opening_of_three_leaves_no_process(scripted: Make) -> None:
    servers = [scripted("a", "x"), scripted("b", "x"), scripted("silent", "x", hang=["initialize"])]
    tasks = asyncio.all_tasks()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(connect(*[each.declared() for each in servers]).__aenter__)
            await until(lambda: all(each.pids for each in servers))
            group.cancel_scope.cancel()
    assert not [each.running for each in servers if each.running]
    assert asyncio.all_tasks() == tasks


@pytest.mark.faults("L12")
async def test_two_refreshes_at_once_start_a_server_once(scripted: Make, tmp_path: Path) -> None:
    late = scripted("late", "a")
    folder = tmp_path / "later"
    async with connect(late.declared(cwd=folder)) as toolbox:
        assert "late" in toolbox.failures
        folder.symlink_to(Path(__file__).parent.parent.parent)
        async with anyio.create_task_group() as group:
            group.start_soon(toolbox.refresh)
            group.start_soon(toolbox.refresh)
        assert not toolbox.failures
        assert len(late.pids) == 1
    assert not late.running


async def test_closing_during_a_refresh_leaves_no_process(scripted: Make, tmp_path: Path) -> None:
    late = scripted("late", "a", hang=["initialize"])
    folder = tmp_path / "later"
    toolbox = connect(late.declared(cwd=folder))
    async with toolbox:
        folder.symlink_to(Path(__file__).parent.parent.parent)

        async def refreshed() -> None:
            with pytest.raises(ClosedError):
                await toolbox.refresh()

        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(refreshed)
                await until(lambda: bool(late.pids))
                await toolbox.close()
    assert not late.running


@pytest.mark.faults("L7")
async def test_a_refresh_from_another_loop_connects_at_home(scripted: Make, tmp_path: Path) -> None:
    late = scripted("late", "a")
    folder = tmp_path / "later"
    async with connect(late.declared(cwd=folder)) as toolbox:
        folder.symlink_to(Path(__file__).parent.parent.parent)
        await anyio.to_thread.run_sync(lambda: asyncio.run(toolbox.refresh()))
        assert not toolbox.failures
        result = await toolbox.call("a", {})
        assert not result.is_error


@pytest.mark.faults("L7")
async def test_a_close_from_another_loop_ends_all_processes(scripted: Make) -> None:
    one, two = scripted("one", "a"), scripted("two", "b")
    toolbox = await connect(one.declared(), two.declared()).__aenter__()
    await anyio.to_thread.run_sync(lambda: asyncio.run(toolbox.close()))
    assert not one.running
    assert not two.running


async def test_calls_and_refreshes_go_on_side_by_side(scripted: Make) -> None:
    server = scripted("server", "a", "b")
    answers: list[Any] = []
    async with connect(server.declared()) as toolbox:
        tool = toolbox.find("a")

        async def called() -> None:
            answers.append(await tool.call({}))

        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(called)
                group.start_soon(toolbox.refresh)
        assert toolbox.find("a") is tool
    assert [answer.is_error for answer in answers] == [False] * 10


async def test_an_error_in_the_block_leaves_no_process_and_comes_out_as_it_is(scripted: Make) -> None:
    server = scripted("server", "a")
    with pytest.raises(KeyError, match="mine"):
        async with connect(server.declared()):
            raise KeyError("mine")
    assert not server.running


async def test_a_toolbox_within_a_toolbox_of_the_same_server_is_its_own(scripted: Make) -> None:
    server = scripted("server", "a")
    declared = server.declared()
    async with connect(declared) as outer:
        async with Toolbox([replace(declared, name="again")]) as inner:
            assert not (await inner.call("a", {})).is_error
        assert not (await outer.call("a", {})).is_error
    assert not server.running
