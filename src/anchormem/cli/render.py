"""Replies as text for people: memories as short paragraphs, anything else as an outline, the envelope as a foot.

Takes what a use case answered and gives lines. Knows nothing of commands.
"""

from collections.abc import Iterator, Mapping, Sequence

from anchormem.cli.screen import Style, indented, on_one_line, paint, plain
from anchormem.reason.envelope import NEVER

_ONE_LINE = 100  # characters
_COUNTED = ("stale", "invalidated", "contradicted", "unknown")
_PLACES = frozenset(
    [
        "anchors",
        "at",
        "calls",
        "candidates",
        "dirty_files",
        "directory",
        "failed_files",
        "file",
        "files",
        "from",
        "name",
        "path",
        "paths",
        "place",
        "qualified",
        "symbol",
        "target",
        "to",
        "unresolved",
        "was",
    ]
)
_NAMING = frozenset(["exit_code", "line", "next_offset", "revision"])  # numbers that name a thing and count none
_SHOWN_BY_HEAD = ("id", "kind", "body", "conf", "on", "status", "source", "imported", "flags")


def fields(value: object) -> Mapping[str, object]:
    """The members of a JSON object, none for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> Sequence[object]:
    """The elements of a JSON list, none for anything else."""
    return value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else ()


def names_on_one_line(value: object, *, named: bool = False) -> object:
    """The same value with every name of a place in it spelled on one line; prose keeps its line breaks."""
    if isinstance(value, Mapping):
        return {key: names_on_one_line(member, named=key in _PLACES) for key, member in value.items()}
    if isinstance(value, str):
        return on_one_line(value) if named else value
    if isinstance(value, Sequence):
        return [names_on_one_line(element, named=named) for element in value]
    return value


def memories(data: object) -> Iterator[str]:
    """A list of memories, most pressing or best first."""
    rows = items(data)
    if not rows:
        yield paint("nothing", "dim")
    for row in rows:
        yield from memory(fields(row))


def memory(item: Mapping[str, object]) -> Iterator[str]:
    """One memory: a head line, its body, then whatever else it carries."""
    marks = [str(item[key]) for key in ("kind", "source", "status") if item.get(key)]
    if item.get("imported"):
        marks.append("imported")
    if "conf" in item:
        marks.append(f"confidence {item['conf']}")
    if item.get("on"):
        marks.append(str(item["on"]))
    yield f"{paint(str(item.get('id', '')), 'bold')}  {paint(', '.join(marks), 'dim')}"
    yield from (f"  {paint(str(flag), _style(str(flag)))}" for flag in items(item.get("flags")))
    yield from indented(plain(str(item.get("body", ""))))
    rest = {key: value for key, value in item.items() if key not in _SHOWN_BY_HEAD}
    yield from outline(rest, "  ")
    yield ""


def _style(flag: str) -> Style:
    return "red" if flag.startswith(_COUNTED) else "yellow"


def outline(value: object, by: str = "") -> Iterator[str]:
    """Any JSON value as indented lines, `key: value` where it fits on one."""
    if not by and value in ([], {}, "", None):
        yield paint("nothing", "dim")
        return
    if isinstance(value, Mapping):
        for key, member in value.items():
            yield from _member(f"{by}{paint(_words(str(key)), 'cyan')}", _as_named(str(key), member), by)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for element in value:
            yield from _element(element, by)
    else:
        yield f"{by}{_scalar(value)}"


def _member(head: str, member: object, by: str) -> Iterator[str]:
    if _is_short(member):
        yield f"{head}: {_scalar(member)}"
    elif isinstance(member, str):
        yield f"{head}:"
        yield from indented(plain(member), f"{by}  ")
    elif isinstance(member, Sequence) and all(_is_short(element) for element in member) and len(member) == 1:
        yield f"{head}: {_scalar(member[0])}"
    elif not member:
        yield f"{head}: none"
    else:
        yield f"{head}:"
        yield from outline(member, f"{by}  ")


def _element(element: object, by: str) -> Iterator[str]:
    if line := _on_one_line(element):
        yield f"{by}- {line}"
        return
    lines = list(outline(element)) or ["none"]
    yield f"{by}- {lines[0]}"
    yield from (f"{by}  {line}" for line in lines[1:])


def _on_one_line(element: object) -> str:
    """A small object on one line, its first value bare; "" for anything bigger."""
    if not isinstance(element, Mapping) or not element or not all(map(_is_short, element.values())):
        return ""
    (_, first), *rest = element.items()
    shown = ", ".join(f"{_words(str(key))} {_scalar(_as_named(str(key), value))}" for key, value in rest)
    line = f"{_scalar(first)}  {shown}" if shown else _scalar(first)
    return line if len(line) <= _ONE_LINE else ""


def _as_named(key: str, value: object) -> object:
    """A number that somebody will type again, as they would type it."""
    return str(value) if key in _NAMING and isinstance(value, int) else value


def _is_short(value: object) -> bool:
    return not isinstance(value, Mapping | Sequence) or (isinstance(value, str) and "\n" not in value)


def _scalar(value: object) -> str:
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case int():
            return f"{value:,}"
        case _:
            return plain(str(value))


def _words(key: str) -> str:
    return key.replace("_", " ")


def counted(number: object, one: str, many: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def envelope(meta: Mapping[str, object]) -> Iterator[str]:
    """What the envelope has to say: counts, what was left out, how fresh it is, warnings."""
    completeness, staleness = fields(meta.get("completeness")), fields(meta.get("staleness"))
    freshness = fields(meta.get("freshness"))
    said = []
    if completeness.get("matched"):
        said.append(f"{completeness.get('returned')} of {completeness['matched']} shown")
    if why := completeness.get("omitted_reason"):
        said.append(f"the rest left out: {_words(str(why))}")
    said += [f"{staleness[key]} {key}" for key in _COUNTED if staleness.get(key)]
    said += _indexed(freshness)
    if said:
        yield paint(" · ".join(said), "dim")
    if freshness.get("unchecked"):
        yield paint(_unsearched(freshness["unchecked"]), "yellow")
    if freshness.get("scan_failed"):
        yield paint(f"the last scan failed: {freshness['scan_failed']}", "yellow")
    if failed := items(freshness.get("failed_files")):
        yield paint(f"could not be read: {', '.join(on_one_line(str(path)) for path in failed)}", "yellow")
    yield from (paint(f"warning: {on_one_line(str(warning))}", "yellow") for warning in items(meta.get("warnings")))


def _indexed(freshness: Mapping[str, object]) -> Iterator[str]:
    """How old the index is, and what that means for this answer: anchored files are looked at in every call."""
    dirty = freshness.get("dirty", 0)
    if freshness.get("indexed_at") == NEVER:
        yield "not indexed completely yet: anchormem index"
    elif freshness:
        yield f"indexed {freshness.get('indexed_at')}"
        if dirty:
            yield f"{counted(dirty, 'file')} changed since, judged as {'it is' if dirty == 1 else 'they are'} now"


def _unsearched(number: object) -> str:
    what = "1 anchor's code is" if number == 1 else f"the code of {number} anchors is"
    return f"{what} not where it was, and not yet searched for elsewhere: anchormem index does that now"
