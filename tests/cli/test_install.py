"""install.sh, with a Python, a pip and a command that only pretend."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

INSTALLER = Path(__file__).parents[2] / "install.sh"

PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 0
mkdir -p "$3/bin"
for name in python anchormem; do
    [ ! -L "$3/bin/$name" ] || exit 1
done
cp "$0" "$3/bin/python"
printf '#!/bin/sh\\necho "ran $*"\\n' > "$3/bin/anchormem"
chmod 755 "$3/bin/anchormem"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "hömé with a space"
    (home / "tools").mkdir(parents=True)
    python = home / "tools" / "python3"
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(0o755)
    git = shutil.which("git")
    assert git
    (home / "tools" / "git").symlink_to(git)
    return home


def install(home: Path, here: str, *words: str) -> subprocess.CompletedProcess[str]:
    env = {"HOME": str(home), "PATH": f"{home / 'tools'}{os.pathsep}/usr/bin{os.pathsep}/bin"}
    return subprocess.run(
        ["sh", str(INSTALLER), *words], check=False, cwd=here, env=env, capture_output=True, text=True, timeout=60
    )


def test_the_folder_of_the_stores_is_for_its_owner_alone(home: Path) -> None:
    assert install(home, str(home)).returncode == 0
    assert (home / ".local/share/anchormem").stat().st_mode & 0o777 == 0o700


def test_an_environment_whose_python_is_gone_is_made_again(home: Path) -> None:
    links = home / ".local/share/anchormem/env/bin"
    links.mkdir(parents=True)
    (links / "python").symlink_to("/nowhere/python3")
    done = install(home, str(home))
    assert done.returncode == 0, done.stderr


def test_it_registers_and_hands_the_wishes_on(home: Path) -> None:
    said = install(home, str(home)).stdout
    assert said.index("ran install\n") < said.index("ran doctor")
    assert "ran install --hooks --client zed\n" in install(home, str(home), "--hooks", "--client", "zed").stdout


def test_it_leaves_agents_alone_when_told_to(home: Path) -> None:
    done = install(home, str(home), "--no-register")
    assert done.returncode == 0
    assert "ran install" not in done.stdout
    assert "ran doctor" in done.stdout
    assert install(home, str(home), "--no-register", "--hooks").returncode == 1


@pytest.mark.parametrize("here", ["/", ""])
def test_it_looks_at_the_checkout_wherever_it_is_started(home: Path, here: str) -> None:
    done = install(home, here or str(home))
    assert f"ran doctor --root {INSTALLER.parent}\n" in done.stdout
    assert done.stdout.endswith("ran demo\n")
