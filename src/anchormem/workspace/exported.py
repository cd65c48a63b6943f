"""The shared export as text: a header, then one memory a line, without what another machine would write differently.

Knows the form of a line and what may stand in it, nothing of files, trust or merging. Reads hostile text: whatever is
not exactly a memory is a fault with a reason, never an exception.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from anchormem.errors import Refused
from anchormem.model import Anchor, Memory, Slot
from anchormem.workspace import imported
from anchormem.workspace.imported import ID, Said

PATH = ".anchormem/memory.jsonl"
FORMAT = 1
HEADER = f'{{"anchormem":{FORMAT}}}'
LONGEST_LINE = 1 << 20  # bytes
MARKER = "a conflict marker of git"

_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |$)")
_SURROGATE = re.compile("[\ud800-\udfff]")

_DIGESTS = ("body", "signature", "doc", "raw", "normal")
_PLAIN = ("epoch", "tokens", "kind", "quote", "quote_count", "damaged", "file_damaged", "commit", "dirty")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an export. `memory` None: `fault` says why; `id` is there where it can be told. `number`: from 1."""

    text: str
    id: str = ""
    memory: Memory | None = None
    fault: str = ""
    number: int = 0
    unknown: tuple[str, ...] = ()  # fields that are not ours, left out


@dataclass(frozen=True, slots=True)
class Export:
    """`version`: the newest format any header names, 0 without one."""

    version: int
    lines: tuple[Line, ...]


def whole(lines: Iterable[str]) -> bytes:
    """The file of these lines, which are sorted already."""
    return "".join(f"{one}\n" for one in (HEADER, *lines)).encode()


def line(memory: Memory) -> str:
    """Keys sorted, defaults left out, no fate, no machine path, no anchored text. Of a forgotten one, its tombstone."""
    if memory.forgotten_at:
        return _written({"id": memory.id, "forgotten_at": memory.forgotten_at})
    made: dict[str, object] = {
        "id": memory.id,
        "kind": memory.kind,
        "body": memory.body,
        "source": memory.source,
        "confidence": float(memory.confidence),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }
    made |= {name: value for name in ("origin", "superseded_by", "archived") if (value := getattr(memory, name))}
    if memory.evidence:
        made["evidence"] = {
            "command": memory.evidence.command,
            "output": memory.evidence.output,
            "digest": memory.evidence.digest.hex(),
            "exit_code": memory.evidence.exit_code,
            "at": memory.evidence.at,
        }
    if memory.links:
        made["links"] = [{"target": link.target, "rel": link.rel} for link in memory.links]
    if memory.anchors:
        made["anchors"] = [_anchor(anchor) for anchor in memory.anchors]
    return _written(made)


def _written(made: Said) -> str:
    """A lone surrogate, as odd file names have them, stays the escape it has to be."""
    text = json.dumps(made, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _anchor(anchor: Anchor) -> dict[str, object]:
    default = Anchor(anchor.slot, anchor.aspect, "")
    made: dict[str, object] = {"slot": _slot(anchor.slot), "aspect": anchor.aspect}
    made |= {name: digest.hex() for name in _DIGESTS if (digest := getattr(anchor, name)) is not None}
    made |= {name: getattr(anchor, name) for name in _PLAIN if getattr(anchor, name) != getattr(default, name)}
    if anchor.quote_tokens:
        made["quote_tokens"] = list(anchor.quote_tokens)
    if proved := sorted({*map(tuple, map(_slot, anchor.slots))} - {tuple(_slot(anchor.slot))}):
        made["slots"] = proved
    if anchor.twins:
        made["twins"] = [_slot(slot) for slot in anchor.twins]
    return made


def _slot(slot: Slot) -> list[str]:
    return [slot.path, slot.qualified, slot.disambiguator]


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def opened(data: bytes) -> Export:
    """Every line that is neither blank nor a header. Line ends of Windows and a byte-order mark are passed over."""
    version, found = 0, list[Line]()
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        one = _line(raw, number)
        if isinstance(one, int):
            version = max(version, one)
        else:
            found.append(one)
    return Export(version, tuple(found))


def refuse_newer(export: Export, path: str) -> None:
    """Refused: what a later version wrote may say more than this one can keep."""
    if export.version > FORMAT:
        raise Refused(f"{path} was written by a newer anchormem (format {export.version})", "run `anchormem update`")


def read(text: str) -> Memory | None:
    """The memory of a line; None for a header, a blank, or anything that is not a whole memory."""
    found = _line(text.encode("utf-8", "surrogatepass"), 0)
    return None if isinstance(found, int) else found.memory


def _line(raw: bytes, number: int) -> Line | int:
    """A line, or the version that a header names."""
    text = raw.decode("utf-8", "replace").strip()
    said, fault = _object(raw, text)
    if fault:
        return Line(text, fault=fault, number=number)
    version = said.get("anchormem")
    if isinstance(version, int) and "id" not in said:
        return version
    return _told(text, said, number)


def _object(raw: bytes, text: str) -> tuple[Said, str]:
    """The object of a line, or why it holds none."""
    if len(raw) > LONGEST_LINE:
        return {}, f"longer than {LONGEST_LINE:,} bytes"
    if _CONFLICT.match(text):
        return {}, MARKER
    try:
        said = json.loads(raw.decode())
    except UnicodeDecodeError:
        return {}, "not UTF-8"
    except (ValueError, RecursionError):
        return {}, "not JSON, or cut off"
    return (said, "") if isinstance(said, dict) else ({}, "no JSON object")


def _told(text: str, said: Said, number: int) -> Line:
    name = said.get("id")
    if not isinstance(name, str) or not ID.fullmatch(name):
        return Line(text, fault="no id as ours are", number=number)
    try:
        memory = imported.memory(name, said)
    except (ValueError, TypeError, KeyError) as fault:
        return Line(text, name, fault=str(fault).strip("'"), number=number)
    return Line(text, name, memory, number=number, unknown=imported.unknown(said))
