"""The same through the store: a memory on each edited definition, one call after the edit, one after its undoing."""

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from anchormem import languages
from anchormem.syntax.facts import facts_of
from anchormem.syntax.judge import holding, renamed
from anchormem.syntax.mutate import Mutation
from anchormem.workspace.recall import recall
from anchormem.workspace.remember import remember
from anchormem.workspace.session import Workspace, close, open_workspace
from proof.part import Row

A_LANGUAGE: Final = 6  # samples
GIT: Final = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")


@dataclass(frozen=True, slots=True)
class Sample:
    language: str
    source: bytes
    mutation: Mutation


@dataclass(frozen=True, slots=True)
class Outcome:
    row: Row
    kept: bool
    misses: tuple[str, ...]


def check(samples: Sequence[Sample]) -> Outcome:
    with scratch() as root:
        paths = [place(root, number, sample) for number, sample in enumerate(samples)]
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        subprocess.run(["git", *GIT, "commit", "-qm", "samples"], cwd=root, check=True)
        ws = open_workspace(root)
        try:
            ids = {remembered(ws, path, sample): (path, sample) for path, sample in zip(paths, samples, strict=True)}
            for path, sample in ids.values():
                (root / path).write_bytes(sample.mutation.of(sample.source))
            edited = statuses(ws, list(ids))
            for path, sample in ids.values():
                (root / path).write_bytes(sample.source)
            undone = statuses(ws, list(ids))
        finally:
            close(ws)
    misses = [
        f"{sample.language}: a memory was {edited[id_]} after {sample.mutation.how} at {path}:{sample.mutation.line},"
        f" {undone[id_]} when it was undone"
        for id_, (path, sample) in ids.items()
        if edited[id_] == "active" or undone[id_] != "active"
    ]
    told = ", ".join(f"{count} {status}" for status, count in sorted(Counter(edited.values()).items()))
    row = Row("through the store", len(samples), len(samples) - len(misses), f"after the edit {told}")
    return Outcome(row, bool(samples) and not misses, tuple(misses))


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for a repository, with a data directory beside it in place of the user's."""
    before = os.environ.get("ANCHORMEM_DATA_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANCHORMEM_DATA_DIR"] = f"{folder}/data"
        root = Path(folder) / "repository"
        root.mkdir()
        try:
            yield root
        finally:
            os.environ.pop("ANCHORMEM_DATA_DIR")
            if before is not None:
                os.environ["ANCHORMEM_DATA_DIR"] = before


def place(root: Path, number: int, sample: Sample) -> str:
    suffix = languages.load(sample.language).lists["suffixes"][0]
    path = f"sample{number}{suffix}"
    (root / path).write_bytes(sample.source)
    return path


def remembered(ws: Workspace, path: str, sample: Sample) -> str:
    before = facts_of(sample.source, sample.language)
    after = facts_of(sample.mutation.of(sample.source), sample.language)
    symbol = next(one for one in holding(before.symbols, sample.mutation) if not renamed(one, before, after))
    at = f"{path}::{symbol.qualified}" + (f"@{symbol.disambiguator}" if symbol.disambiguator else "")
    reply = remember(ws, {"kind": "fact", "body": f"what {at} does", "anchors": [at], "force": True})
    return str(cast("dict[str, object]", reply.data)["id"])


def statuses(ws: Workspace, ids: list[str]) -> dict[str, str]:
    """By id; recall leaves `active` out."""
    told: dict[str, str] = {}
    for first in range(0, len(ids), 20):
        items = cast(
            "list[dict[str, object]]", recall(ws, {"ids": ids[first : first + 20], "budget_tokens": 50_000}).data
        )
        told |= {str(item["id"]): str(item.get("status", "active")) for item in items}
    return {id_: told.get(id_, "not shown") for id_ in ids}
