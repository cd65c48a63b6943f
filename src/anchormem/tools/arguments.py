"""Arguments: the rows a tool declares, the small JSON schema they make, and our own check before anything runs.

Knows nothing of MCP, the command line, or what a tool does with its arguments.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from anchormem.errors import UnknownArgument, UsageError
from anchormem.model import JsonObject

ParamType = Literal["string", "integer", "number", "boolean", "strings", "object", "objects"]

Spelling = Callable[[str], str]

_LONGEST_NUMBER = 32  # characters; a million digits are nobody's budget
_BROKEN = re.compile(r'\s*(?:\{|\[\s*\{?)\s*"')  # how JSON begins that does not parse; no file name does
_LONGEST_SHOWN = 40  # characters of somebody's word that a message repeats

_EXPECTED: Mapping[ParamType, str] = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "strings": "a list of texts",
    "object": "an object",
    "objects": "a list of objects",
}


@dataclass(frozen=True, slots=True)
class Param:
    """One argument. `low` and `high` bound a number, or the bytes of a text, or the length of a list.

    `fields` are the members of an object, or of each object in a list. `short` turns a bare text, given where such an
    object belongs, into the object it stands for. `default` None: absent stays absent. `terse`: choices, limits and
    fields are checked but not spelled out in the schema, where every byte is paid for by somebody's context window.
    """

    name: str
    type: ParamType = "string"
    about: str = ""
    default: object = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    fields: tuple["Param", ...] = ()
    short: Callable[[str], JsonObject] | None = None
    needed: bool = False
    terse: bool = False


# ── the schema ──────────────────────────────────────────────────────────────────────────────────────────────────────


def schema(params: Iterable[Param]) -> JsonObject:
    """A flat JSON schema of an object with these members, no longer than it must be."""
    rows = tuple(params)
    made: JsonObject = {"type": "object", "properties": {row.name: _member(row) for row in rows}}
    needed = [row.name for row in rows if row.needed]
    return {**made, "required": needed} if needed else made


def _member(row: Param) -> JsonObject:
    made: JsonObject
    choices: JsonObject = {"enum": list(row.choices)} if row.choices and not row.terse else {}
    match row.type:
        case "strings":
            made = {"type": "array", "items": {"type": "string", **choices}}
        case "objects":
            made = {"type": "array", "items": {"type": "object"} if row.terse else schema(row.fields)}
        case "object":
            made = schema(row.fields)
        case "integer" | "number":
            limits = {} if row.terse else {"minimum": row.low, "maximum": row.high}
            made = {"type": row.type, **{key: limit for key, limit in limits.items() if limit is not None}}
        case _:
            made = {"type": row.type, **choices}
    return {**made, "description": row.about} if row.about else made


# ── the check ───────────────────────────────────────────────────────────────────────────────────────────────────────


def as_it_is(name: str) -> str:
    """The spelling of an argument for a caller who knows it by its name."""
    return name


def check(
    params: Iterable[Param], given: Mapping[str, object], owner: str = "", spell: Spelling = as_it_is
) -> JsonObject:
    """The arguments as the use case wants them, defaults filled in; raises UsageError on anything it cannot read.

    A null counts as absent. `owner` names the tool in messages, `spell` an argument as its caller knows it.
    """
    rows = {row.name: row for row in params}
    for key in given:
        if key not in rows:
            raise unknown(key, rows, owner)
    checked: JsonObject = {}
    for name, row in rows.items():
        value = given.get(name)
        if row.needed and value in (None, ""):
            raise UsageError(f"{spell(name)} is missing", f"{owner or 'this'} needs {spell(name)}: {_expected(row)}")
        if value is not None:
            checked[name] = _read(row, value, spell(name))
        elif row.default is not None:
            checked[name] = row.default
    return checked


def unknown(key: str, known: Iterable[str], owner: str) -> UnknownArgument:
    """The refusal of a key nobody knows, with the nearest known one. Spelling style does not count as distance."""
    names = tuple(known)
    folded = {_fold(name): name for name in names}
    near = get_close_matches(_fold(key), folded, n=1, cutoff=0.6)
    guess = f", did you mean {folded[near[0]]}?" if near else ""
    whose = f" of {owner}" if owner else ""
    return UnknownArgument(f"unknown argument {_shown(key)}{guess}", f"arguments{whose}: {', '.join(names)}")


def _read(row: Param, value: object, at: str) -> object:
    match row.type:
        case "string":
            return _text(row, value, at)
        case "integer" | "number":
            return _number(row, value, at)
        case "boolean":
            return _flag(row, value, at)
        case "strings":
            return _texts(row, value, at)
        case "object":
            return _object(row, value, at)
        case "objects":
            return _objects(row, value, at)


def _text(row: Param, value: object, at: str) -> str:
    if not isinstance(value, str):
        raise _wrong(row, at)
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise UsageError(f"{at} is not valid Unicode: it holds half of a surrogate pair", "send UTF-8 text") from None
    if (row.low is not None and size < row.low) or (row.high is not None and size > row.high):
        raise UsageError(f"{at} has {size} bytes", f"{at} takes {_range(row)} bytes")
    if row.choices and value and value not in row.choices:
        raise _no_choice(row, value, at)
    return value


def _number(row: Param, value: object, at: str) -> int | float:
    number = _digits(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or number != number:  # noqa: PLR0124 — NaN
        raise _wrong(row, at)
    if row.type == "integer":
        if isinstance(number, float) and not number.is_integer():
            raise _wrong(row, at)
        number = int(number)
    if (row.low is not None and number < row.low) or (row.high is not None and number > row.high):
        raise UsageError(f"{at} is {number}, out of range", f"{at} takes {_range(row)}")
    return number


def _digits(text: str) -> int | float | None:
    """The number a text spells, None when it spells none."""
    text = text.strip()
    if len(text) > _LONGEST_NUMBER or "_" in text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _flag(row: Param, value: object, at: str) -> bool:
    if isinstance(value, str):
        value = {"true": True, "false": False}.get(value.strip().lower())
    if not isinstance(value, bool):
        raise _wrong(row, at)
    return value


def _texts(row: Param, value: object, at: str) -> list[str]:
    if isinstance(value, str):
        decoded = _json(value)
        is_list = isinstance(decoded, list) and all(isinstance(element, str) for element in decoded)
        if decoded is None and _BROKEN.match(value):
            raise _wrong(row, at)
        value = decoded if is_list else [value]
    if not isinstance(value, list | tuple):
        raise _wrong(row, at)
    _length(row, len(value), at)
    single = Param(row.name, choices=row.choices)
    texts = [_text(single, element, f"{at}[{position}]") for position, element in enumerate(value)]
    return [text for text in texts if text]


def _object(row: Param, value: object, at: str) -> JsonObject:
    if isinstance(value, str):
        decoded = _json(value)
        meant = isinstance(decoded, dict) or _BROKEN.match(value)
        value = row.short(value) if row.short and not meant else decoded
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise _wrong(row, at)
    return check(row.fields, value, at)


def _objects(row: Param, value: object, at: str) -> list[JsonObject]:
    if isinstance(value, str):
        decoded = _json(value)
        if decoded is None and _BROKEN.match(value):
            raise _wrong(row, at)
        value = decoded if isinstance(decoded, list | dict) else [value]
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list | tuple):
        raise _wrong(row, at)
    _length(row, len(value), at)
    return [_object(row, element, f"{at}[{position}]") for position, element in enumerate(value)]


def _json(text: str) -> object:
    """What a list or object sent as JSON text holds; None for any other text."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _length(row: Param, length: int, at: str) -> None:
    if row.high is not None and length > row.high:
        raise UsageError(f"{at} has {length} elements", f"{at} takes at most {row.high:g}")


# ── messages ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _wrong(row: Param, at: str) -> UsageError:
    return UsageError(f"{at} cannot be read", f"{at} takes {_expected(row)}")


def _no_choice(row: Param, value: str, at: str) -> UsageError:
    near = get_close_matches(_fold(value), row.choices, n=1, cutoff=0.6)
    guess = f", did you mean {near[0]}?" if near else ""
    return UsageError(f"{at} cannot be {_shown(value)}{guess}", f"{at} is one of: {', '.join(row.choices)}")


def _expected(row: Param) -> str:
    if row.fields:
        members = ", ".join(field.name + ("" if field.needed else "?") for field in row.fields)
        short = ', or the short form "path" or "path::symbol"' if row.short else ""
        return f"{_EXPECTED[row.type]} {{{members}}}{short}"
    if row.choices:
        return f"{_EXPECTED[row.type]}, of: {', '.join(row.choices)}"
    return f"{_EXPECTED[row.type]}, {_range(row)}" if row.low is not None else _EXPECTED[row.type]


def _range(row: Param) -> str:
    low = 0 if row.low is None else row.low
    return f"{low:,} to {row.high:,}" if row.high is not None else f"{low:,} or more"


def _fold(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").strip()


def _shown(text: str) -> str:
    """A word out of somebody's call, short and on one line."""
    line = json.dumps(text[:_LONGEST_SHOWN], ensure_ascii=not text.isprintable())
    return line if len(text) <= _LONGEST_SHOWN else f'{line[:-1]}…"'
