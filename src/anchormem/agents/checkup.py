"""The doctor's checks of what is registered with agents: each a function and a row, each able to fail.

Knows nothing of the repository.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from anchormem.agents import claude, entries, files, jsontext, program, running, settings, skill
from anchormem.agents.install import settings_file
from anchormem.agents.table import AGENTS, CLAUDE, Agent, claude_home, is_ours, said_words
from anchormem.errors import AnchormemError, Refused
from anchormem.workspace.finding import Finding

INSTALL = "anchormem install"
SCRIPT_BYTES = 1 << 20
NONE = "other clients"  # the row where no other client knows the server
OF_CLAUDE = ("registration", "skill", "hooks", "status line")  # checks that say nothing of another client


def checks() -> tuple[Finding, ...]:
    """A row for each check, and one for each other client that knows the server, under its own name."""
    found = [_guarded(name, check) for name, check in CHECKS]
    found[1:1] = other_clients()
    return tuple(found)


def concerned(findings: Iterable[Finding], chosen: Agent) -> tuple[Finding, ...]:
    """Without the rows that are about another client than this one."""
    others = {agent.title for agent in AGENTS if agent is not chosen}
    others |= {NONE} if chosen is CLAUDE else set(OF_CLAUDE)
    return tuple(finding for finding in findings if finding.name not in others)


def _guarded(name: str, check: Callable[[], Finding]) -> Finding:
    try:
        return replace(check(), name=name)
    except AnchormemError as failure:
        return Finding(name, "fail", failure.message, failure.hint)
    except OSError as failure:
        return Finding(name, "fail", str(failure), "look at the permissions of the path")


def registration() -> Finding:
    """Whether Claude Code knows the server; that its target exists, and is this program."""
    if not _has_claude():
        others = [agent.title for agent in _others()]
        if others:
            return Finding("", "info", f"no Claude Code here; {', '.join(others)} below")
        return Finding(
            "", "info", "no Claude Code here, and no other client knows the server", f"{INSTALL} --client NAME"
        )
    if not _has_plugin():
        return _registered(CLAUDE)
    if _entry(CLAUDE) is None:
        return Finding("", "ok", "Claude Code has the plugin")
    return Finding("", "warn", "Claude Code has the plugin and a registration besides", "anchormem uninstall")


def other_clients() -> list[Finding]:
    """A row for each that names us, so that what is wrong with one is laid at no other's door."""
    found = [_guarded(agent.title, partial(_registered, agent)) for agent in _others()]
    return found or [Finding(NONE, "info", "none")]


def _others() -> list[Agent]:
    return [agent for agent in AGENTS if agent is not CLAUDE and _names_us(agent)]


def _names_us(agent: Agent) -> bool:
    """Whether the name occurs in its file; a file that cannot be read does not tell, and is told of."""
    try:
        return files.speaks_of(agent.file(), program.NAME)
    except Refused:
        return True


def _entry(agent: Agent) -> object:
    """The entry of our name. Refused, naming the client and its file, where that is broken."""
    try:
        if not files.speaks_of(agent.file(), program.NAME):
            return None
        with files.named(agent.file()):
            return entries.present(agent, files.read(agent.file()) or "")
    except Refused as broken:
        raise Refused(f"{agent.title}: {broken.message}", broken.hint) from None


def _registered(agent: Agent) -> Finding:
    entry, file = _entry(agent), agent.file()
    fix = INSTALL if agent is CLAUDE else f"{INSTALL} --client {agent.name}"
    if entry is None:
        return Finding("", "warn", f"{agent.title} does not know the server ({file})", fix)
    if not is_ours(entry):
        return Finding(
            "", "warn", f"{agent.title} has a server of that name that is not ours ({file})", f"rename it, then {fix}"
        )
    words = [str(word) for word in said_words(entry)]
    if not _starts(words[0]):
        return Finding("", "fail", f"{agent.title} starts {words[0]}, which is not there ({file})", fix)
    if tuple(words[:-1]) != program.words() and not _same_file(words[0]):
        return Finding("", "warn", f"{agent.title} starts {words[0]}, another anchormem than this ({file})", fix)
    return Finding("", "ok", f"{agent.title} starts {' '.join(words)} ({file})")


def _has_claude() -> bool:
    return bool(claude.program()) or claude_home().exists() or CLAUDE.file().exists()


def _settings() -> str:
    """The settings; as good as none where they never name us and cannot be read as such: that is not ours to tell.

    Refused, naming the file, where they name us and are broken.
    """
    text = files.read(settings_file()) or ""
    try:
        with files.named(settings_file()):
            jsontext.parsed(text)
    except Refused:
        if program.NAME in text:
            raise
        return ""
    return text


def _has_plugin() -> bool:
    """False as well where the settings are broken: the rows of what stands in them tell."""
    try:
        return settings.has_plugin(_settings())
    except Refused:
        return False


def _starts(word: str) -> bool:
    return shutil.which(word) is not None


def _same_file(word: str) -> bool:
    """A link in the user's folder of programs leads to the same command."""
    return os.path.realpath(shutil.which(word) or word) == os.path.realpath(program.words()[0])


def skill_there() -> Finding:
    if not _has_claude():
        return Finding("", "info", "no Claude Code here")
    state, place = skill.state(), skill.place()
    if state == "missing" and _has_plugin():
        return Finding("", "ok", "/anchormem:anchormem, of the plugin")
    if state == "missing":
        return Finding("", "warn", "/anchormem is not there", INSTALL)
    if state == "older":
        return Finding("", "warn", f"{place} is of another version", INSTALL)
    if state == "edited":
        return Finding(
            "", "info", f"{place} was edited: newer versions do not reach it", f"{INSTALL} keeps yours beside"
        )
    return Finding("", "ok", str(place))


def hooks() -> Finding:
    found = settings.hooked(_settings())
    if not found:
        return Finding("", "info", "none", f"{INSTALL} --hooks tells a session at its start what is known")
    gone = [event for event, command in found.items() if not _starts(command)]
    if gone:
        return Finding("", "fail", f"{', '.join(gone)}: {found[gone[0]]} is not there", f"{INSTALL} --hooks")
    return Finding("", "ok", ", ".join(found))


def status_line() -> Finding:
    """Ours, a wrapper that calls ours, a hand-written look into our files, or one that could be."""
    line = settings.status_line(_settings())
    if not line:
        return Finding("", "info", "none", f"{INSTALL} --statusline")
    command = str(line.get("command") or "")
    if settings.is_our_line(line):
        target = program.split(command)[0]
        if not _starts(target):
            return Finding("", "fail", f"{target} is not there", f"{INSTALL} --statusline")
        return Finding("", "ok", command)
    text = "\n".join((command, *_scripts(command)))
    if settings.names_ours(text):
        return Finding("", "ok", f"yours, which calls ours: {command}")
    if "memory.db" in text or "map.db" in text:
        fix = f"files of ours change their form; let it call: {settings.line_to_add()}"
        return Finding("", "warn", f"yours, which reads our files by itself: {command}", fix)
    return Finding("", "info", f"yours: {command}", f"to show ours in it, let it call: {settings.line_to_add()}")


def _scripts(command: str) -> list[str]:
    """The texts of the scripts that a command names."""
    found: list[str] = []
    for word in program.split(os.path.expandvars(command)):
        path = Path(word).expanduser()
        try:
            if path.is_file() and path.stat().st_size <= SCRIPT_BYTES:
                found.append(path.read_text("utf-8", "replace"))
        except OSError:
            continue
    return found


def servers() -> Finding:
    """Those started before this program was installed still run the old one."""
    found = running.servers()
    if found is None:
        return Finding("", "info", "this system does not tell which servers run")
    age = time.time() - running.installed_at()
    ours = [one for one in found if one.here]
    old = [str(one.pid) for one in ours if one.age > age]
    if old:
        many = f"{len(old)} {'server is' if len(old) == 1 else 'servers are'}"
        return Finding(
            "", "warn", f"{many} older than the program: {', '.join(old)}", "restart the agents that started them"
        )
    return Finding("", "ok", f"{len(ours)} running, none older than the program")


CHECKS: tuple[tuple[str, Callable[[], Finding]], ...] = (
    ("registration", registration),
    ("skill", skill_there),
    ("hooks", hooks),
    ("status line", status_line),
    ("servers", servers),
)
