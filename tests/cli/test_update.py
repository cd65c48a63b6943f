"""`anchormem update`: through which tool, from where, and to which version. The whole of it: tests/journeys."""

from pathlib import Path

import pytest

from anchormem.cli.update import Installed, is_newer, newest, refuse_foreign, way_of
from anchormem.errors import AnchormemError, Refused


def test_an_index_that_cannot_be_reached_is_an_error_and_no_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    with pytest.raises(AnchormemError) as caught:
        newest(way_of(Installed(tmp_path, "pip", "")))
    assert "pip cannot reach the package index" in caught.value.message
    assert "look at the network" in caught.value.hint


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with uv and pipx on it, that nobody runs."""
    for name in ("uv", "pipx"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("mark", "installer", "tool", "upgrade"),
    [
        ("", "pip", "pip", "-m pip --disable-pip-version-check --no-input install --upgrade --quiet anchormem"),
        ("", "uv", "uv", "uv pip install --python"),
        ("uv-receipt.toml", "uv", "uv", "uv tool upgrade --compile-bytecode anchormem"),
        ("pipx_metadata.json", "pip", "pipx", "pipx upgrade anchormem"),
        ("pipx_metadata.json", "uv", "pipx", "pipx upgrade anchormem"),
    ],
)
def test_the_tool_is_told_by_what_it_leaves_beside_the_program(
    tools: Path, mark: str, installer: str, tool: str, upgrade: str
) -> None:
    prefix = tools / "env"
    prefix.mkdir()
    if mark:
        (prefix / mark).touch()
    way = way_of(Installed(prefix, installer, ""))
    assert way.tool == tool
    assert upgrade in " ".join(way.upgrade)
    assert "--dry-run" in way.look
    assert str(tools) in way.upgrade[0] or tool == "pip"


def test_another_installer_is_named_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="installed by conda"):
        way_of(Installed(tmp_path, "conda", ""))


def test_a_tool_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AnchormemError, match="uv installed anchormem and is not on PATH"):
        way_of(Installed(tmp_path, "uv", ""))


@pytest.mark.parametrize(
    ("direct", "told"),
    [
        ('{"url": "file:///home/a/anchormem", "dir_info": {"editable": true}}', "the folder /home/a/anchormem"),
        ('{"url": "https://example.com/anchormem.git", "vcs_info": {}}', "https://example.com/anchormem.git"),
        ("not json", "an address"),
    ],
)
def test_what_came_from_elsewhere_is_not_replaced_by_what_an_index_has(tmp_path: Path, direct: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        refuse_foreign(Installed(tmp_path, "pip", direct))


@pytest.mark.parametrize(
    ("offered", "than", "newer"),
    [
        ("0.2.0", "0.1.9", True),
        ("0.10.0", "0.9.0", True),
        ("0.1.0", "0.1.0", False),
        ("0.1", "0.1.0", False),
        ("0.1.0", "0.2.0", False),
        ("0.2.0", "0.2.0rc1", True),
        ("0.2.0rc2", "0.2.0rc1", True),
        ("0.2.0rc1", "0.2.0", False),
        ("0.2.0.post1", "0.2.0", True),
        ("", "0.1.0", False),
    ],
)
def test_versions_compare_as_numbers(offered: str, than: str, *, newer: bool) -> None:
    assert is_newer(offered, than) is newer
