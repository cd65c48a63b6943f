"""TOML as text: one table put at the end or taken out while every other byte stays.

Knows nothing of files and agents.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence

from anchormem.errors import Refused

LEFT = "it was left alone"


def parsed(text: str) -> dict[str, object]:
    """Refused: no TOML."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"is not valid TOML: {error}", f"mend it, then run this again; {LEFT}") from None


def put(text: str, path: Sequence[str], entry: Mapping[str, object]) -> str:
    """With the table at the path, in the place of one of its name."""
    text = drop(text, path)
    line = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip() else line if text.endswith("\n") else line * 2
    return text + gap + line.join(_table(path, entry)) + line


def drop(text: str, path: Sequence[str]) -> str:
    """Without the table at the path and those within it, and without the blank line before it."""
    lines = text.splitlines(keepends=True)
    name = r"\s*\.\s*".join(rf"""(?:{re.escape(part)}|"{re.escape(part)}"|'{re.escape(part)}')""" for part in path)
    ours = re.compile(rf"^\s*\[\s*{name}\s*[.\]]")
    kept: list[str] = []
    inside = False
    for line in lines:
        if line.lstrip().startswith("["):
            inside = bool(ours.match(line))
            if inside and kept and not kept[-1].strip():
                kept.pop()
        if not inside:
            kept.append(line)
    return "".join(kept)


def _table(path: Sequence[str], entry: Mapping[str, object]) -> list[str]:
    lines = [f"[{'.'.join(path)}]"]
    lines += [f"{key} = {_value(value)}" for key, value in entry.items() if not isinstance(value, dict)]
    for key, value in entry.items():
        if isinstance(value, dict) and value:
            lines += ["", *_table((*path, key), value)]
    return lines


def _value(value: object) -> str:
    """JSON's strings, numbers, truths and lists of them are TOML's, but for the DEL character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
