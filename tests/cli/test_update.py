"""`anchormem update`: a newer version through the tool that installed this one, from an index on loopback."""

import io
import os
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

from anchormem import __version__
from anchormem.cli.update import Installed, is_newer, newest, refuse_foreign, way_of
from anchormem.errors import AnchormemError, Refused
from cli.index import dependencies, serving, wheel


def test_an_index_that_cannot_be_reached_is_an_error_and_no_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    with pytest.raises(AnchormemError) as caught:
        newest(way_of(Installed(tmp_path, "pip", "")))
    assert "pip cannot reach the package index" in caught.value.message
    assert "look at the network" in caught.value.hint


def as_by_pip(site: Path, bin_: Path) -> None:
    """This version as pip would have left it there."""
    zipfile.ZipFile(io.BytesIO(wheel(__version__)[1])).extractall(site)
    (site / f"anchormem-{__version__}.dist-info" / "INSTALLER").write_text("pip\n", "utf-8")
    script = bin_ / "anchormem"
    script.write_text(f"#!{bin_ / 'python'}\nimport sys\nfrom anchormem.cli import main\nsys.exit(main())\n", "utf-8")
    script.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="written for the layout of environments elsewhere")
def test_an_installed_one_upgrades_itself_and_looks_itself_over(tmp_path: Path) -> None:
    """The whole of it, in an environment of its own that pip made."""
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    (site / "deps.pth").write_text(f"{dependencies(tmp_path / 'deps')}\n", "utf-8")
    env = {**os.environ, "PIP_NO_COMPILE": "1"}
    env.pop("PYTHONPATH", None)  # it would put another anchormem before both
    bin_ = tmp_path / "env" / "bin"
    (tmp_path / "project").mkdir()

    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, cwd=tmp_path / "project", env=env, capture_output=True, text=True, check=False, timeout=120
        )

    as_by_pip(site, bin_)
    with serving([wheel(__version__), wheel("99.0.1")]) as env["PIP_INDEX_URL"]:
        looked = run(str(bin_ / "anchormem"), "update", "--check", "--json")
        done = run(str(bin_ / "anchormem"), "update")
    assert looked.returncode == 10, looked.stderr
    assert f'"installed":"{__version__}","was":"{__version__}","newest":"99.0.1","by":"pip"' in looked.stdout
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"anchormem 99.0.1, by pip; it was {__version__}\n")
    assert "does not run" not in done.stdout
    assert run(str(bin_ / "anchormem"), "--version").stdout == "anchormem 99.0.1\n"


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
