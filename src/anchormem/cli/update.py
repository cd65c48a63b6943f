"""`anchormem update`: a newer version, by the tool that installed this one. The only command that uses the network.

What is newest, where packages come from and through which proxy is that tool's business: it is asked, and nobody else.
"""

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from anchormem import __version__
from anchormem.agents.program import NAME, words
from anchormem.cli.options import Options, Parser, add_json
from anchormem.cli.screen import paint, plain, say
from anchormem.errors import AnchormemError, Refused
from anchormem.project.root import find_root
from anchormem.reason.envelope import compact
from anchormem.text import secrets

NEWER = 10  # exit code of --check
_LOOK_SECONDS, _UPGRADE_SECONDS = 90, 900
_SHOWN_LINES, _SHOWN_LINE = 4, 300
_UNREACHABLE = re.compile(
    r"connect|resolve|resolution|timed? ?out|network|unreachable|retry|retries|dns|offline|proxy|\bssl\b|certificate",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Way:
    """`look`: prints what an upgrade would install, and installs nothing. `read`: the version in that, or ""."""

    tool: str
    look: tuple[str, ...]
    upgrade: tuple[str, ...]
    read: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Installed:
    """How this program came here. `prefix`: of its Python. `installer` and `direct`: as its metadata has them."""

    prefix: Path
    installer: str
    direct: str  # `direct_url.json` of PEP 610, "" for an index


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--check", action="store_true", help=f"only look: ends with {NEWER} when there is a newer one")
    add_json(parser)


def run(options: Options) -> int:
    installed = _installed()
    way = way_of(installed)
    offered = newest(way)
    newer = offered if is_newer(offered) else ""
    if options.check or not newer:
        _tell(options, way, newer)
        return NEWER if newer and options.check else 0
    refuse_foreign(installed)
    done = _ran(way.upgrade, _UPGRADE_SECONDS)
    if done.returncode:
        raise AnchormemError(f"{way.tool} could not upgrade {NAME}: {_last(done)}", "the version here stays as it was")
    now = _version()
    if now == __version__:
        raise AnchormemError(f"{way.tool} left {NAME} at {now}; {newer} is out", f"by hand: {' '.join(way.upgrade)}")
    _tell(options, way, "", now)
    return _doctor(options)


def _installed() -> Installed:
    try:
        found = importlib.metadata.distribution(NAME)
    except importlib.metadata.PackageNotFoundError:
        raise Refused(f"{NAME} runs from a folder and is not installed", "git pull brings a newer version") from None
    installer = (found.read_text("INSTALLER") or "").strip()
    return Installed(Path(sys.prefix), installer, found.read_text("direct_url.json") or "")


def way_of(installed: Installed) -> Way:
    """The tool that installed it, told by what that tool leaves beside it. Refused for one that is not known."""
    python = sys.executable
    by_pip = (python, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--upgrade")
    by_uv = (_on_path("uv") if installed.installer == "uv" else "uv", "pip", "install", "--python", python)
    alone = ("--no-deps", NAME)
    look_by_pip = (
        *by_pip,
        "--quiet",
        "--retries=1",
        "--timeout=15",
        "--dry-run",
        "--ignore-installed",
        "--report=-",
        *alone,
    )
    look_by_uv = (
        *by_uv,
        "--dry-run",
        "--color=never",
        f"--refresh-package={NAME}",
        f"--upgrade-package={NAME}",
        *alone,
    )
    if (installed.prefix / "uv-receipt.toml").is_file():
        uv = _on_path("uv")
        return Way("uv", look_by_uv, (uv, "tool", "upgrade", "--compile-bytecode", NAME), _by_uv)
    if (installed.prefix / "pipx_metadata.json").is_file():
        return Way("pipx", look_by_pip, (_on_path("pipx"), "upgrade", NAME), _by_pip)
    if installed.installer == "uv":
        upgrade = (*by_uv, "--compile-bytecode", f"--refresh-package={NAME}", f"--upgrade-package={NAME}", NAME)
        return Way("uv", look_by_uv, upgrade, _by_uv)
    if installed.installer in ("pip", ""):
        return Way("pip", look_by_pip, (*by_pip, "--quiet", NAME), _by_pip)
    raise Refused(f"{NAME} was installed by {plain(installed.installer)[:40]}", "that tool brings a newer version")


def refuse_foreign(installed: Installed) -> None:
    """What came from a folder or an address would be replaced by something else."""
    if not installed.direct:
        return
    try:
        url = json.loads(installed.direct)["url"]
    except (ValueError, KeyError, TypeError):
        url = ""
    if not isinstance(url, str) or not url.startswith("file:"):
        raise Refused(f"{NAME} was installed from {_safe(str(url)) or 'an address'}", "install it from there again")
    folder = url.removeprefix("file://")
    raise Refused(f"{NAME} was installed from the folder {_safe(folder)}", "there: git pull, then sh install.sh")


def _on_path(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        raise AnchormemError(f"{tool} installed {NAME} and is not on PATH", f"put {tool} on PATH, then run this again")
    return found


def newest(way: Way) -> str:
    """The newest version that the index offers for this Python, "" where an upgrade would do nothing. Installs nothing.

    Raises AnchormemError when the index cannot be reached or knows no anchormem.
    """
    done = _ran(way.look, _LOOK_SECONDS)
    said = f"{done.stdout}\n{done.stderr}"
    if done.returncode == 0:
        return way.read(said)
    if _UNREACHABLE.search(said):
        raise AnchormemError(
            f"{way.tool} cannot reach the package index: {_last(done)}",
            "look at the network and the proxy, then try again",
        )
    raise AnchormemError(f"{way.tool} found no {NAME} to install: {_last(done)}", f"by hand: {' '.join(way.look)}")


def _by_pip(said: str) -> str:
    """Of pip's report, https://pip.pypa.io/en/stable/reference/installation-report."""
    begin = said.find("{")
    try:
        report = json.JSONDecoder().raw_decode(said[begin:])[0]
        found = [str(one["metadata"]["version"]) for one in report["install"] if one["metadata"]["name"] == NAME]
    except (ValueError, KeyError, TypeError, IndexError):
        raise AnchormemError("pip's report cannot be read", "pip 22.2 or newer is needed") from None
    return next(iter(found), "")


def _by_uv(said: str) -> str:
    """uv lists ` + anchormem==1.2.3` for what it would install."""
    found = re.search(rf"^\s*\+ {NAME}==(\S+)", said, re.MULTILINE)
    return found[1] if found else ""


def is_newer(offered: str, than: str = __version__) -> bool:
    return bool(offered) and _rank(offered) > _rank(than)


def _rank(version: str) -> tuple[list[int], bool, list[int]]:
    """Numbers first; what is under way (`0.2.0rc1`, `0.2.0.dev3`) comes before the release of the same numbers."""
    public = version.partition("+")[0]
    numbers = re.match(r"[0-9.]*", public)
    release = numbers[0] if numbers else ""
    rest = public[len(release) :]
    parts = [int(part) for part in release.split(".") if part]
    while parts and not parts[-1]:
        parts.pop()
    return parts, not re.match(r"a|b|c|rc|dev", rest), [int(part) for part in re.findall(r"[0-9]+", rest)]


def _ran(command: Sequence[str], seconds: float) -> "subprocess.CompletedProcess[str]":
    """One run without a shell and without input, away from the current directory: tools read configuration there."""
    try:
        return subprocess.run(
            command,
            cwd=sys.prefix,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AnchormemError(f"no end of {Path(command[0]).name} after {seconds:.0f} s", "try again later") from None
    except OSError as error:
        raise AnchormemError(f"{command[0]} cannot be started: {error.strerror}", "is it installed?") from None


def _version() -> str:
    """What the command says of itself now: this process still is the old one."""
    return _ran((*words(), "--version"), _LOOK_SECONDS).stdout.strip().rpartition(" ")[2]


def _doctor(options: Options) -> int:
    """The new program looks itself over. Nothing may be imported here any more: it would be of the new version."""
    with tempfile.TemporaryDirectory() as nowhere:
        root = nowhere
        with suppress(AnchormemError):
            root = str(find_root(Path.cwd()).path)  # at home there is no project to look at
        done = _ran((*words(), "doctor", "--json", "--root", root), _LOOK_SECONDS)
    try:
        findings = [one for one in json.loads(done.stdout) if one["verdict"] in ("warn", "fail")]
        lines = [f"{one['verdict']}  {one['name']}: {one['message']}\n      {one['fix']}" for one in findings]
    except (ValueError, KeyError, TypeError):
        lines = [f"anchormem doctor does not run: {_last(done)}"]
    if not options.json:
        say(*map(plain, lines))
    return int(done.returncode != 0)


def _tell(options: Options, way: Way, newest: str, now: str = "") -> None:
    if options.json:
        told = {
            "data": {
                "installed": now or __version__,
                "was": __version__,
                "newest": newest or now or __version__,
                "by": way.tool,
            }
        }
        say(compact(told))
    elif now:
        say(paint(f"{NAME} {now}, by {way.tool}; it was {__version__}", "green"))
    elif newest:
        say(f"{NAME} {plain(newest)} is out, this is {__version__}: {NAME} update")
    else:
        say(paint(f"{NAME} {__version__} is the newest", "dim"))


def _last(done: "subprocess.CompletedProcess[str]") -> str:
    """The last lines that say something, on one."""
    lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return _safe(" ".join(lines[-_SHOWN_LINES:])) or f"exit code {done.returncode}"


def _safe(text: str) -> str:
    """An index may be addressed with a password."""
    return secrets.shown(plain(text))[:_SHOWN_LINE]
