"""JSON as text: one value put in or taken out while every other byte stays, comments and layout included.

A path is made of keys and list positions. Whoever edits checks the text first with `parsed`; what these functions then
skip they do not judge. Knows nothing of files and agents.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from anchormem.errors import Refused

Path = Sequence[str | int]

_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}/]+")
_NESTED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\]]', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object, or an element of a list, whose key is its position. `start`: of the key or the element."""

    key: str | int
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Nest:
    """An object or list in the text: from its opening bracket to past its closing one."""

    start: int
    end: int
    parts: tuple[Part, ...]
    trailing: int  # where a comma stands after the last part, -1 where none does


def parsed(text: str, *, comments: bool = False) -> dict[str, object]:
    """The object that the text is. An empty text is an empty object. Refused: anything else."""
    bare = text.removeprefix(BOM)
    if comments:
        bare = _COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", bare)
        bare = _TRAILING.sub(lambda found: found[1] or "", bare)
    if not bare.strip():
        return {}
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise Refused(f"is not valid JSON: {error}", "mend it, then run this again; it was left alone") from None
    if not isinstance(found, dict):
        raise Refused("is not a JSON object", "mend it, then run this again; it was left alone")
    return found


def put(text: str, path: Path, value: object) -> str:
    """With `value` at the path; missing objects on the way are made. A last key that is a list's length appends."""
    if not text.removeprefix(BOM).strip():
        text = (BOM if text.startswith(BOM) else "") + "{}\n"
    at = _root(text)
    for depth, key in enumerate(path):
        nest = _nest(text, at)
        found = next((part for part in reversed(nest.parts) if part.key == key), None)
        if found is None:
            for missing in reversed(path[depth + 1 :]):
                value = [value] if isinstance(missing, int) else {missing: value}
            return _added(text, nest, key, value)
        if depth == len(path) - 1:
            return text[: found.value] + _dumped(text, found.start, value) + text[found.end :]
        at = found.value
    return text


def drop(text: str, path: Path) -> str:
    """Without the value at the path, and without objects and lists that this leaves empty. Unchanged where none is."""
    nests, at = [], _root(text)
    for key in path:
        nest = _nest(text, at)
        found = next((part for part in reversed(nest.parts) if part.key == key), None)
        if found is None:
            return text
        nests.append((nest, found))
        at = found.value
    while len(nests) > 1 and len(nests[-1][0].parts) == 1:
        nests.pop()
    return _without(text, *nests[-1])


def _root(text: str) -> int:
    return _past(text, 1 if text.startswith(BOM) else 0)


def _past(text: str, at: int) -> int:
    """Past blanks and comments."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value_end(text: str, at: int) -> int:
    if text[at] == '"':
        return _end(_STRING.match(text, at), text)
    if text[at] not in "{[":
        return _end(_SCALAR.match(text, at), text)
    depth = 0
    for token in _NESTED.finditer(text, at):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def _end(found: re.Match[str] | None, text: str) -> int:
    return found.end() if found else len(text)


def _nest(text: str, at: int) -> Nest:
    """The parts of the object or list that opens at `at`. Refused where something else stands there."""
    if at >= len(text) or text[at] not in "{[":
        raise Refused("holds something else where an object or list belongs", "it was left alone")
    parts: list[Part] = []
    named, trailing, place = text[at] == "{", -1, _past(text, at + 1)
    while text[place] not in "}]":
        start, key = place, len(parts)
        if named:
            end = _end(_STRING.match(text, place), text)
            parts.append(_member(text, start, end))
        else:
            parts.append(Part(key, start, start, _value_end(text, start)))
        place, trailing = _past(text, parts[-1].end), -1
        if text[place] == ",":
            trailing, place = place, _past(text, place + 1)
    return Nest(at, place + 1, tuple(parts), trailing)


def _member(text: str, start: int, key_end: int) -> Part:
    colon = _past(text, key_end)
    value = _past(text, colon + 1)
    return Part(json.loads(text[start:key_end], strict=False), start, value, _value_end(text, value))


def _added(text: str, nest: Nest, key: str | int, value: object) -> str:
    """With one more part at the end."""
    named = f"{json.dumps(key, ensure_ascii=False)}: " if isinstance(key, str) else ""
    line = _newline(text)
    if not nest.parts:
        indent = _indent_at(text, nest.start)
        inner = indent + _unit(text)
        made = named + _indented(text, value, inner)
        inside = text[nest.start + 1 : nest.end - 1].rstrip()  # comments
        return f"{text[: nest.start + 1]}{inside}{line}{inner}{made}{line}{indent}{text[nest.end - 1 :]}"
    last = nest.parts[-1]
    whole = text[nest.start : nest.end]
    if "\n" not in whole:
        made = named + json.dumps(value, ensure_ascii=False)
        return f"{text[: last.end]}, {made}{text[last.end :]}"
    inner = _indent_at(text, last.start)
    made = named + _indented(text, value, inner)
    content = text[: nest.end - 1].rstrip()
    after = text[len(content) :]
    if nest.trailing >= 0:
        return f"{content}{line}{inner}{made},{after}"
    return f"{text[: last.end]},{content[last.end :]}{line}{inner}{made}{after}"


def _without(text: str, nest: Nest, part: Part) -> str:
    at = nest.parts.index(part)
    last = at == len(nest.parts) - 1
    before = nest.parts[at - 1] if at else None
    comma = _past(text, part.end)
    end = comma + 1 if text[comma] == "," else part.end
    start = text.rfind("\n", 0, part.start) + 1
    stop = text.find("\n", end)
    alone = not text[start : part.start].strip() and stop >= 0 and not text[end:stop].strip()
    if alone:
        kept = text[:start]
        if last and before and nest.trailing < 0:
            gone = _past(text, before.end)
            kept = text[:gone] + text[gone + 1 : start]
        made = kept + text[stop + 1 :]
    elif not last:
        made = text[: part.start] + text[nest.parts[at + 1].start :]
    elif before:
        made = text[: before.end] + text[end if nest.trailing >= 0 else part.end :]
    else:
        made = text[: part.start] + text[end:]
    return _closed(made, nest.start) if len(nest.parts) == 1 else made


def _closed(text: str, start: int) -> str:
    """An object or list that holds nothing but blanks, written as such."""
    end = _value_end(text, start)
    return text[: start + 1] + text[end - 1 :] if not text[start + 1 : end - 1].strip() else text


def _dumped(text: str, start: int, value: object) -> str:
    """A value in the place of another: as its surroundings are laid out."""
    if "\n" not in text.strip():
        return json.dumps(value, ensure_ascii=False)
    return _indented(text, value, _indent_at(text, start))


def _indented(text: str, value: object, indent: str) -> str:
    made = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return made.replace("\n", _newline(text) + indent)


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """One level of indentation: that of the first indented line, else two blanks."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
