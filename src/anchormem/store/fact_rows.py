"""Facts of code by content, shared by all checkouts of a repository: stored whole and given back whole.

Facts of an older epoch serve until newer ones of the same content and language replace them.
"""

from collections.abc import Iterable, Iterator, Mapping

from anchormem.model import Digest, FileFacts, Symbol
from anchormem.store import fact_codec
from anchormem.store.db import Store
from anchormem.store.odd_text import digests, unpacked
from anchormem.store.opening import Row, SqlValue

KNOWN = """
SELECT w.key
FROM json_each(:digests) w
CROSS JOIN facts.contents c ON c.content = digest(w.value) AND c.language = :language
WHERE c.epoch = :epoch
"""
ONE = """
SELECT id, content, language, epoch, normal, error_bytes, symbols, calls, imports, bases FROM facts.contents
WHERE content = :content AND language = :language AND (:epoch IS NULL OR epoch = :epoch)
"""
OF_PATH = """
SELECT c.id, c.content, c.language, c.epoch, c.normal, c.error_bytes, c.symbols, c.calls, c.imports, c.bases
FROM checkout.files f CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
WHERE f.path = :path
"""
HASHES = """
SELECT w.key, c.epoch, s.body
FROM json_each(:digests) w
CROSS JOIN facts.contents c ON c.content = digest(w.value) AND c.language = :language
LEFT JOIN facts.symbols s ON s.content = c.id
"""
SYMBOLS = """
SELECT
  s.name, s.qualified, s.disambiguator, s.kind, s.start_byte, s.end_byte, s.start_line, s.end_line, s.body,
  s.signature, s.doc, s.raw, s.tokens, s.head, s.damaged
FROM facts.contents c CROSS JOIN facts.symbols s ON s.content = c.id
WHERE c.id = :id AND c.content = :content AND c.epoch = :epoch
ORDER BY s.ordinal
"""
INSERT = """
INSERT INTO facts.contents (content, language, epoch, normal, error_bytes, symbols, used, calls, imports, bases)
VALUES (:content, :language, :epoch, :normal, :error_bytes, :symbols, 0, :calls, :imports, :bases)
RETURNING id
"""
INSERT_SYMBOL = """
INSERT INTO facts.symbols (
  content, ordinal, name, spelled, disambiguator, kind, start_byte, end_byte, start_line, end_line, body, signature,
  doc, raw, tokens, head, damaged
) VALUES (
  :content, :ordinal, :name, :spelled, :disambiguator, :kind, :start_byte, :end_byte, :start_line, :end_line, :body,
  :signature, :doc, :raw, :tokens, :head, :damaged
)
"""
INSERT_MENTION = """
INSERT OR IGNORE INTO facts.mentions (role, spelling, content) VALUES (:role, :spelling, :content)
"""
DELETE = "DELETE FROM facts.contents WHERE id = :content"
DELETE_SYMBOLS = "DELETE FROM facts.symbols WHERE content = :content"
DELETE_MENTION = "DELETE FROM facts.mentions WHERE role = :role AND spelling = :spelling AND content = :content"
STORED = "SELECT calls, imports, bases FROM facts.contents WHERE id = :content"

READS = 10  # of facts that another connection replaces meanwhile

Wanted = tuple[Digest, str | None, str]  # content, language, epoch


def known(store: Store, wanted: Iterable[Wanted]) -> set[Wanted]:
    """Those whose facts are stored under exactly this epoch."""
    groups: dict[tuple[str | None, str], list[Digest]] = {}
    for content, language, epoch in wanted:
        groups.setdefault((language, epoch), []).append(content)
    found: set[Wanted] = set()
    for (language, epoch), contents in groups.items():
        values = {"digests": digests(contents), "language": language or "", "epoch": epoch}
        found.update((contents[row[0]], language, epoch) for row in store.rows(KNOWN, values))
    return found


def hashes(store: Store, wanted: Iterable[tuple[Digest, str]]) -> dict[tuple[Digest, str], tuple[str, set[Digest]]]:
    """Epoch and bodies of stored contents, by content and language: enough to see what came and went."""
    groups: dict[str, list[Digest]] = {}
    for content, language in dict.fromkeys(wanted):
        groups.setdefault(language, []).append(content)
    found: dict[tuple[Digest, str], tuple[str, set[Digest]]] = {}
    for language, contents in groups.items():
        for key, epoch, body in store.rows(HASHES, {"digests": digests(contents), "language": language}):
            bodies = found.setdefault((contents[key], language), (epoch, set()))[1]
            if body is not None:
                bodies.add(body)
    return found


def put_many(store: Store, facts: Iterable[FileFacts]) -> None:
    """Stores facts, in the place of any stored for the same content and language.

    References that differ in line only are kept once, at the first line.
    """
    symbols: list[dict[str, SqlValue]] = []
    mentions: list[tuple[int, str, int]] = []
    with store.deriving():
        for each in {(one.content, one.language): one for one in facts}.values():
            content = _insert(store, each)
            symbols.extend(_symbol_values(content, ordinal, symbol) for ordinal, symbol in enumerate(each.symbols))
            spelled = fact_codec.mentions(each.references, each.imports, each.inheritance)
            mentions.extend((role, spelling, content) for role, spelling in spelled)
        store.run_many(INSERT_SYMBOL, symbols)
        store.run_many(INSERT_MENTION, _mention_values(sorted(mentions)))


def get(store: Store, content: Digest, language: str | None, epoch: str | None = None) -> FileFacts | None:
    """Facts of one content; of any epoch when None."""
    return _read(store, ONE, {"content": content, "language": language or "", "epoch": epoch})


def get_many(
    store: Store, wanted: Iterable[tuple[Digest, str | None]], *, symbols_only: bool = False
) -> dict[tuple[Digest, str | None], FileFacts]:
    """Facts of many contents, of whatever epoch is stored. `symbols_only`: without references, imports, inheritance."""
    found: dict[tuple[Digest, str | None], FileFacts] = {}
    for content, language in dict.fromkeys(wanted):
        key: dict[str, SqlValue] = {"content": content, "language": language or "", "epoch": None}
        if (facts := _read(store, ONE, key, symbols_only=symbols_only)) is not None:
            found[content, language] = facts
    return found


def of_path(store: Store, path: str) -> FileFacts | None:
    """Facts of the content this checkout last saw at `path`."""
    return _read(store, OF_PATH, {"path": path})


def remove(store: Store, contents: Iterable[int]) -> None:
    """Drops rows of facts.contents with all that hangs on them. Within `deriving`."""
    for content in contents:
        row = store.row(STORED, {"content": content})
        if row is None:
            continue
        calls, imports, bases = row
        spelled = fact_codec.mentions(fact_codec.calls(calls), fact_codec.imports(imports), fact_codec.bases(bases))
        store.run_many(DELETE_MENTION, _mention_values((role, spelling, content) for role, spelling in spelled))
        store.run(DELETE_SYMBOLS, {"content": content})
        store.run(DELETE, {"content": content})


def symbol_of(row: Row) -> Symbol:
    """From the fifteen columns of a symbol, name first."""
    name = unpacked(row[0])
    return Symbol(
        name=name,
        qualified=unpacked(row[1]),
        disambiguator=unpacked(row[2]),
        kind=row[3],
        start_byte=row[4],
        end_byte=row[5],
        start_line=row[6],
        end_line=row[7],
        body=row[8],
        signature=row[9],
        doc=row[10],
        raw=row[11],
        tokens=row[12],
        head=fact_codec.head(unpacked(row[13]), name),
        damaged=bool(row[14]),
    )


def _read(store: Store, sql: str, values: Mapping[str, SqlValue], *, symbols_only: bool = False) -> FileFacts | None:
    """The facts of the row that is found, whole; None when there is none, or none that keeps still."""
    for _ in range(READS):
        row = store.row(sql, values)
        if row is None:
            return None
        facts = _facts(store, row, symbols_only=symbols_only)
        if facts is not None:
            return facts
    return None


def _facts(store: Store, row: Row, *, symbols_only: bool) -> FileFacts | None:
    """None when the row was replaced between the two questions: half of it must not pass for a file without symbols."""
    content_id, content, language, epoch, normal, error_bytes, count, calls, imports, bases = row
    symbols = store.rows(SYMBOLS, {"id": content_id, "content": content, "epoch": epoch})
    if len(symbols) != count:
        return None
    return FileFacts(
        content=content,
        language=language or None,
        epoch=epoch,
        normal=normal,
        error_bytes=error_bytes,
        symbols=tuple(map(symbol_of, symbols)),
        references=() if symbols_only else fact_codec.calls(calls),
        imports=() if symbols_only else fact_codec.imports(imports),
        inheritance=() if symbols_only else fact_codec.bases(bases),
    )


def _insert(store: Store, facts: FileFacts) -> int:
    key: dict[str, SqlValue] = {"content": facts.content, "language": facts.language or ""}
    remove(store, (row[0] for row in store.rows(ONE, key | {"epoch": None})))
    values = key | {
        "epoch": facts.epoch,
        "normal": facts.normal,
        "error_bytes": facts.error_bytes,
        "symbols": len(facts.symbols),
        "calls": fact_codec.calls_packed(facts.references),
        "imports": fact_codec.imports_packed(facts.imports),
        "bases": fact_codec.bases_packed(facts.inheritance),
    }
    return int(store.rows(INSERT, values)[0][0])


def _mention_values(mentions: Iterable[tuple[int, str, int]]) -> Iterator[dict[str, SqlValue]]:
    return ({"role": role, "spelling": spelling, "content": content} for role, spelling, content in mentions)


def _symbol_values(content: int, ordinal: int, symbol: Symbol) -> dict[str, SqlValue]:
    return {
        "content": content,
        "ordinal": ordinal,
        "name": symbol.name,
        "spelled": symbol.qualified if symbol.qualified != symbol.name else None,
        "disambiguator": symbol.disambiguator,
        "kind": symbol.kind,
        "start_byte": symbol.start_byte,
        "end_byte": symbol.end_byte,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "body": symbol.body,
        "signature": symbol.signature,
        "doc": symbol.doc,
        "raw": symbol.raw,
        "tokens": symbol.tokens,
        "head": fact_codec.head_packed(symbol.head, symbol.name),
        "damaged": symbol.damaged,
    }
