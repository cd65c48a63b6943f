"""The closed tables of the language files, and what the literate cases say of each entry. Computed, never listed.

    PYTHONPATH=tests python -m languages.tables FILE     the entries of `FILE.scm` that lack a case

An entry is *justified* by a case whose verdict is another without it. One that drops or respells is *bounded* by a case
`≢` in which it acts on a side: that far it goes and no further. One that keeps is bounded by what justifies it.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter

from anchormem import languages
from anchormem.languages import header, registry
from anchormem.syntax.fingerprint import Printer
from anchormem.syntax.folding import fold
from anchormem.syntax.masked import masked
from anchormem.syntax.parsed import Parsed, readable
from anchormem.syntax.plan import make_plan
from anchormem.syntax.recipe import Recipe, compile_recipe
from anchormem.syntax.symbols import symbols_of
from anchormem.syntax.walk import Walk
from languages.literate import Case, cases

FOLDER = Path(__file__).parent
FILES = tuple(sorted(path.stem for path in Path(registry.__file__).parent.glob("*.scm")))
DROPPING = (
    "hash.drop", "hash.drop-first", "hash.drop-last", "hash.drop-empty", "hash.comma", "hash.comma-multi",
    "hash.parens", "hash.parens-single", "hash.bare", "hash.rewrite", "hash.string", "hash.concat", "hash.number",
    "hash.alias", "hash.relex",
)  # fmt: skip
KEEPING = ("hash.parens-keep",)
KIND = re.compile(r'"[^"]*"|\w+')


@dataclass(frozen=True, slots=True)
class Entry:
    file: str
    table: str
    word: str

    def __str__(self) -> str:
        return f"{self.file}: {self.table} {self.word}"


@dataclass(frozen=True, slots=True)
class Said:
    """What one side of a case is under a recipe: its verdict's digest, and everything the walk told."""

    digest: object
    told: tuple[object, object]


def own(file: str) -> header.Header:
    """What a file says itself, without what it inherits."""
    text = (Path(registry.__file__).parent / f"{file}.scm").read_text(encoding="utf-8")
    return header.parse(header.split(text)[0])


def entries(file: str) -> Iterator[Entry]:
    lists = own(file).lists
    for table in (*DROPPING, *KEEPING):
        words = dict.fromkeys(word for word in lists.get(table, ()) if not word.startswith("verbatim:"))
        yield from (Entry(file, table, word) for word in words)


def users(file: str) -> list[str]:
    """The languages that read a file: itself, and those that inherit it."""

    def read(name: str) -> set[str]:
        return {name}.union(*(read(base) for base in own(name).scalars.get("inherits", "").split()))

    return [name for name in languages.names() if file in read(name)]


def pairs(file: str) -> list[Case]:
    literate = [FOLDER / f"{name}.md" for name in users(file)]
    return [case for path in literate if path.exists() for case in cases(path) if case.sign != "→"]


def without(entry: Entry, language: str) -> Recipe:
    known = languages.load(language)
    words = tuple(word for word in known.lists[entry.table] if word != entry.word)
    return compile_recipe(known._replace(lists={**known.lists, entry.table: words}))


def parsed_by(recipe: Recipe, text: str) -> Parsed:
    folded = fold(text.encode())
    views = masked(folded, recipe.language)
    tree = tree_sitter.Parser(recipe.language.grammar).parse(readable(views.seen))
    plan = make_plan(tree.root_node, folded, recipe)
    stream = Walk(folded, recipe, plan, views.code).run(tree.root_node)
    return Parsed(folded, recipe.language.name, recipe, tree.root_node, tree, plan, stream, Printer(stream))


def said(recipe: Recipe, case: Case, text: str, of: str) -> Said:
    parsed = parsed_by(recipe, text)
    told = list(parsed.stream.codes), list(parsed.stream.texts)
    if case.aspect == "file":
        return Said(told, told)
    found = [s for s, _ in symbols_of(parsed) if of in {"", s.qualified, f"{s.qualified}@{s.disambiguator}"}]
    return Said(getattr(found[0], case.aspect) if found else None, told)


def sides(recipe: Recipe, case: Case) -> tuple[Said, Said]:
    of, _, renamed = case.of.partition("|")
    return said(recipe, case, case.left, of), said(recipe, case, case.right, renamed or of)


class Bench:
    """The cases of a file under its recipe, each side walked once."""

    def __init__(self, file: str) -> None:
        self.cases = pairs(file)
        self.usual = [sides(compile_recipe(languages.load(case.language)), case) for case in self.cases]
        self.kinds = [kinds_of(case) for case in self.cases]

    def verdicts(self, entry: Entry) -> tuple[bool, bool]:
        """(justified, bounded)"""
        concerned = set(KIND.findall(entry.word))
        recipes: dict[str, Recipe] = {}
        justified = bounded = False
        for case, usual, kinds in zip(self.cases, self.usual, self.kinds, strict=True):
            if justified and bounded:
                break
            if not concerned & kinds or (justified if case.sign == "≡" else bounded and entry.table in DROPPING):
                continue
            if case.language not in recipes:
                recipes[case.language] = without(entry, case.language)
            now = sides(recipes[case.language], case)
            same, still = (left.digest == right.digest for left, right in (usual, now))
            justified = justified or same != still
            acts = any(a.told != b.told for a, b in zip(usual, now, strict=True))
            bounded = bounded or (acts and case.sign == "≢" and (entry.table in DROPPING or same != still))
        return justified, bounded


def kinds_of(case: Case) -> set[str]:
    parser = tree_sitter.Parser(languages.load(case.language).grammar)
    found: set[str] = set()
    for text in (case.left, case.right):
        waiting = [parser.parse(text.encode()).root_node]
        while waiting:
            node = waiting.pop()
            found.add(node.type if node.is_named else f'"{node.type}"')
            waiting += node.children
    return found


def lacking(file: str) -> list[str]:
    """Entries without the case that needs them (`no ≡`) or the pair that bounds them (`no ≢`)."""
    listed = list(entries(file))
    bench = Bench(file) if listed else None
    verdicts = [(entry, *bench.verdicts(entry)) for entry in listed] if bench is not None else []
    return [
        f"{entry}{'' if justified else '  no ≡'}{'' if bounded else '  no ≢'}"
        for entry, justified, bounded in verdicts
        if not (justified and bounded)
    ]


if __name__ == "__main__":
    for wanted in sys.argv[1:] or FILES:
        sys.stdout.writelines(f"{line}\n" for line in lacking(wanted))
