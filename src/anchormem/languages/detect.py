"""Which language a file is in: by name, by suffix (the longest wins), by shebang. Opens nothing."""

import functools
import re
from collections.abc import Mapping

from anchormem.languages.registry import header_of, names

SHEBANG = re.compile(rb"^#![ \t]*(?:\S*/)?([\w.+-]+)(?:[ \t]+(?:-S[ \t]+)?([A-Za-z][\w.+-]*))?")


@functools.cache
def tables() -> tuple[Mapping[str, str], Mapping[str, str], Mapping[str, str]]:
    """(suffix → language, file name → language, interpreter → language)."""
    suffixes: dict[str, str] = {}
    filenames: dict[str, str] = {}
    shebangs: dict[str, str] = {}
    for name in names():
        lists = header_of(name).lists
        suffixes |= dict.fromkeys(lists.get("suffixes", ()), name)
        filenames |= dict.fromkeys(lists.get("filenames", ()), name)
        shebangs |= dict.fromkeys(lists.get("shebangs", ()), name)
    return suffixes, filenames, shebangs


def language_of(path: str, head: bytes, extensions: Mapping[str, str] | None = None) -> str | None:
    """The language of `path` whose content starts with `head`; None when no language file claims it.

    `extensions`: what a project's configuration adds or overrules, suffix (with or without its dot) → language name.
    `.h` gives "c_or_cpp"; `syntax` resolves it.
    """
    suffixes, filenames, shebangs = tables()
    base = path.rpartition("/")[2]
    told = {("" if key.startswith(".") else ".") + key: value for key, value in (extensions or {}).items()}
    dots = [match.start() for match in re.finditer(r"\.", base)]
    for dot in dots:
        if base[dot:] in told:
            return told[base[dot:]]
    if base in filenames:
        return filenames[base]
    for dot in dots:
        suffix = base[dot:]
        if suffix == ".h":
            return "c_or_cpp"
        if suffix in suffixes:
            return suffixes[suffix]
    return by_shebang(head, shebangs) if head.startswith(b"#!") else None


def by_shebang(head: bytes, shebangs: Mapping[str, str]) -> str | None:
    found = SHEBANG.match(head)
    if found is None:
        return None
    command, argument = found[1].decode(), (found[2] or b"").decode()
    interpreter = argument if command == "env" else command
    return shebangs.get(interpreter) or shebangs.get(re.sub(r"[\d.]+$", "", interpreter))
