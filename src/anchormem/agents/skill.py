"""The skill `/anchormem` in Claude Code's folder of skills. An edited one is kept beside, not overwritten.

What we write ends in a line with its own digest, by which an edit is seen. Knows nothing of what the skill says.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from anchormem.agents import files
from anchormem.agents.program import NAME
from anchormem.agents.table import claude_home
from anchormem.errors import NotFound

State = Literal["missing", "ours", "older", "edited", "linked"]

_MARK = re.compile(r"\n<!-- installed by anchormem ([0-9a-f]{32}); an edited copy is kept beside a new one -->\n$")


@dataclass(frozen=True, slots=True)
class Done:
    """`kept`: where an edited one went, None where there was none."""

    changed: bool
    kept: Path | None = None


def place() -> Path:
    return claude_home() / "skills" / NAME / "SKILL.md"


def source() -> str:
    """What this version brings: beside this file when installed, in the checkout otherwise."""
    for path in (Path(__file__).with_name("SKILL.md"), Path(__file__).parents[3] / "skills" / NAME / "SKILL.md"):
        if path.is_file():
            return path.read_text("utf-8")
    raise NotFound("the skill is missing from this installation", "install anchormem again")


def marked(text: str) -> str:
    return f"{text}\n<!-- installed by anchormem {_digest(text)}; an edited copy is kept beside a new one -->\n"


def state() -> State:
    """`linked`: somebody's link to a skill elsewhere, which is theirs to change."""
    path = place()
    if path.is_symlink() or path.parent.is_symlink():
        return "linked" if path.exists() else "missing"
    text = files.read(path)
    if text is None:
        return "missing"
    if text == marked(source()):
        return "ours"
    return "older" if _is_untouched(text) else "edited"


def installed() -> Done:
    """The skill of this version in its place."""
    found = state()
    if found in ("ours", "linked"):
        return Done(changed=False)
    kept = _set_aside(place()) if found == "edited" else None
    files.changed(place(), lambda _: marked(source()))
    return Done(changed=True, kept=kept)


def uninstalled() -> Done:
    """Without it, and without its folder when nothing else is there. An edited one stays, under another name."""
    found = state()
    if found in ("missing", "linked"):
        return Done(changed=False)
    kept = _set_aside(place()) if found == "edited" else None
    files.removed(place())
    with suppress(OSError):  # only empty ones go
        place().parent.rmdir()
        place().parent.parent.rmdir()
    return Done(changed=True, kept=kept)


def _is_untouched(text: str) -> bool:
    found = _MARK.search(text)
    return found is not None and _digest(text[: found.start()]) == found[1]


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _set_aside(path: Path) -> Path:
    kept = next(one for number in range(1, 1000) if not (one := path.with_name(f"SKILL.edited-{number}.md")).exists())
    os.replace(path, kept)  # noqa: PTH105 — the name of the target is kept, whatever it is
    return kept
