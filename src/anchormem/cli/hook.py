"""`anchormem hook`: what an agent is told when a session starts, or before and after it edits a file.

Reads the event on standard input, is silent when there is nothing to say, and never fails: exit 0. Imports next to
nothing, but for the look after an edit, which has to parse. Writes no memory.
"""

# ruff: noqa: PTH118, PTH119, PTH120  # pathlib costs more to import than the whole look
import os
from stat import S_ISREG

from anchormem.cli import event, glimpse

TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from anchormem.cli.options import Options, Parser
    from anchormem.store.glance import Glance

    Event = Mapping[str, Any]

MOST = 600  # characters at the start of a session, exclusive
BODY = 120
SHOWN = 3  # memories before an edit
SHOWN_BODY = 400
IMPORTED = " (imported)"
# As `workspace.shared` writes them, which costs too much to import.
SHARED = ".anchormem/memory.jsonl"
SEEN, IMPORTED_AT = "import.seen:", "import.at"


def quickly(words: "Sequence[str]") -> int:
    """The answer to the event on standard input; words are for a person's hands only. Always 0."""
    if words:
        from anchormem.cli.command_line import obey  # noqa: PLC0415 — only a person's hands come here

        obey(["hook", *words])
    else:
        _answer()
    return 0


def add_arguments(parser: "Parser") -> None:
    """None: everything is in the event."""
    parser.epilog = "The event comes as JSON on standard input; without one, the start of a session here is assumed."


def run(options: "Options") -> int:  # noqa: ARG001 — every command has this form
    _answer()
    return 0


def _answer() -> None:
    try:
        said = event.read()
        if said is None:
            glimpse.write(at_start({}))
            return
        name = event.text(said, "hook_event_name")
        answer = EVENTS.get(name)
        told = answer(said) if answer else ""
        glimpse.write(told if name == "SessionStart" else _context(name, told))
    except Exception:  # noqa: BLE001 — a hook that fails would stop an agent in its work
        return


def _context(name: str, told: str) -> str:
    if not told:
        return ""
    inner = f'"hookEventName": {event.quoted(name)}, "additionalContext": {event.quoted(told)}'
    return f'{{"hookSpecificOutput": {{{inner}}}}}\n'


# ── the start of a session ──────────────────────────────────────────────────────────────────────────────────────────


def at_start(said: "Event") -> str:
    """One sentence from stored fates and a stat of the anchored files, "" without memories."""
    found = glimpse.of_first((os.environ.get("CLAUDE_PROJECT_DIR", ""), event.text(said, "cwd"), glimpse.here()))
    if found is None:
        return ""
    look, root, _ = found
    try:
        return _sentence(look, root)
    finally:
        look.close()


def _sentence(look: "Glance", root: str) -> str:
    memories = look.memories()
    if not memories:
        return ""
    statuses = look.statuses()
    stale, proofs = statuses.get("stale", (0, 0))
    active = max(memories - sum(count for count, _ in statuses.values()), 0)
    changed = _changed(look, root)
    counts = [f"{active} active", f"{stale} stale"]
    counts += [f"{statuses[name][0]} {name}" for name in ("unknown", "invalidated") if name in statuses]
    counts += [f"{proofs} awaiting re-proof"] if proofs else []
    counts += [f"{changed} anchored {'file' if changed == 1 else 'files'} changed since"] if changed else []
    shared = _shared(look, root)
    what = f"anchormem has {memories} {'memory' if memories == 1 else 'memories'} of this repository: "
    advice = f"{shared}; recall before reading code."
    base = what + ", ".join(counts)
    return base + _worst(look, MOST - len(base) - len(advice) - 2) + advice + "\n"


def _shared(look: "Glance", root: str) -> str:
    """What waits to be imported, as the last call counted it; whether it does, where nobody has looked since."""
    try:
        now = os.lstat(root + os.sep + SHARED)
    except (OSError, ValueError):
        return ""
    seen, _, newer = look.mark(SEEN + root).partition(" ")
    if not seen:
        return ""  # nobody has worked here yet: the first call takes it in
    if seen != f"{now.st_ino}:{now.st_size}:{now.st_mtime_ns}":
        return f"; {SHARED} changed since it was imported: anchormem import tells" if look.mark(IMPORTED_AT) else ""
    if not newer.isdecimal() or newer == "0":
        return ""
    return f"; {newer} newer shared {'memory' if newer == '1' else 'memories'}: anchormem import"


def _worst(look: "Glance", room: int) -> str:
    """The two stale ones most worth attention, their bodies as long as there is room."""
    worst = look.worst(2)
    lead = "; stale and most worth a look: "
    frames = [(f'{row[0]} "', f'" ({row[4]}){IMPORTED if row[5] else ""}', row[3]) for row in worst]
    taken = len(lead) + sum(len(before) + len(after) + 5 for before, after, _ in frames)
    if not frames or room - taken < 20 * len(frames):
        return ""
    most = min(BODY, (room - taken) // len(frames))
    return lead + " and ".join(before + _quoted(body, most) + after for before, after, body in frames)


def _quoted(body: str, most: int) -> str:
    return glimpse.one_line(body.replace('"', "'"), most)


def _changed(look: "Glance", root: str) -> int:
    """How many anchored files are not as they were last seen."""
    prefix = root + os.sep
    return sum(_stat(prefix + path) != seen for path, *seen in look.anchored())


def _stat(file: str) -> "list[int] | None":
    """As the store keeps it; None without a regular file."""
    try:
        now = os.lstat(file)
    except (OSError, ValueError):
        return None
    return [now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns] if S_ISREG(now.st_mode) else None


# ── before and after an edit ────────────────────────────────────────────────────────────────────────────────────────


def before_edit(said: "Event") -> str:
    """The active memories of the file about to be edited, decisions first; each file once per session."""
    file = _file(said)
    found = glimpse.of_first([os.path.dirname(file)]) if file else None
    if found is None:
        return ""
    look, root, _ = found
    try:
        path = os.path.relpath(file, root).replace(os.sep, "/")
        rows, seen = look.on_file(path, SHOWN), look.seen(path)
    finally:
        look.close()
    if not rows or not _first_time(event.text(said, "session_id"), file):
        return ""
    bodies = (
        f'- {name}, {kind}{IMPORTED if imported else ""}: "{_quoted(body, SHOWN_BODY)}"'
        for name, kind, _, imported, body in rows
    )
    doubt = " (it changed since they were compared with it)" if _stat(file) != (list(seen) if seen else None) else ""
    return "\n".join((f"What anchormem knows about {glimpse.one_line(path, 300)}{doubt}:", *bodies))


def after_edit(said: "Event") -> str:
    """Memories that this edit made stale, with what changed."""
    file = _file(said)
    found = glimpse.of_first([os.path.dirname(file)]) if file else None
    if found is None:
        return ""
    look, root, _ = found
    path = os.path.relpath(file, root).replace(os.sep, "/")
    try:
        if not look.knows(path):
            return ""
    finally:
        look.close()
    from anchormem.cli.aftermath import told  # noqa: PLC0415 — opens the whole store and parses

    return told(root, path, event.text(said, "session_id"))


def _file(said: "Event") -> str:
    """The edited file with its folder resolved, "" where the event names none."""
    named = event.text(said, "tool_input", "file_path") or event.text(said, "tool_input", "notebook_path")
    if not named or "\0" in named:
        return ""
    whole = os.path.join(event.text(said, "cwd") or glimpse.here(), named)
    return os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))


def _first_time(session: str, file: str) -> bool:
    """Whether this session was not yet told about this file. The one thing that is written: a marker."""
    if not session:
        return True
    from anchormem.cli.told import first_time  # noqa: PLC0415 — only when there is something to tell

    return first_time(glimpse.data_directory(), session, file)


EVENTS = {"SessionStart": at_start, "PreToolUse": before_edit, "PostToolUse": after_edit}
