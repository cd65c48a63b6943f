"""Our hooks and status line in Claude Code's settings: put in, taken out, looked at. Text in, text out.

Ours are found by the command they start. Whatever else stands there keeps its order and its bytes. Knows no files.
"""

import os
import re
from collections.abc import Iterator, Mapping

from anchormem.agents import jsontext, program
from anchormem.errors import Refused

EDITS = "Edit|Write|MultiEdit"
# event → what it matches, and how many seconds it may take
SESSION: Mapping[str, tuple[str, int]] = {"SessionStart": ("", 5)}
AROUND_EDITS: Mapping[str, tuple[str, int]] = {**SESSION, "PreToolUse": (EDITS, 5), "PostToolUse": (EDITS, 10)}


def checked(before: str, after: str) -> str:
    """`after`, when it means the same as `before` but for what is ours. Refused otherwise."""
    try:
        same = _foreign(before) == _foreign(after)
    except Refused:
        same = False
    if not same:
        raise Refused("is written in a way that cannot be edited safely", "it was left alone")
    return after


def with_hooks(text: str, events: Mapping[str, tuple[str, int]]) -> str:
    """With our hook at each of these events, and wherever it was already, as it is called today."""
    text = refreshed(text)
    there = {event for event, *_ in _ours(text)}
    for event, (matcher, seconds) in events.items():
        if event in there:
            continue
        groups = _groups(text, event)
        made: dict[str, object] = {"matcher": matcher} if matcher else {}
        text = jsontext.put(text, ("hooks", event, len(groups)), {**made, "hooks": [_handler(seconds)]})
    return text


def refreshed(text: str) -> str:
    """With our own hooks and status line called as they are today; nothing is added."""
    for event, group, at, handler in _ours(text):
        wanted = {**{key: value for key, value in handler.items() if key != "args"}, **_call()}
        if handler != wanted:
            text = jsontext.put(text, ("hooks", event, group, "hooks", at), wanted)
    line = status_line(text)
    if is_our_line(line) and line["command"] != status_call():
        text = jsontext.put(text, ("statusLine", "command"), status_call())
    return text


def without_hooks(text: str) -> str:
    while ours := next(_ours(text), None):
        event, group, at, _ = ours
        handlers = _handlers(_groups(text, event)[group])
        # A group that holds nothing but ours is ours, its matcher included.
        path = ("hooks", event, group, "hooks", at) if len(handlers) > 1 else ("hooks", event, group)
        text = jsontext.drop(text, path)
    return text


def hooked(text: str) -> dict[str, str]:
    """event → the program of our hook there."""
    return {event: _words(handler)[0] for event, _, _, handler in _ours(text)}


def with_status_line(text: str) -> str:
    """With our status line; one of the user's own stays."""
    line = status_line(text)
    if line and not is_our_line(line):
        return text
    if line:
        return refreshed(text)
    return jsontext.put(text, ("statusLine",), {"type": "command", "command": status_call(), "padding": 0})


def without_status_line(text: str) -> str:
    return jsontext.drop(text, ("statusLine",)) if is_our_line(status_line(text)) else text


def status_line(text: str) -> Mapping[str, object]:
    """The status line set, whosever it is; empty without one."""
    found = jsontext.parsed(text).get("statusLine")
    if found is None:
        return {}
    return found if isinstance(found, dict) else {"command": found}


def is_our_line(line: Mapping[str, object]) -> bool:
    return program.is_our_line(line.get("command"), "statusline")


def names_ours(command: str) -> bool:
    """Whether a command of the user's own, or a script, calls our status line somewhere."""
    return re.search(rf"\b{program.NAME}(?:\.exe)?['\"]?\s+statusline\b", command) is not None


def has_plugin(text: str) -> bool:
    """Whether our plugin, of whatever marketplace, is switched on."""
    found = jsontext.parsed(text).get("enabledPlugins")
    return isinstance(found, dict) and any(
        name.partition("@")[0] == program.NAME and value is True for name, value in found.items()
    )


def status_call() -> str:
    return program.line("statusline")


def caveat() -> str:
    """What may keep our status line from being shown here, "" when nothing does."""
    if os.name == "nt" and '"' in status_call():
        return "Claude Code shows it only where Git for Windows is: PowerShell starts no program in a path with a blank"
    return ""


def line_to_add() -> str:
    """What shows ours in a status line of the user's own; the script itself reads standard input."""
    return f'{program.line("statusline", "--root")} "${{CLAUDE_PROJECT_DIR:-$PWD}}"'


def _call() -> dict[str, object]:
    """On Windows the program and its words apart: no shell there reads the quotes of all the others."""
    if os.name != "nt":
        return {"command": program.line("hook")}
    first, *rest = (*program.words(), "hook")
    return {"command": first, "args": rest}


def _handler(seconds: int) -> dict[str, object]:
    return {"type": "command", **_call(), "timeout": seconds}


def _foreign(text: str) -> dict[str, object]:
    """What the settings mean without us. A hook that starts nothing means nothing."""
    found = jsontext.parsed(text)
    if is_our_line(status_line(text)):
        del found["statusLine"]
    hooks: dict[str, list[object]] = {}
    for event in _hooks(text):
        for group in _groups(text, event):
            kept = _without_ours(group)
            hooks.setdefault(event, []).extend([kept] if kept else [])
    return {**found, "hooks": {event: groups for event, groups in hooks.items() if groups}}


def _without_ours(group: object) -> object:
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    kept = [one for one in group["hooks"] if not (isinstance(one, dict) and program.is_ours(_words(one), "hook"))]
    return {**group, "hooks": kept} if kept else None


def _ours(text: str) -> Iterator[tuple[str, int, int, dict[str, object]]]:
    """(event, position of the group, position in it, handler) of each hook of ours."""
    for event in _hooks(text):
        for group, found in enumerate(_groups(text, event)):
            for at, handler in enumerate(_handlers(found)):
                if isinstance(handler, dict) and program.is_ours(_words(handler), "hook"):
                    yield event, group, at, handler


def _words(handler: Mapping[str, object]) -> list[str]:
    command, arguments = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return []
    return [command, *map(str, arguments)] if isinstance(arguments, list) else program.split(command)


def _hooks(text: str) -> Mapping[str, object]:
    found = jsontext.parsed(text).get("hooks")
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise Refused("has hooks that are no object", "mend it, then run this again; it was left alone")
    return found


def _groups(text: str, event: str) -> list[object]:
    found = _hooks(text).get(event)
    if found is None:
        return []
    if not isinstance(found, list):
        raise Refused(f"has hooks of {event} that are no list", "mend it, then run this again; it was left alone")
    return found


def _handlers(group: object) -> list[object]:
    found = group.get("hooks") if isinstance(group, dict) else None
    return found if isinstance(found, list) else []
