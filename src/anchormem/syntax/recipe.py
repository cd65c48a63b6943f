"""A language's header compiled for the walk: a code for each node kind, what to do with it, how its children change.

Codes are digests of kind names, so they neither depend on a grammar's numbering nor differ between its dialects.
"""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import tree_sitter
import xxhash

from anchormem import languages
from anchormem.syntax import literals

ERROR_KIND: Final = 65535

# What the walk does with a node of some kind. PLAIN is falsy on purpose.
PLAIN, NAME, SKIP, ATOM, STRING, CONCAT, NUMBER, TEXT, PARENS, OPENER, TAIL, LEAF, ERROR, RELEX, WRAP = range(15)

CLOSE: Final = 0
SEGMENT: Final = 1  # text between the interpolations of a literal
GAP: Final = 3  # non-blank bytes that no node covers
OWN: Final = 16  # the own name of the innermost definition; + 16 a level outwards, + the place among several names
FIRST_CODE: Final = 1 << 16

Kinds = frozenset[int]


@dataclass(frozen=True, slots=True)
class ParensRule:
    keep: frozenset[tuple[int, int]]  # (parent, inner) that need their parentheses, −1 for any
    keep_marked: tuple["MarkedPair", ...]  # the same, only where one holds a token
    keep_typed: Kinds  # parents whose first child needs them when they hold a type
    chain_parents: Kinds
    chain_marks: Kinds


@dataclass(frozen=True, slots=True)
class MarkedPair:
    """Kinds of a parent and of what its parentheses hold, each with a token it has as a child. Empty: any."""

    parent: Kinds
    parent_mark: Kinds
    inner: Kinds
    inner_mark: Kinds


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """`act` and `codes` by kind id; the rest by kind id where a kind has any."""

    language: "languages.Language"
    codes: Mapping[int, int]
    act: Mapping[int, int]
    strings: Mapping[int, str]
    strings_under: Mapping[tuple[int, int], str]  # (parent, kind)
    string_code: Kinds
    numbers: Mapping[int, str]
    drop: Mapping[int, Kinds]
    drop_first: Mapping[int, Kinds]
    drop_last: Mapping[int, Kinds]
    drop_empty: Mapping[int, Kinds]
    comma: Mapping[int, int]  # parent → elements it needs before the last comma is noise
    bare: Mapping[int, tuple[tuple[int, int, str], ...]]  # parent → (kind, becomes, field or "")
    rewrites: Mapping[int, tuple[str, ...]]
    parens_single: Kinds
    parens: ParensRule
    not_bare: Mapping[int, tuple[str, ...]]
    member: Mapping[int, tuple[tuple[str, str, Kinds], ...]]  # parent → (receiver field, member field, only within)
    calls: Mapping[int, tuple[str, ...]]  # parent → fields that name callables alone
    bare_kinds: Kinds
    type_names: Kinds  # identifiers that name types and namespaces alone
    never_bare: frozenset[str]  # kinds of definitions that a bare identifier never means
    relex: Mapping[int, str]
    receivers: frozenset[bytes]
    directive: re.Pattern[bytes] | None
    directive_within: re.Pattern[bytes] | None  # parts of documentation that count as code
    doc: re.Pattern[bytes] | None
    doc_adjacent: bool
    layout: re.Pattern[bytes]
    mask: str  # how text is read that is hidden from the parser, "" where none is
    comments: Kinds
    commas: Kinds
    settings: tuple[Mapping[str, str | None], ...]  # by pattern of the query
    aside: Kinds  # definitions that mean nothing to what stands beside them: an excerpt may leave them out
    aside_in: Kinds  # where others of these are inside
    aside_before: Kinds  # what right before a definition belongs to it, beside comments
    kinds: "KindTable" = field(repr=False)

    def code(self, name: str) -> int:
        return code_of(name, named=True)


@dataclass(frozen=True, slots=True)
class KindTable:
    """Kind names as header words spell them (`block`, `";"`) to every kind id they have."""

    ids: Mapping[str, Kinds]
    named: Kinds

    def __getitem__(self, word: str) -> Kinds:
        found = self.ids.get(word)
        if found is None:
            raise ValueError(f"the grammar has no node kind {word}")
        return found

    def one(self, word: str) -> int:
        return min(self[word])


def code_of(name: str, *, named: bool) -> int:
    """Even, so that `code | 1` is the same kind as a leaf."""
    told = xxhash.xxh3_64_intdigest(f"{int(named)}{name}".encode()) & 0x7FFFFFFE
    return told | FIRST_CODE


def kind_table(grammar: tree_sitter.Language) -> tuple[KindTable, dict[int, int]]:
    ids: dict[str, set[int]] = {}
    codes = {ERROR_KIND: code_of("ERROR", named=True)}
    named = {ERROR_KIND}
    for kind in range(grammar.node_kind_count):
        name = grammar.node_kind_for_id(kind)
        if name is None:
            continue
        is_named = bool(grammar.node_kind_is_named(kind))
        codes[kind] = code_of(name, named=is_named) | (not is_named)
        ids.setdefault(name if is_named else f'"{name}"', set()).add(kind)
        if is_named:
            named.add(kind)
    ids["ERROR"] = {ERROR_KIND}
    return KindTable({name: frozenset(found) for name, found in ids.items()}, frozenset(named)), codes


def pairs(kinds: KindTable, words: tuple[str, ...]) -> dict[int, Kinds]:
    """`parent/child` words as parent → children."""
    table: dict[int, Kinds] = {}
    for word in words:
        parent, _, child = word.partition("/")
        for kind in kinds[parent]:
            table[kind] = table.get(kind, frozenset()) | kinds[child]
    return table


def all_of(kinds: KindTable, words: tuple[str, ...]) -> Kinds:
    return frozenset(kind for word in words for kind in kinds[word])


@functools.cache
def recipe_of(name: str) -> Recipe:
    """The recipe of a language, compiled once. Raises GrammarMissing as `languages.load` does."""
    return compile_recipe(languages.load(name))


def compile_recipe(language: "languages.Language") -> Recipe:
    kinds, codes = kind_table(language.grammar)
    lists = language.lists

    def words(key: str) -> tuple[str, ...]:
        return lists.get(key, ())

    for word in words("hash.alias"):
        old, _, new = word.partition("=")
        codes |= dict.fromkeys(kinds[old], codes[kinds.one(new)])
    act = {kind: PLAIN if kind in kinds.named else LEAF for kind in codes}
    act[ERROR_KIND] = ERROR
    strings, strings_under = string_kinds(kinds, words("hash.string"))
    numbers = {k: dialect for dialect, kind in split_each(words("hash.number")) for k in kinds[kind]}
    bare_kinds = all_of(kinds, words("own.bare"))
    for what, members in (
        (NAME, bare_kinds | all_of(kinds, words("own.member-kinds"))),
        (WRAP, all_of(kinds, words("own.wraps"))),
        (SKIP, all_of(kinds, words("hash.skip"))),
        (ATOM, all_of(kinds, words("hash.atom"))),
        (TEXT, all_of(kinds, words("hash.text"))),
        (STRING, frozenset(strings) | {kind for _, kind in strings_under}),
        (CONCAT, all_of(kinds, tuple(w.partition(":")[2] for w in words("hash.concat")))),
        (NUMBER, frozenset(numbers)),
        (RELEX, all_of(kinds, tuple(w.partition(":")[2] for w in words("hash.relex")))),
        (PARENS, all_of(kinds, words("hash.parens") + words("hash.parens-single"))),
        (OPENER, all_of(kinds, words("hash.tail-opener"))),
        (TAIL, all_of(kinds, words("hash.tail"))),
    ):
        act |= dict.fromkeys(members, what)
    strings |= {k: dialect for dialect, kind in split_each(words("hash.concat")) for k in kinds[kind]}
    comma = {k: 1 for word in words("hash.comma") for k in kinds[word]}
    comma |= {k: 2 for word in words("hash.comma-multi") for k in kinds[word]}
    drop = pairs(kinds, words("hash.drop"))
    drop_first = pairs(kinds, words("hash.drop-first"))
    drop_last = pairs(kinds, words("hash.drop-last"))
    drop_empty = pairs(kinds, words("hash.drop-empty"))
    bare = bare_rules(kinds, words("hash.bare"))
    rewrites: dict[int, tuple[str, ...]] = {}
    for rule, kind in split_each(words("hash.rewrite")):
        for k in kinds[kind]:
            rewrites[k] = (*rewrites.get(k, ()), rule)
    single = all_of(kinds, words("hash.parens-single"))
    layout = language.scalars.get("layout", r"\s+")
    return Recipe(
        language=language,
        codes=codes,
        act=act,
        strings=strings,
        strings_under=strings_under,
        string_code=all_of(kinds, words("hash.string-code")),
        numbers=numbers,
        drop=drop,
        drop_first=drop_first,
        drop_last=drop_last,
        drop_empty=drop_empty,
        comma=comma,
        bare=bare,
        rewrites=rewrites,
        parens_single=single,
        parens=parens_rule(kinds, words),
        not_bare=fields(kinds, words("own.not")),
        member=members_of(kinds, words("own.member")),
        calls=fields(kinds, words("own.call")),
        bare_kinds=bare_kinds,
        type_names=all_of(kinds, words("own.types")),
        never_bare=frozenset(words("own.never")),
        relex={k: lexer for lexer, kind in split_each(words("hash.relex")) for k in kinds[kind]},
        receivers=frozenset(word.encode() for word in words("own.receivers")),
        directive=pattern(language.scalars.get("directive")),
        directive_within=pattern(language.scalars.get("directive.within")),
        doc=pattern(language.scalars.get("doc")),
        doc_adjacent=language.scalars.get("doc.adjacent") == "yes",
        layout=re.compile(layout.encode()),
        mask=language.scalars.get("mask", ""),
        comments=all_of(kinds, words("hash.skip")),
        commas=kinds.ids.get('","', frozenset()),
        settings=settings_of(language.query),
        kinds=kinds,
        aside=all_of(kinds, words("aside")),
        aside_in=all_of(kinds, words("aside.in")),
        aside_before=all_of(kinds, words("aside.before")),
    )


def settings_of(query: tree_sitter.Query) -> tuple[Mapping[str, str | None], ...]:
    """By pattern of the query."""
    count = query.pattern_count
    patterns = range(count)  # type: ignore[call-overload] # a property, whatever the stub says
    return tuple(query.pattern_settings(index) for index in patterns)


def pattern(text: str | None) -> re.Pattern[bytes] | None:
    return re.compile(text.encode()) if text else None


def split_each(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """`dialect:kind` words as pairs."""
    return [(word.partition(":")[0], word.partition(":")[2]) for word in words]


def string_kinds(kinds: KindTable, words: tuple[str, ...]) -> tuple[dict[int, str], dict[tuple[int, int], str]]:
    """`dialect:kind` and `dialect:parent/kind`."""
    plain: dict[int, str] = {}
    under: dict[tuple[int, int], str] = {}
    for dialect, where in split_each(words):
        if dialect not in literals.STRINGS:
            raise ValueError(f"no string dialect {dialect}")
        parent, slash, child = where.partition("/")
        if slash:
            under |= {(p, c): dialect for p in kinds[parent] for c in kinds[child]}
        else:
            plain |= dict.fromkeys(kinds[where], dialect)
    return plain, under


def bare_rules(kinds: KindTable, words: tuple[str, ...]) -> dict[int, tuple[tuple[int, int, str], ...]]:
    """`tuple=expression_list:return_statement` or `…:assignment.right`: without parentheses, and of the other kind."""
    table: dict[int, tuple[tuple[int, int, str], ...]] = {}
    for word in words:
        change, _, where = word.partition(":")
        old, _, new = change.partition("=")
        parent, _, at = where.partition(".")
        for p in kinds[parent]:
            table[p] = table.get(p, ()) + tuple((o, kinds.one(new), at) for o in kinds[old])
    return table


def parens_rule(kinds: KindTable, words: Callable[[str], tuple[str, ...]]) -> ParensRule:
    """Keep words: `parent/inner`, `*` for any kind, `kind~token`, `typed:parent` for the first child beside a type."""
    keep: set[tuple[int, int]] = set()
    marked: list[MarkedPair] = []
    typed: set[int] = set()
    for word in words("hash.parens-keep"):
        if word.startswith("typed:"):
            typed |= kinds[word.removeprefix("typed:")]
            continue
        parent, _, inner = word.partition("/")
        if "~" in word or parent == "*":
            marked.append(MarkedPair(*with_mark(kinds, parent), *with_mark(kinds, inner)))
            continue
        keep |= {(p, i) for p in kinds[parent] for i in ({-1} if inner == "*" else kinds[inner])}
    chain = words("hash.parens-chain")
    return ParensRule(
        keep=frozenset(keep),
        keep_marked=tuple(marked),
        keep_typed=frozenset(typed),
        chain_parents=all_of(kinds, chain[1:]),
        chain_marks=all_of(kinds, chain[:1]),
    )


def with_mark(kinds: KindTable, word: str) -> tuple[Kinds, Kinds]:
    """`kind~token`, `kind`, `*`."""
    kind, _, token = word.partition("~")
    return (frozenset() if kind == "*" else kinds[kind]), (kinds[f'"{token}"'] if token else frozenset())


def fields(kinds: KindTable, words: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    """`parent.field` words as parent → fields."""
    table: dict[int, tuple[str, ...]] = {}
    for word in words:
        parent, _, name = word.partition(".")
        for kind in kinds[parent]:
            table[kind] = (*table.get(kind, ()), name)
    return table


def members_of(kinds: KindTable, words: tuple[str, ...]) -> dict[int, tuple[tuple[str, str, Kinds], ...]]:
    """`parent.receiver.member` or `around/parent.receiver.member` words by parent."""
    table: dict[int, tuple[tuple[str, str, Kinds], ...]] = {}
    for word in words:
        around, slash, rest = word.partition("/")
        parent, receiver, member = (rest if slash else word).split(".")
        within = kinds[around] if slash else frozenset()
        for kind in kinds[parent]:
            table[kind] = (*table.get(kind, ()), (receiver, member, within))
    return table
