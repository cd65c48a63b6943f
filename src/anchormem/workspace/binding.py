"""From what a caller names to full anchors with today's hashes. All resolve, or none is given back.

Knows nothing of how memories are stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from anchormem.errors import AmbiguousSymbol, AnchormemError, GitFailed, NotFound, Refused, UsageError
from anchormem.model import Anchor, Aspect, FileFacts, FileState, Slot, Symbol
from anchormem.project import git
from anchormem.project.paths import anchorable
from anchormem.store import facts, fates, files
from anchormem.syntax import lookup, quotes, sections
from anchormem.syntax.facts import content_digest
from anchormem.text import secrets
from anchormem.workspace import unparsed
from anchormem.workspace.ground import text_of
from anchormem.workspace.look import Look, choose, look, parse, stored
from anchormem.workspace.nearest import no_such_file
from anchormem.workspace.session import Workspace

Given = str | Mapping[str, object]  # `path`, `path::symbol[@disambiguator]`, or {file, symbol?, aspect?, quote?}

KEPT_TEXT_BYTES = 64 * 1024
ASPECTS = ("body", "signature", "exists")
NAMED_KEYS = 200  # keys of a configuration file among which the closest are looked for


@dataclass(frozen=True, slots=True)
class _Wish:
    """What was asked for, with its shape checked. `exact`: the symbol came after `path::`, so it is no tail."""

    file: str
    symbol: str = ""
    aspect: str = ""
    quote: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class _File:
    """One anchored file as it is now."""

    path: str
    state: FileState
    source: bytes | None
    facts: FileFacts | None
    commit: str
    dirty: bool


def bind(ws: Workspace, given: Sequence[Given]) -> tuple[Anchor, ...]:
    """Full anchors with today's hashes, text, commit and twins (`id` 0); equal ones once.

    Reads each named file afresh (call after `refresh(ws, paths_of(given))`, so twins are known). Raises UsageError for
    a wrong shape, BadPath at the gate, NotFound with the closest names, AmbiguousSymbol with the exact forms, Refused
    for quotes and for what cannot be read, SecretFound.
    """
    binder = _Binder(ws)
    return tuple(dict.fromkeys(binder.bind(_wish(one)) for one in given))


def bind_known(ws: Workspace, names: Iterable[str]) -> Mapping[str, Anchor]:
    """Those of these names that resolve, with their anchors. For notes, where one that does not is a mere word."""
    binder, found = _Binder(ws), {}
    for name in names:
        with suppress(AnchormemError):
            found[name] = binder.bind(_wish(name))
    return found


def rebind(ws: Workspace, anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """The same anchors tied to today's code at the place where each is now (reverify, confirm, update).

    Raises Refused for a slot that is empty, ambiguous or unreadable, naming candidates. Call after `refresh`.
    """
    binder, wanted = _Binder(ws), tuple(anchors)
    rows = fates.get(ws.store, (anchor.id for anchor in wanted))
    return tuple(binder.again(anchor, rows.get(anchor.id)) for anchor in wanted)


def paths_of(given: Sequence[Given]) -> tuple[str, ...]:
    """The file paths named, as given and not yet gated; malformed elements are left out (bind refuses them)."""
    named = []
    for one in given:
        file = one.get("file") if isinstance(one, Mapping) else one
        if isinstance(file, str) and file:
            named.append(file.partition("::")[0])
    return tuple(dict.fromkeys(named))


def printed(anchor: Anchor) -> str:
    """`path::Qualified.name`, with aspect or quote when it has one: `path::name [signature]`, `path::name "quote"`."""
    if anchor.aspect == "quote":
        return f'{anchor.slot} "{anchor.quote}"'
    return f"{anchor.slot} [{anchor.aspect}]" if anchor.aspect in ("signature", "exists") else str(anchor.slot)


# ── the shape of what is given ──────────────────────────────────────────────────────────────────────────────────────


def _wish(given: Given) -> _Wish:
    if isinstance(given, str):
        file, colons, symbol = given.partition("::")
        _refuse_no_symbol(file, colons, symbol)
        return _checked(_Wish(file.strip(), symbol.strip(), exact=bool(symbol)))
    for key, value in given.items():
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{key} of an anchor is a text", "an anchor is {file, symbol?, aspect?, quote?}")
    file, symbol, aspect, quote = (str(given.get(key) or "") for key in ("file", "symbol", "aspect", "quote"))
    inline, inner, tail = file.partition("::")
    _refuse_no_symbol(inline, inner, tail or symbol)
    if tail and not symbol:
        return _checked(_Wish(inline.strip(), tail.strip(), aspect, quote, exact=True))
    path, colons, name = symbol.partition("::")
    _refuse_no_symbol(path, colons, name)
    if colons and (path.strip() == file.strip() or not file):
        return _checked(_Wish(path.strip(), name.strip(), aspect, quote, exact=True))
    return _checked(_Wish(file.strip(), symbol.strip(), aspect, quote))


def _refuse_no_symbol(file: str, colons: str, symbol: str) -> None:
    if colons and not symbol.strip():
        raise UsageError(
            f"the anchor {f'{file[:80]}::'!r} names no symbol", "give path::symbol, or the path alone for a whole file"
        )


def _checked(wish: _Wish) -> _Wish:
    if not wish.file:
        raise UsageError("an anchor needs a file", "give {file, symbol?, aspect?, quote?} or path::symbol")
    if wish.aspect and wish.aspect not in ASPECTS:
        raise UsageError(f"unknown aspect {wish.aspect}", f"aspects are {', '.join(ASPECTS)}")
    if wish.aspect and wish.quote:
        raise Refused("an anchor has an aspect or a quote, not both", "leave one out, or give two anchors")
    if wish.aspect and not wish.symbol:
        raise UsageError("an aspect needs a symbol", "name the symbol, or leave the aspect out")
    secrets.check({"anchor file": wish.file, "anchor symbol": wish.symbol, "anchor quote": wish.quote})
    return wish


# ── from a wish to an anchor ────────────────────────────────────────────────────────────────────────────────────────


class _Binder:
    """Reads each file once, however many anchors are in it."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._files: dict[str, _File] = {}
        self._head = git.head_commit(ws.root)

    def bind(self, wish: _Wish) -> Anchor:
        file = self._file(self._place(wish))
        symbol = self._symbol(file, wish) if wish.symbol else None
        if wish.aspect == "signature" and symbol is not None and symbol.signature is None:
            raise Refused(f"{symbol.qualified} has no signature", "leave the aspect out: the whole section counts")
        aspect = cast("Aspect", "quote" if wish.quote else (wish.aspect or "body") if symbol else "file")
        return self._anchor(file, symbol, aspect, wish.quote)

    def _place(self, wish: _Wish) -> str:
        try:
            return anchorable(self._ws.root, wish.file)
        except NotFound:
            raise no_such_file(self._ws, wish.file, wish.symbol) from None

    def again(self, anchor: Anchor, row: fates.FateRow | None) -> Anchor:
        fate = row.fate if row else None
        # Under another recipe only its hash is unknown: the code is there, and somebody may say that it still holds.
        if fate is None or fate.at is None or (fate.name == "unknown" and fate.reason != "epoch"):
            why = f"{fate.name}: {fate.reason}" if fate else "not resolved yet"
            named = f"perhaps {', '.join(fate.candidates)}; " if fate and fate.candidates else ""
            raise Refused(f"{printed(anchor)} cannot be found ({why})", f"{named}use admin reanchor to name the place")
        at = fate.at
        file = self._file(anchorable(self._ws.root, at.path))
        symbol = _of_slot(file, at) if at.qualified else None
        return self._anchor(file, symbol, anchor.aspect, anchor.quote)

    def _symbol(self, file: _File, wish: _Wish) -> Symbol:
        if file.facts is None or file.source is None:
            found = unparsed.of(self._ws, file.path)
            remedy = f"; {found.remedy}" if found.remedy else ""
            raise Refused(f"{file.path} has no symbols: {found.why}", f"anchor the file itself: {file.path}{remedy}")
        return _symbol(file, file.facts, file.source, wish)

    def _file(self, path: str) -> _File:
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> _File:
        ws = self._ws
        seen = look(ws.root, path, ws.config.extensions, ws.now() * 1_000_000)
        if seen.state is None:
            raise NotFound(f"no such file: {path}", "anchors name files that exist")
        if seen.state.status == "too_large":
            raise Refused(f"{path} is larger than 8 MB and not indexed", "anchor a smaller file")
        if seen.state.status == "unreadable":
            raise Refused(f"{path} cannot be read", "check its permissions")
        return _File(path, seen.state, seen.source, self._facts(seen), self._head, self._is_dirty(path, seen.state))

    def _facts(self, seen: Look) -> FileFacts | None:
        if seen.state is None:
            return None
        known = choose(seen.state, stored(self._ws.store, (seen.state,)))
        if known is not None:
            return known
        found = parse(seen)
        return found[1] if found is not None else None

    def _is_dirty(self, path: str, state: FileState) -> bool:
        """Whether HEAD holds another content of the file, or none."""
        if not self._ws.root.is_git:
            return False
        wanted = (self._head, path)
        try:
            committed = git.blobs(self._ws.root, [wanted]).get(wanted) if self._head else None
        except GitFailed:
            return True
        return committed is None or content_digest(committed) != state.content

    def _anchor(self, file: _File, symbol: Symbol | None, aspect: Aspect, quote: str) -> Anchor:
        slot = Slot(file.path, symbol.qualified, symbol.disambiguator) if symbol else Slot(file.path)
        tokens = _quoted(file, symbol, quote) if quote else ()
        language = file.facts.language if file.facts else None
        return Anchor(
            slot=slot,
            aspect=aspect,
            epoch=file.facts.epoch if file.facts else "",
            body=symbol.body if symbol else file.state.content,
            signature=symbol.signature if symbol else None,
            doc=symbol.doc if symbol else None,
            raw=symbol.raw if symbol else None,
            normal=file.facts.normal if file.facts and not symbol else None,
            tokens=symbol.tokens if symbol else _non_blank(file),
            kind=symbol.kind if symbol else "file",
            quote=quote,
            quote_tokens=tokens,
            quote_count=quotes.count(file.source or b"", language, symbol, tokens) if quote else 0,
            damaged=symbol.damaged if symbol else False,
            file_damaged=bool(file.facts and file.facts.error_bytes),
            commit=file.commit,
            dirty=file.dirty,
            text=_text(file, symbol),
            slots=(slot,),
            twins=self._twins(file, slot, symbol),
        )

    def _twins(self, file: _File, slot: Slot, symbol: Symbol | None) -> tuple[Slot, ...]:
        """Other places that hold an equal body now: in this file by its facts, in others by the index."""
        store = self._ws.store
        if symbol is None:
            if file.state.content is None:
                return ()
            return tuple(Slot(one) for one in files.files_with_content(store, file.state.content) if one != file.path)
        here = file.facts.symbols if file.facts else ()
        places = facts.places_of_bodies(store, (symbol.body,)).get(symbol.body, [])
        found = (
            *(Slot(file.path, one.qualified, one.disambiguator) for one in here if one.body == symbol.body),
            *(place.slot for place in places if place.slot.path != file.path),
        )
        return tuple(twin for twin in dict.fromkeys(found) if twin != slot)


def _symbol(file: _File, known: FileFacts, source: bytes, wish: _Wish) -> Symbol:
    exact = lookup.matches(known, wish.symbol, exact_only=True) if wish.exact else ()
    found = exact or lookup.matches(known, wish.symbol)
    if len(found) == 1:
        return found[0]
    if found:
        forms = ", ".join(f"{file.path}::{lookup.exact_form(one, known.symbols)}" for one in found)
        raise AmbiguousSymbol(f"{len(found)} symbols of {file.path} are called {wish.symbol}", f"use one of {forms}")
    key = None if known.symbols else sections.find_key(source, known.language, wish.symbol)
    if key is not None:
        return key
    raise NotFound(f"{file.path} has no symbol {wish.symbol}", _closest(file, known, wish.symbol))


def _closest(file: _File, known: FileFacts, wanted: str) -> str:
    if not known.symbols and file.source is not None:
        keys = sections.keys(file.source, known.language, NAMED_KEYS)
        known = FileFacts(known.content, known.language, known.epoch, None, 0, keys)
    near = lookup.near(known, wanted)
    return f"closest: {', '.join(near)}" if near else f"anchor the file itself: {file.path}"


def _of_slot(file: _File, at: Slot) -> Symbol:
    """The symbol that a fate points to. It may have gone since."""
    symbols = file.facts.symbols if file.facts else ()
    for symbol in symbols:
        if (symbol.qualified, symbol.disambiguator) == (at.qualified, at.disambiguator):
            return symbol
    key = sections.find_key(file.source, file.facts.language, at.qualified) if file.facts and file.source else None
    if key is None:
        raise Refused(f"{at} is no longer there", "use admin reanchor to name the place")
    return key


def _quoted(file: _File, symbol: Symbol | None, quote: str) -> tuple[str, ...]:
    if file.source is None:
        raise Refused(
            f"{file.path} is not text, so nothing in it can be quoted", f"anchor the file itself: {file.path}"
        )
    return quotes.quote_tokens(file.source, file.facts.language if file.facts else None, symbol, quote)


def _text(file: _File, symbol: Symbol | None) -> str | None:
    """The anchored text, unless it is too long or may hold a secret."""
    if symbol is None or file.source is None:
        return None
    text = text_of(file.source, symbol)
    return None if len(text.encode("utf-8", "replace")) > KEPT_TEXT_BYTES or secrets.find(text) else text


def _non_blank(file: _File) -> int:
    return len(b"".join(file.source.split())) if file.source is not None else file.state.stat.size
