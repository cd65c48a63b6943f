"""A newer version comes out: it is told, brought by pip from an index on loopback, and runs."""

import io
import os
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

from anchormem import __version__
from cli.index import dependencies, serving, wheel


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
