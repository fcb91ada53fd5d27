"""Installed packages are read once, and again when something was installed."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import pytest
from toolgraft.plugins.discovery import found_plugins


def add(folder: Path, name: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[toolgraft]\n{name} = {name}\n")


def names() -> set[str]:
    return {each.name for each in found_plugins()}


def test_a_plugin_that_is_installed_while_the_program_runs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    add(tmp_path, "early")
    assert "early" in names()
    add(tmp_path, "late")
    assert {"early", "late"} <= names()


def test_a_folder_that_comes_onto_the_path_is_searched_and_one_that_leaves_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "elsewhere")
    assert "elsewhere" not in names()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [str(tmp_path), *sys.path])
        assert "elsewhere" in names()
    assert "elsewhere" not in names()


def test_nothing_is_read_again_while_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    found_plugins()

    def read(**_: Any) -> Any:
        raise AssertionError("read again")

    monkeypatch.setattr(importlib.metadata, "entry_points", read)
    found_plugins()
