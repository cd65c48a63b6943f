"""`anchormem statusline`: how many memories a project has and how many of them are stale, on one line.

Read-only, within 100 ms, and never a failure: whatever goes wrong, the line is empty. Imports next to nothing.
"""

# ruff: noqa: PTH110, PTH111, PTH118  # pathlib costs more to import than the whole line
import os

from anchormem.cli import event, glimpse
from anchormem.errors import AnchormemError

TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from anchormem.cli.options import Options, Parser

OFF = ".anchormem-statusline-off"  # a file in the agent's configuration directory
MOST_BYTES = 4 << 20


def quickly(words: "Sequence[str]") -> int:
    """The line for `--root DIR` or for the event on standard input; any other words the ordinary way. Always 0."""
    if not words:
        _say("")
    elif len(words) == 2 and words[0] == "--root":  # noqa: PLR2004 — the flag and its value
        _say(words[1])
    else:
        from anchormem.cli.command_line import obey  # noqa: PLC0415 — only a person's hands come here

        obey(["statusline", *words])
    return 0


def add_arguments(parser: "Parser") -> None:
    from anchormem.cli.options import add_root  # noqa: PLC0415 — as above

    add_root(parser)


def run(options: "Options") -> int:
    _say(options.root or "")
    return 0


def _say(root: str) -> None:
    try:
        if not silenced():
            glimpse.write(line([root] if root else _told()))
    except Exception:  # noqa: BLE001 — an agent's screen is no place for our failures
        return


def _told() -> list[str]:
    """Where the agent says it works; the server starts at the project, so that comes first."""
    said = event.read(MOST_BYTES)
    places = (("workspace", "project_dir"), ("workspace", "current_dir"), ("cwd",))
    told = [found for names in places if (found := event.text(said or {}, *names))]
    return told or [glimpse.here()]


def line(folders: "Sequence[str]") -> str:
    """`⚓ 13 (2 stale) · ↑32k saved`, "" without a store."""
    found = glimpse.of_first(folders)
    if found is None:
        return ""
    look = found[0]
    try:
        stale = look.statuses().get("stale", (0, 0))[0]
        saved = look.saved()
        counted = f"⚓ {look.memories()}{f' ({stale} stale)' if stale else ''}"
        return f"{counted} · ↑{short(saved)} saved\n" if saved > 0 else f"{counted}\n"
    except AnchormemError:
        return ""
    finally:
        look.close()


def silenced() -> bool:
    home = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    return os.path.exists(os.path.join(home, OFF))


def short(number: int) -> str:
    """999, 1.2k, 32k, 1.5M: two digits are enough on a line that is glanced at."""
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.1f}{unit}" if number < 10 * size else f"{number // size}{unit}"
    return str(number)
