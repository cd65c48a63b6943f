"""What installing and leaving do, step by step: each step plans its exact difference, or does it and says what it did.

Knows nothing of arguments and printing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from anchormem.agents import claude, entries, files, settings, skill
from anchormem.agents.program import NAME
from anchormem.agents.table import AGENTS, CLAUDE, Agent, claude_home
from anchormem.errors import AnchormemError

Mark = Literal["done", "same", "kept", "plan", "fail"]
Hooks = Literal["", "session", "edits"]
OFF = ".anchormem-statusline-off"


@dataclass(frozen=True, slots=True)
class Told:
    """One line of the report. `detail`: what to do, or the difference, may be empty or of many lines."""

    mark: Mark
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `dry_run`: nothing is written, the differences are told."""

    agent: Agent
    hooks: Hooks = ""
    status_line: bool = False
    dry_run: bool = False


Step = Callable[[Wish], Iterator[Told]]


def install(wish: Wish) -> Iterator[Told]:
    """Every step is told; one that fails is a line and stops none of the others."""
    steps: tuple[Step, ...] = (_register,)
    if wish.agent is CLAUDE:
        steps = (_register, _bring_skill, _add_to_settings)
    elif wish.hooks or wish.status_line:
        yield Told(
            "kept", f"{wish.agent.title} has no hooks and no status line of ours", "they are for Claude Code alone"
        )
    for step in steps:
        yield from _told(step, wish)


def uninstall(wish: Wish, *, everywhere: bool) -> Iterator[Told]:
    """All of ours and only ours, out of this agent or `everywhere`. Told only where something was."""
    for agent in AGENTS if everywhere else (wish.agent,):
        one = Wish(agent, dry_run=wish.dry_run)
        steps: tuple[Step, ...] = (_unregister,)
        if agent is CLAUDE:
            steps = (_unregister, _take_skill, _clean_settings)
        for step in steps:
            yield from _told(step, one)


def _told(step: Step, wish: Wish) -> Iterator[Told]:
    try:
        yield from step(wish)
    except AnchormemError as error:
        yield Told("fail", error.message, error.hint)
    except OSError as error:
        yield Told("fail", f"{error.filename or wish.agent.title}: {error.strerror}", "look at its permissions")


# ── the server ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _register(wish: Wish) -> Iterator[Told]:
    agent = wish.agent
    file = agent.file()
    change = files.planned(file, lambda text: entries.added(agent, text))
    if change.before == change.after:
        mine = entries.present(agent, change.before or "") == agent.entry()
        if mine:
            yield Told("same", f"{agent.title} knows the server already", agent.note)
        else:
            yield Told(
                "kept", f"{file} has a server named anchormem that is not ours", "rename it, then run this again"
            )
        return
    if wish.dry_run:
        if agent is CLAUDE and claude.program():
            yield Told("plan", f"{claude.program()} {' '.join(claude.add_words(agent.entry()))}", _difference(change))
        else:
            yield Told("plan", f"{file} would change", _difference(change))
        return
    why = _by_claude(agent, change.before or "") if agent is CLAUDE else ""
    if agent is CLAUDE and not why:
        yield Told("done", f"registered with {agent.title}, by its own command line")
        return
    files.changed(file, lambda text: entries.added(agent, text))
    yield Told("done", f"registered with {agent.title} in {file}", agent.note or why)


def _by_claude(agent: Agent, text: str) -> str:
    """ "" when Claude Code did it and its file says so, else why not. What is there under our name is ours."""
    if not claude.program():
        return "claude was not found"
    if entries.present(agent, text) is not None and (why := claude.run(claude.remove_words())):
        return why
    if why := claude.run(claude.add_words(agent.entry())):
        return why
    found = entries.present(agent, files.read(agent.file()) or "")
    return "" if found == agent.entry() else "claude reported success and wrote something else"


def _unregister(wish: Wish) -> Iterator[Told]:
    agent = wish.agent
    file = agent.file()
    if not files.speaks_of(file, NAME):
        return
    change = files.planned(file, lambda text: entries.taken(agent, text))
    if change.before == change.after:
        if change.before is not None and entries.present(agent, change.before) is not None:
            yield Told("kept", f"{file} has a server named anchormem that is not ours", "")
        return
    if wish.dry_run:
        yield Told("plan", f"{file} would change", _difference(change))
        return
    if agent is CLAUDE and claude.program() and not claude.run(claude.remove_words()):
        text = files.read(file) or ""
        if entries.present(agent, text) is None:
            yield Told("done", f"no longer registered with {agent.title}")
            return
    files.changed(file, lambda text: entries.taken(agent, text))
    yield Told("done", f"no longer registered with {agent.title} ({file})")


# ── the skill ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _bring_skill(wish: Wish) -> Iterator[Told]:
    place, state = skill.place(), skill.state()
    if state in ("ours", "linked"):
        yield Told("same", "the skill /anchormem is there already")
    elif wish.dry_run:
        change = files.Change(place, files.read(place), skill.marked(skill.source()))
        yield Told("plan", f"{place} would be written", _difference(change))
    else:
        done = skill.installed()
        yield Told(
            "done", f"the skill /anchormem is in {place}", f"your edited one is kept as {done.kept}" * bool(done.kept)
        )


def _take_skill(wish: Wish) -> Iterator[Told]:
    state = skill.state()
    if state == "missing":
        return
    if state == "linked":
        yield Told("kept", f"{skill.place()} is a link of yours", "")
    elif wish.dry_run:
        yield Told("plan", f"{skill.place()} would be removed")
    else:
        done = skill.uninstalled()
        yield Told(
            "done", "the skill /anchormem is removed", f"your edited one is kept as {done.kept}" * bool(done.kept)
        )


# ── hooks and status line ───────────────────────────────────────────────────────────────────────────────────────────


def settings_file() -> Path:
    return claude_home() / "settings.json"


def _add_to_settings(wish: Wish) -> Iterator[Told]:
    """Those asked for, and those of ours that are there already, as they are called today."""
    events = settings.AROUND_EDITS if wish.hooks == "edits" else settings.SESSION if wish.hooks else {}
    file = settings_file()
    if not (events or wish.status_line or files.speaks_of(file, NAME)):
        return

    def edit(text: str) -> str:
        made = settings.with_hooks(text, events)
        return settings.checked(text, settings.with_status_line(made) if wish.status_line else made)

    change = files.planned(file, edit)
    asked = [*(["hooks"] if events else []), *(["the status line"] if wish.status_line else [])]
    foreign = wish.status_line and not settings.is_our_line(settings.status_line(change.after or ""))
    if foreign:
        asked.remove("the status line")
        yield Told("kept", "your own status line", f"to show ours in it, let it call: {settings.line_to_add()}")
    if change.before == change.after:
        if asked:
            yield Told("same", f"{' and '.join(asked)} already in {file}")
        return
    if wish.dry_run:
        yield Told("plan", f"{file} would change", _difference(change))
        return
    files.changed(file, edit)
    caveat = settings.caveat() if wish.status_line and not foreign else ""
    yield Told("done", f"{' and '.join(asked) or 'our commands'} in {file}", caveat)


def _clean_settings(wish: Wish) -> Iterator[Told]:
    file = settings_file()
    if files.speaks_of(file, NAME):
        change = files.planned(file, _cleaned)
        if change.before != change.after and wish.dry_run:
            yield Told("plan", f"{file} would change", _difference(change))
        elif change.before != change.after:
            files.changed(file, _cleaned)
            yield Told("done", f"hooks and status line are out of {file}")
    off = claude_home() / OFF
    if off.exists():
        if not wish.dry_run:
            files.removed(off)
        yield Told("plan" if wish.dry_run else "done", f"{off} {'would be' if wish.dry_run else 'is'} removed")


def _cleaned(text: str) -> str:
    made = settings.checked(text, settings.without_status_line(settings.without_hooks(text)))
    return "" if made != text and made.strip() in ("", "{}") else made


def _difference(change: files.Change) -> str:
    """The exact difference and nothing around it: a configuration may hold secrets of others."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    return "\n".join(unified_diff(before, after, str(change.path), str(change.path), "now", "then", n=0, lineterm=""))
