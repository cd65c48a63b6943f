"""Edits about which the proof says nothing: they only change what a closed table of the specification lists as noise.

Each entry has its reason and is decided by text alone. What stands here is held from both sides by the literate cases.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SCRIPTS: Final = ("javascript", "typescript", "tsx")
DIRECTIVE: Final = re.compile(rb"^//(go:|export |line )|@|coding|frozen")
CLOSERS: Final = (b")", b"]", b"}", b">", b"|", b"")


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit, with the non-blank bytes beside it. `kind`: of the node in its parent."""

    kind: str
    how: str
    old: bytes
    new: bytes
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Unjudged:
    reason: str
    languages: tuple[str, ...]  # empty: all
    holds: Callable[[Edit], bool]


TABLE: Final = (
    Unjudged(
        "a comma before a closer is layout where the language allows it",
        ("python", *SCRIPTS, "go", "rust", "php", "c", "cpp", "java", "csharp", "ruby"),
        lambda edit: edit.old == b"," and not edit.new and edit.after in CLOSERS,
    ),
    Unjudged(
        "a semicolon that ends a statement or member may go, or be a comma",
        (*SCRIPTS, "python", "go", "rust", "bash"),
        lambda edit: edit.old in (b";", b",", b";;") and edit.new.strip() in (b"", b";", b","),
    ),
    Unjudged(
        "a point at the end of a number adds nothing to it",
        (*SCRIPTS, "python"),
        lambda edit: edit.new == b"." and edit.before.isdigit(),
    ),
    Unjudged(
        "a sign before the first of several types adds nothing to them",
        ("typescript", "tsx"),
        lambda edit: edit.new in (b"||", b"&&") and "type" in edit.kind,
    ),
    Unjudged(
        "C is what is meant where no other interface is named",
        ("rust",),
        lambda edit: edit.how == "drop" and edit.old == b'"C"' and "extern_modifier" in edit.kind,
    ),
    Unjudged(
        "a region says where an editor may fold",
        ("csharp",),
        lambda edit: "region" in edit.kind,
    ),
    Unjudged(
        "a typedef is of the names behind a struct; a word that is no keyword is a macro there",
        ("c", "cpp"),
        lambda edit: edit.old == b"typedef" and edit.how == "token",
    ),
    Unjudged(
        "a comment right before an import may be the preamble of cgo, which is code",
        ("go",),
        lambda edit: edit.kind == "add:import",
    ),
    Unjudged(
        "empty statements, empty argument lists and blank text are layout somewhere",
        (),
        lambda edit: edit.how in ("drop", "double") and not edit.old.strip(b"(){}; \t\n'\""),
    ),
    Unjudged(
        "a documentation that stands twice, or whose place is taken by another text, is documentation still",
        ("python",),
        lambda edit: edit.how in ("drop", "double", "swap") and re.match(rb"[rRuU]?['\"]", edit.old) is not None,
    ),
    Unjudged(
        "directives in comments are code, prose around them is not: the cases hold both",
        ("go", "ruby", "php"),
        lambda edit: edit.how == "comment" and DIRECTIVE.search(edit.old) is not None,
    ),
)  # fmt: skip


def reason_not_to_judge(edit: Edit, language: str) -> str:
    """Why an edit is not judged, "" where it is."""
    found = (entry.reason for entry in TABLE if language in (entry.languages or (language,)) and entry.holds(edit))
    return next(found, "")
