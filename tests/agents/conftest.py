import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose name needs quoting, where no agent is installed, and no `claude` on the path."""
    home = tmp_path / "hömé of a 'user'"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "ANCHORMEM_DATA_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{home / 'tools'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return home


@pytest.fixture
def command(home: Path) -> Callable[[str, str], Path]:
    """`command(name, script)` puts a shell script on the path."""

    def make(name: str, script: str) -> Path:
        path = home / "tools" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
        return path

    return make
