"""Finds, reads and compiles the language files of this folder, each once.

A language whose grammar the pack does not carry raises GrammarMissing when it is loaded; the others are not touched.
"""

import functools
import re
from pathlib import Path

import tree_sitter
import tree_sitter_language_pack
import xxhash

from anchormem.errors import GrammarMissing
from anchormem.languages import header
from anchormem.languages.row import Language

# Version of the hash recipe: raised whenever the walk would give another digest for the same source and language file.
RECIPE = 4

FOLDER = Path(__file__).parent

CAPTURES = frozenset(
    {
        "name",
        "name.kept",
        "qualifier",
        "parameters",
        "declarator.function",
        "declarator.value",
        "tag",
        "tagged",
        "body",
        "value",
        "group",
        "lends",
        "cover",
        "covered",
        "scope",
        "scope.rest",
        "attribute",
        "directive",
        "self",
        "label",
        "doc",
        "doc.first",
        "within",
        "local",
        "fence",
        "reference.call",
        "receiver",
        "import.module",
        "import.name",
        "import",
        "inherit.extends",
        "inherit.implements",
        "inherit.impl_trait",
        "inherit.embeds",
        "inherit.mixin",
        "derived",
    }
)
# What the binding evaluates. It takes `not-any-of?` and anything unknown for true.
PREDICATES = frozenset({"eq", "not-eq", "any-of", "match", "not-match", "set"})
PREDICATE = re.compile(r"#([\w-]+)[?!]")
CAPTURE = re.compile(r"@([A-Za-z_.][\w.-]*)")


@functools.cache
def names() -> tuple[str, ...]:
    """Every language there is a file for, sorted. Files that start with `_` are only inherited from."""
    found = [entry.stem for entry in FOLDER.iterdir() if entry.suffix == ".scm"]
    return tuple(sorted(name for name in found if not name.startswith("_")))


@functools.cache
def header_of(name: str) -> header.Header:
    """The header of a language without what it inherits: whatever finds files is there."""
    return header.parse(header.head((FOLDER / f"{name}.scm").read_text(encoding="utf-8")))


@functools.cache
def parts(name: str) -> tuple[header.Header, str]:
    """(header, queries) of a language, with what it inherits."""
    text = (FOLDER / f"{name}.scm").read_text(encoding="utf-8")
    head, queries = header.split(text)
    own = header.parse(head)
    for base in own.scalars.get("inherits", "").split():
        base_header, base_queries = parts(base)
        own, queries = header.inherit(own, base_header), f"{queries}\n{base_queries}"
    return own, queries


@functools.cache
def epoch(name: str) -> str:
    """`recipe.pack-version.digest`: hashes made under equal epochs may be compared."""
    own, queries = parts(name)
    told = repr((sorted(own.scalars.items()), sorted(own.lists.items()), queries))
    return f"{RECIPE}.{pack_version()}.{xxhash.xxh3_64_hexdigest(told.encode())[:12]}"


@functools.cache
def pack_version() -> str:
    """Of the installed pack, by the name of what its installer left beside it: a hook reads it at each edit, and
    importing what asks properly would cost it a good part of its time.
    """
    place = Path(tree_sitter_language_pack.__file__).parent
    found = [entry.name for entry in place.parent.glob(f"{place.name}-*.dist-info")]
    if len(found) == 1:
        return found[0].removeprefix(f"{place.name}-").removesuffix(".dist-info")
    from importlib import metadata  # noqa: PLC0415 — only where the name does not say it

    return metadata.version("tree-sitter-language-pack")


@functools.cache
def load(name: str) -> Language:
    """The language, compiled. Raises GrammarMissing when the pack does not carry its grammar."""
    own, queries = parts(name)
    grammar = grammar_of(own.scalars.get("grammar", name))
    check_captures(name, queries)
    return Language(
        name=name,
        grammar=grammar,
        query=tree_sitter.Query(grammar, queries),
        separator=own.scalars.get("separator", "."),
        scalars=own.scalars,
        lists=own.lists,
        epoch=epoch(name),
    )


def grammar_of(name: str) -> tree_sitter.Language:
    try:
        return tree_sitter_language_pack.get_language(name)  # type: ignore[arg-type, no-any-return, unused-ignore] # its names are a Literal
    except (LookupError, ImportError, OSError, AttributeError) as error:
        raise GrammarMissing(
            f"the installed language pack carries no grammar for {name}",
            "install tree-sitter-language-pack==0.13.0; meanwhile anchor the file",
        ) from error


def check_captures(name: str, queries: str) -> None:
    """Refuses captures outside the vocabulary; those that start with `_` serve predicates alone."""
    bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', queries)
    for capture in CAPTURE.findall(bare):
        if not capture.startswith("_") and not capture.startswith("definition.") and capture not in CAPTURES:
            raise ValueError(f"{name}: unknown capture @{capture}")
    for predicate in PREDICATE.findall(bare):
        if predicate not in PREDICATES:
            raise ValueError(f"{name}: the binding does not evaluate #{predicate}?")
