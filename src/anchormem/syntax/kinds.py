"""The node kinds of a grammar as the words of a language's header spell them, and the tables such words make.

Codes are digests of kind names, so they neither depend on a grammar's numbering nor differ between its dialects.
Knows not what a table is for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import tree_sitter
import xxhash

ERROR_KIND: Final = 65535
FIRST_CODE: Final = 1 << 16

Kinds = frozenset[int]


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


def split_each(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """`dialect:kind` words as pairs."""
    return [(word.partition(":")[0], word.partition(":")[2]) for word in words]


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
