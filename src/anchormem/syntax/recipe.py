"""A language's header compiled for the walk: what to do with a node of each kind, and how its children change."""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import tree_sitter

from anchormem import languages
from anchormem.syntax import literals
from anchormem.syntax.kinds import (
    ERROR_KIND,
    Kinds,
    KindTable,
    all_of,
    code_of,
    fields,
    kind_table,
    members_of,
    pairs,
    split_each,
    with_mark,
)

# What the walk does with a node of some kind. PLAIN is falsy on purpose.
PLAIN, NAME, SKIP, ATOM, STRING, CONCAT, NUMBER, TEXT, PARENS, OPENER, TAIL, LEAF, ERROR, RELEX, WRAP = range(15)

CLOSE: Final = 0
SEGMENT: Final = 1  # text between the interpolations of a literal
GAP: Final = 3  # non-blank bytes that no node covers
OWN: Final = 16  # the own name of the innermost definition; + 16 a level outwards, + the place among several names


class ParensRule(NamedTuple):
    keep: frozenset[tuple[int, int]]  # (parent, inner) that need their parentheses, −1 for any
    keep_marked: tuple["MarkedPair", ...]  # the same, only where one holds a token
    keep_typed: Kinds  # parents whose first child needs them when they hold a type
    chain_parents: Kinds
    chain_marks: Kinds


class MarkedPair(NamedTuple):
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
    kinds: KindTable = field(repr=False)

    def code(self, name: str) -> int:
        return code_of(name, named=True)


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
