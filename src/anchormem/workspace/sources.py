"""Source text of this checkout or of a commit, with language and facts. Knows nothing of memories."""

from collections.abc import Mapping
from dataclasses import dataclass

from anchormem.languages import epoch, language_of
from anchormem.model import FileFacts, Slot, Symbol
from anchormem.project import decoding, disk
from anchormem.store import facts as stored
from anchormem.syntax import lookup, sections
from anchormem.syntax.facts import content_digest, facts_of
from anchormem.syntax.folding import fold
from anchormem.workspace.look import HEAD_BYTES, meant
from anchormem.workspace.session import Workspace

_KEYED = ("json", "yaml", "toml")


@dataclass(frozen=True, slots=True)
class Source:
    """One file's content. `text` is folded, as symbols count bytes; None where it is no text that can be parsed."""

    path: str
    data: bytes
    text: bytes | None
    language: str | None
    facts: FileFacts


def of_bytes(path: str, data: bytes, extensions: Mapping[str, str], known: FileFacts | None = None) -> Source:
    """The source of any bytes, wherever they come from."""
    promised = language_of(path, data[:HEAD_BYTES], extensions)
    text = decoding.for_parsing(data) if promised and decoding.is_text(data) else None
    facts = known or facts_of(data if text is None else text, promised if text is not None else None)
    return Source(path, data, None if text is None else fold(text), facts.language or promised, facts)


def read(ws: Workspace, path: str) -> Source | None:
    """The file as it is on disk now, None where there is nothing to read. Facts come from the store when it has any."""
    contents = disk.read(ws.root, path)
    return known(ws, path, contents.data) if isinstance(contents, disk.Contents) else None


def known(ws: Workspace, path: str, data: bytes) -> Source:
    """The source of bytes that the store may have facts of: equal contents are parsed once, of whatever commit."""
    promised = language_of(path, data[:HEAD_BYTES], ws.config.extensions)
    content = content_digest(data)
    facts = (stored.get(ws.store, content, one, epoch(one)) for one in meant(promised))
    return of_bytes(path, data, ws.config.extensions, next(filter(None, facts), None))


def symbols_at(source: Source, slot: Slot) -> tuple[Symbol, ...]:
    """What the slot holds in this content: a symbol, several twins, or a key found on demand."""
    found = lookup.at(source.facts, slot)
    if found or source.language not in _KEYED or source.text is None:
        return found
    key = sections.find_key(source.text, source.language, slot.qualified)
    return (key,) if key else ()


def text_of(source: Source, symbol: Symbol) -> str:
    """The definition as it stands there."""
    return (source.text or b"")[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace")
