"""Sections of documents and keys of configuration files are anchored like symbols, found on demand."""

import pytest

from anchormem.errors import NotFound, Refused
from anchormem.model import Fate, Slot
from anchormem.workspace.binding import bind
from workspace.fates.conftest import Project

GUIDE = """# Guide

Start here.

## Installing

Run the installer, then say where the models are, then wait until the index of the archive is complete.

### On a server

Use the service file in the tools folder and give it a user of its own, with a home that is not shared.

## Upgrading

Stop the service first, take a copy of the store, install, start, and look at the log for an hour or two.
"""

PACKAGE = """{
  "name": "queue",
  "scripts": {
    "build": "tsc -p . && node tools/pack.js --out dist --with-maps",
    "test": "node --test"
  },
  "engines": {"node": ">=20"}
}
"""

PIPELINE = """jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
      - run: make lint
"""

SETTINGS = """[tool.queue]
limit = 50
names = ["a", "b"]

[tool.other]
limit = 7
"""


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


@pytest.fixture
def documents(project: Project) -> Project:
    project.write("docs/guide.md", GUIDE)
    project.write("package.json", PACKAGE)
    project.write("ci.yaml", PIPELINE)
    project.write("settings.toml", SETTINGS)
    project.commit()
    project.sweep()
    return project


def test_a_section_is_stale_when_its_words_change_and_not_when_others_do(documents: Project) -> None:
    names = [f"docs/guide.md::{one}" for one in ("Guide.Installing", "Guide.Upgrading")]
    memory = documents.remember(*names)
    documents.replace("docs/guide.md", "look at the log", "look at the metrics")
    assert [told(fate) for fate in documents.fates(memory)] == [("fresh", ""), ("stale", "body_edited")]


def test_a_renamed_section_is_followed(documents: Project) -> None:
    memory = documents.remember("docs/guide.md::Guide.Upgrading")
    documents.replace("docs/guide.md", "## Upgrading", "## Getting a newer one")
    fate = documents.fate(memory)
    assert (fate.name, fate.at) == ("followed", Slot("docs/guide.md", "Guide.Getting a newer one"))


@pytest.mark.parametrize(
    ("at", "edit", "other"),
    [
        ("package.json::scripts.build", ("--with-maps", "--no-maps"), ('"name": "queue"', '"name": "line"')),
        ("ci.yaml::jobs.test.steps", ("make lint", "make check"), ("ubuntu-latest", "ubuntu-24.04")),
        ("settings.toml::tool.queue.limit", ("limit = 50", "limit = 60"), ("limit = 7", "limit = 8")),
    ],
)
def test_a_key_is_stale_when_its_value_changes_and_not_when_others_do(
    documents: Project, at: str, edit: tuple[str, str], other: tuple[str, str]
) -> None:
    memory, file = documents.remember(at), at.partition("::")[0]
    documents.replace(file, *other)
    assert told(documents.fate(memory)) == ("fresh", "")
    documents.replace(file, *edit)
    assert told(documents.fate(memory)) == ("stale", "body_edited")
    documents.replace(file, *reversed(edit))
    assert told(documents.fate(memory)) == ("fresh", "")


def test_a_deleted_key_is_gone_and_heals(documents: Project) -> None:
    memory = documents.remember({"file": "package.json", "symbol": "engines.node"})
    documents.replace("package.json", ',\n  "engines": {"node": ">=20"}', "")
    assert told(documents.fate(memory)) == ("gone", "anchor_deleted")
    documents.write("package.json", PACKAGE)
    assert told(documents.fate(memory)) == ("fresh", "")


def test_an_unknown_key_is_refused_with_the_closest(documents: Project) -> None:
    with pytest.raises(NotFound) as refused:
        bind(documents.ws, [{"file": "package.json", "symbol": "scripts.biuld"}])
    assert "scripts.build" in refused.value.hint


def test_a_section_has_no_signature(documents: Project) -> None:
    with pytest.raises(Refused):
        bind(documents.ws, [{"file": "docs/guide.md", "symbol": "Guide.Upgrading", "aspect": "signature"}])
