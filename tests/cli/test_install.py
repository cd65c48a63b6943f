"""install.sh: with a Python, a pip and a command that only pretend, and once with a real pip and an index."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from anchormem.agents.table import AGENTS
from cli.index import dependencies, serving, wheel

INSTALLER = Path(__file__).parents[2] / "install.sh"

WORDS = ("sh", "dirname", "mkdir", "chmod", "rm", "ln", "cp", "mktemp")
PYTHON = """#!/bin/sh
echo "$*" >> "$HOME/calls"
[ "$1 $2" = "-m venv" ] || exit "${OTHERS_END:-0}"
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
    for word in ("git", *WORDS):
        found = shutil.which(word)
        assert found
        (home / "tools" / word).symlink_to(found)
    return home


def install(
    home: Path, here: str, *words: str, installer: Path = INSTALLER, **more: str
) -> subprocess.CompletedProcess[str]:
    """On a machine that has nothing but what is in `tools`."""
    env = {"HOME": str(home), "PATH": str(home / "tools"), **more}
    return subprocess.run(
        ["sh", str(installer), *words], check=False, cwd=here, env=env, capture_output=True, text=True, timeout=120
    )


def script(home: Path, name: str, text: str) -> Path:
    path = home / "tools" / name
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The script by itself, as somebody downloads it."""
    (tmp_path / "downloads").mkdir()
    return Path(shutil.copy(INSTALLER, tmp_path / "downloads"))


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


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("--hooks", "--help"), ("--nonsense", "--help")])
def test_help_is_printed_before_anything_is_done(home: Path, words: tuple[str, ...]) -> None:
    done = install(home, str(home), *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: sh install.sh [options]\n")
    assert [path.name for path in home.iterdir()] == ["tools"]


def test_help_names_every_client_and_every_option_that_is_taken(home: Path) -> None:
    shown = install(home, str(home), "--help").stdout
    assert f" {' '.join(one.name for one in AGENTS)}\n" in shown
    for words in (["--hooks"], ["--hooks", "edits"], ["--hooks=session", "--statusline"], ["--statusline", "--hooks"]):
        assert {word.partition("=")[0] for word in words if word.startswith("-")} <= set(re.findall("--[a-z-]+", shown))
        assert f"ran install {' '.join(words)}\n" in install(home, str(home), *words).stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--hook"], "unknown option --hook"),
        (["cursor"], "unknown option cursor"),
        (["--dry-run"], "unknown option --dry-run"),
        (["--hooks=all"], "unknown option --hooks=all"),
        (["--hooks", "all"], "unknown option all"),
        (["--client"], "--client needs a name"),
        (["--client", "emacs"], "no such client: emacs"),
        (["--client=cursor codex"], "no such client: cursor codex"),
        (["--client="], "no such client: "),
        (["--client", "--hooks"], "no such client: --hooks"),
        (["--no-register", "--hooks"], "--no-register leaves agents alone"),
        (["--hooks", "--no-register"], "--no-register leaves agents alone"),
        ([""], "unknown option "),
    ],
)
def test_what_is_no_option_is_refused_before_anything_is_installed(home: Path, words: list[str], told: str) -> None:
    done = install(home, str(home), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"anchormem: {told}")
    assert "nothing was installed; sh install.sh --help" in done.stderr
    assert [path.name for path in home.iterdir()] == ["tools"]


@pytest.mark.parametrize("here", ["/", ""])
def test_it_looks_at_the_checkout_wherever_it_is_started(home: Path, here: str) -> None:
    done = install(home, here or str(home))
    assert f"ran doctor --root {INSTALLER.parent}\n" in done.stdout
    *_, demo, last = done.stdout.splitlines()
    assert demo == "ran demo"
    assert last.startswith("anchormem: done. In a project, type: anchormem seed")


@pytest.mark.parametrize(
    ("missing", "told"),
    [("git", "git was not found\n  Install git"), ("python3", "Python 3.11 or newer was not found\n  Install it")],
)
def test_what_is_missing_is_named_and_nothing_is_changed(missing: str, told: str, home: Path) -> None:
    (home / "tools" / missing).unlink()
    done = install(home, str(home))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"anchormem: {told}")
    assert [path.name for path in home.iterdir()] == ["tools"]


def test_of_several_pythons_the_first_that_is_new_enough_is_taken(home: Path) -> None:
    (home / "tools" / "python3").rename(home / "tools" / "python3.12")
    script(home, "python3", "exit 1")
    script(home, "python3.13", "exit 1")
    assert install(home, str(home)).returncode == 0
    assert "-m venv" in (home / "calls").read_text("utf-8")


def test_where_no_environment_can_be_made_the_package_that_is_missing_is_named(home: Path) -> None:
    script(home, "python3", '[ "$1" = -c ]')
    done = install(home, str(home))
    assert done.returncode == 1
    assert "no environment could be created in" in done.stderr
    assert "apt install python3-venv" in done.stderr
    assert not (home / ".local/bin").exists()


def test_where_the_package_cannot_be_had_nothing_is_linked(home: Path) -> None:
    pip = '[ "$2" != pip ] || OTHERS_END=1'
    script(home, "python3", f"{pip}\n{PYTHON.removeprefix('#!/bin/sh')}")
    done = install(home, str(home))
    assert done.returncode == 1
    assert "the package could not be installed" in done.stderr
    assert not (home / ".local/bin").exists()


def test_a_folder_that_is_not_on_the_path_is_said_and_one_that_is_is_not(home: Path) -> None:
    bin_ = home / ".local/bin"
    assert f"{bin_} is not on your PATH" in install(home, str(home)).stdout
    assert "not on your PATH" not in install(home, str(home), PATH=f"{home / 'tools'}:{bin_}").stdout
    elsewhere = install(home, str(home), ANCHORMEM_BIN_DIR=str(home / "my bin"), ANCHORMEM_INSTALL_DIR=str(home / "e"))
    assert f"{home / 'my bin'} is not on your PATH" in elsewhere.stdout
    assert (home / "my bin" / "anchormem").resolve() == (home / "e/bin/anchormem").resolve()


@pytest.mark.parametrize(("version", "wanted"), [("", "anchormem"), ("1.2.3", "anchormem==1.2.3")])
def test_outside_of_a_checkout_the_published_package_is_installed(
    version: str, wanted: str, home: Path, alone: Path
) -> None:
    more = {"ANCHORMEM_VERSION": version} if version else {}
    done = install(home, str(home), installer=alone, **more)
    assert done.returncode == 0, done.stderr
    [pip] = [line for line in (home / "calls").read_text("utf-8").splitlines() if " pip install " in line]
    assert pip.endswith(f" {wanted}")
    assert f"--root {alone.parent}" not in done.stdout, "where the script lies is no project"


def test_uv_is_used_where_it_is(home: Path) -> None:
    script(home, "uv", f'echo "$*" >> "$HOME/uv"; [ "$1" != venv ] || "{home}/tools/python3" -m venv "$6"')
    done = install(home, str(home))
    assert done.returncode == 0, done.stderr
    made, installed = (home / "uv").read_text("utf-8").splitlines()
    assert made.startswith("venv --quiet --allow-existing --python python3 ")
    assert installed.endswith(f"--reinstall-package anchormem {INSTALLER.parent}")
    assert " pip " not in (home / "calls").read_text("utf-8")


SMALL = {
    "anchormem/__init__.py": b"",
    "anchormem/cli.py": b"import sys, anchormem\n\n\ndef main():\n    print(anchormem.__version__, *sys.argv[1:])\n",
}


@pytest.mark.skipif(os.name == "nt", reason="a POSIX script")
def test_a_real_pip_brings_the_version_asked_for_and_what_it_brought_is_run(home: Path, alone: Path) -> None:
    """Only the network is not: the index is on loopback, and has a small program of that name."""
    deps = dependencies(home / "deps")  # pip itself among them
    script(
        home, "python3",
        f"""[ "$1 $2" = "-m venv" ] || exec "{sys.executable}" "$@"
"{sys.executable}" -m venv --without-pip "$3"
for site in "$3"/lib/python*/site-packages; do echo "{deps}" > "$site/deps.pth"; done""",
    )  # fmt: skip
    with serving([wheel("99.0.1", SMALL), wheel("99.0.2", SMALL)]) as address:
        done = install(
            home, str(home), "--hooks", installer=alone, ANCHORMEM_VERSION="99.0.1", PIP_INDEX_URL=address
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n99.0.1 install --hooks\n99.0.1 doctor --root /" in done.stdout
    assert done.stdout.splitlines()[-2] == "99.0.1 demo"
    assert list((home / ".local/share/anchormem/env/lib").rglob("anchormem/__pycache__/cli.*.pyc"))
