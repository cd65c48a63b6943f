"""The doctor's checks of this repository: each a function and a row, each able to fail. The machine's come first.

Tells apart whatever may become of a store, from a new repository to a clock that was set back. Checks of what is
registered with an agent are the command line's.
"""

import os
import secrets
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from anchormem import languages
from anchormem.errors import AnchormemError, Refused, StoreDamaged, StoreLocked, StoreReadOnly
from anchormem.project import config, driver, git
from anchormem.project.data import data_directory
from anchormem.project.identity import checkout_key, repository_identity, repository_key
from anchormem.project.listing import list_files
from anchormem.project.root import Root, find_root
from anchormem.reason.envelope import iso
from anchormem.store import backups, files, listing, marks, repositories, search
from anchormem.store.db import Store, open_store
from anchormem.workspace import exported, recovery, stamps
from anchormem.workspace.checkup_machine import MACHINE
from anchormem.workspace.finding import Finding, RepositoryCheck, Scene
from anchormem.workspace.session import now_ms

T = TypeVar("T")
PROBE = "doctor.probe"
SET_UP = "anchormem export --setup-git"
LEAST_FREE = 4 << 20  # bytes: as much as a log of SQLite grows to before it is written back
SHORT_MS = 500
PROBE_MS = 1_500  # a writer that holds a store for longer is worth telling
HOUR_MS = 3_600_000  # as for what is imported
DAY_MS = 86_400_000
OLD_BACKUP_DAYS = 8


def checks(start: Path) -> tuple[Finding, ...]:
    """Every check, in the order of the tables. Takes a path: a store that cannot be opened is a finding."""
    found = [*machine(start)]
    try:
        scene = _scene(find_root(start))
    except AnchormemError as failure:
        return (*found, Finding("repository", "fail", failure.message, failure.hint))
    try:
        found += [_guarded(name, check, scene) for name, check in REPOSITORY]
    finally:
        if scene.store is not None:
            scene.store.close()
    return tuple(found)


def machine(start: Path) -> tuple[Finding, ...]:
    """The checks of this machine alone."""
    return tuple(_guarded(name, check, start) for name, check in MACHINE)


def _guarded(name: str, check: Callable[[T], Finding], looked_at: T) -> Finding:
    """A check that itself fails is a finding."""
    try:
        return replace(check(looked_at), name=name)
    except AnchormemError as failure:
        return Finding(name, "fail", failure.message, failure.hint)
    except OSError as failure:
        return Finding(name, "fail", str(failure), "look at the permissions of the path")


def _scene(root: Root) -> Scene:
    """Opens the store as a reader would, and creates nothing."""
    data = data_directory(root)
    identity = repository_identity(root)
    located = repositories.locate(
        data,
        identity=identity,
        key=repository_key(identity),
        root=str(root.path),
        checkout_key=checkout_key(root),
        common_dir=str(root.common_dir or ""),
        now=now_ms(),
        write=False,
    )
    known = any(str(root.path) == path for one in repositories.every(data) for path, _ in one.checkouts)
    scene = Scene(root, data, located.directory, known=known)
    try:
        store = open_store(located.directory, located.checkout_key, write=False)
    except AnchormemError as failure:
        return replace(scene, failure=failure)
    if not store.exists:
        store.close()
        return scene
    return replace(scene, store=store)


# ── the repository ──────────────────────────────────────────────────────────────────────────────────────────────────


def data_folder(scene: Scene) -> Finding:
    place = scene.data
    if not place.exists():
        above = next(one for one in place.parents if one.exists())
        if not os.access(above, os.W_OK):
            return Finding(
                "", "fail", f"{place} cannot be created", f"make {above} writable, or set ANCHORMEM_DATA_DIR"
            )
        return Finding("", "info", f"{place} will be created at first use")
    if not place.is_dir() or not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        return Finding("", "fail", f"{place} cannot be written", f"chmod -R u+rwX {shlex.quote(str(place))}")
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE:
        return Finding(
            "",
            "fail",
            f"no space is left on the disk of {place}: {free >> 10} KB",
            "free some; what is known can be read",
        )
    if os.name == "posix" and place.stat().st_mode & 0o077:
        return Finding("", "warn", f"{place} can be read by others", f"chmod 700 {shlex.quote(str(place))}")
    return Finding("", "ok", str(place))


def configuration(scene: Scene) -> Finding:
    warnings = config.load(scene.root).warnings
    if warnings:
        return Finding("", "fail", "; ".join(warnings), f"mend {config.FILE_NAME}; defaults are used meanwhile")
    return Finding("", "ok", f"{scene.root.path}")


def git_answers(scene: Scene) -> Finding:
    """Git refuses a repository of another owner: files are still listed, but nothing is compared with a commit."""
    if not scene.root.is_git:
        return Finding("", "info", f"{scene.root.path} is not in git")
    git.confirm_trust(scene.root)
    return Finding("", "ok", "git reads this repository")


def merging(scene: Scene) -> Finding:
    """Whether git in this clone merges two exports memory by memory: each clone is told once for itself."""
    if not scene.root.is_git:
        return Finding("", "info", "no git, nothing to merge")
    program = driver.program(scene.root)
    if program and shutil.which(program) is None:
        what = f"git is told to merge exports by {program}, which is not there: it merges them as text"
        return Finding("", "warn", what, SET_UP)
    if program:
        return Finding("", "ok", f"git merges exports memory by memory, by {program}")
    if driver.is_asked_for(scene.root, exported.PATH):
        what = "git in this clone merges exports as text, with its marks where two sides changed"
        return Finding("", "warn", what, f"{SET_UP}, once in each clone")
    if (scene.root.path / exported.PATH).exists():
        return Finding("", "info", "git merges exports as text", f"{SET_UP}, once in each clone, for those who share")
    return Finding("", "ok", "nothing is shared from here")


def store(scene: Scene) -> Finding:
    if scene.failure is not None:
        fix = recovery.advice(scene.directory) if isinstance(scene.failure, StoreDamaged) else scene.failure.hint
        return Finding("", "fail", scene.failure.message, fix)
    if scene.store is None:
        if scene.known:
            return Finding(
                "", "fail", f"the store {scene.directory} is gone, though it was used", recovery.advice(scene.directory)
            )
        return Finding("", "info", "new repository: the store is made at first use")
    wrong = backups.check(scene.directory)
    if wrong:
        return Finding("", "fail", f"memory.db is damaged: {'; '.join(wrong[:3])}", recovery.advice(scene.directory))
    if not _searchable(scene.directory, scene.store):
        return Finding(
            "", "warn", "the full-text index is damaged: words do not find all memories", "anchormem index --full"
        )
    counts = listing.counts(scene.store)
    note = "" if scene.store.journal == "wal" else f", journal {scene.store.journal} (no WAL on this file system)"
    return Finding("", "ok", f"{counts.live} {'memory' if counts.live == 1 else 'memories'} in {scene.directory}{note}")


def _searchable(directory: Path, reader: Store) -> bool:
    """Whether the full-text index is sound. Only a writer can ask all of it; a lock is the probe's to tell."""
    try:
        with open_store(directory, reader.checkout_key, budget_ms=SHORT_MS) as writer:
            return search.sound(writer)
    except (StoreLocked, StoreReadOnly):
        return search.sound(reader)


def recover(start: Path) -> Finding:
    """A damaged or vanished memory.db set aside, the newest backup or an empty one in its place. Refused otherwise."""
    scene = _scene(find_root(start))
    if scene.store is not None:
        scene.store.close()
    elif scene.failure is None and not scene.known:
        raise Refused("there is no store here yet", "nothing needs to be recovered")
    copy = backups.best(scene.directory)
    scene.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = backups.recover(scene.directory, now_ms(), copy)
    kept = f"set aside as {aside}; " if aside else ""
    if copy is None:
        return Finding("recovery", "warn", f"{kept}there was no backup: the store is empty")
    return Finding("recovery", "ok", f"{kept}{copy.name} with {_memories(copy)} is back in its place")


def probe(scene: Scene) -> Finding:
    """A row written, read and removed."""
    if scene.store is None:
        return Finding("", "info", "no store to probe yet")
    value = secrets.token_hex(8)
    with open_store(scene.directory, scene.store.checkout_key, budget_ms=PROBE_MS) as writer:
        if not writer.writable:
            fix = f"chmod -R u+rwX {shlex.quote(str(scene.directory))}"
            raise StoreReadOnly(f"{scene.directory} cannot be written", fix)
        marks.put(writer, {PROBE: value})
        read = marks.get(writer, PROBE)
        marks.put(writer, {PROBE: ""})
        left = marks.get(writer, PROBE)
    if read != value or left:
        return Finding("", "fail", "a probe row did not come back as written", "look at the disk; see the backups")
    return Finding("", "ok", "a row was written, read and removed")


def copies(scene: Scene) -> Finding:
    found = backups.backups(scene.directory)
    if scene.store is None and not found:
        return Finding("", "info", "no store, so no backup yet")
    if not found and scene.store is not None and not listing.everything(scene.store):
        return Finding("", "info", "no memories, so no backup yet")
    if not found:
        return Finding("", "warn", "there is no backup yet", "one is made at the next call that may write")
    age = (now_ms() - int(found[0].stat().st_mtime * 1000)) // DAY_MS
    if age > OLD_BACKUP_DAYS:
        return Finding(
            "", "warn", f"the newest backup is {age} days old", "one is made at the next call that may write"
        )
    count = "1 backup" if len(found) == 1 else f"{len(found)} backups, the newest"
    return Finding("", "ok", f"{count} {found[0].name} with {_memories(found[0])}")


def _memories(copy: Path) -> str:
    count = backups.held(copy)
    return "1 memory" if count == 1 else f"{'unreadable' if count is None else count} memories"


def sweep_stamps(scene: Scene) -> Finding:
    """Whether the index was completed under today's grammars, and for today's HEAD."""
    if scene.store is None:
        return Finding("", "info", "not indexed yet")
    if unusable := scene.store.notices():
        return Finding("", "warn", "; ".join(unusable), "anchormem index")
    known = stamps.read(scene.store)
    if not known.indexed_at:
        return Finding("", "warn", "never indexed completely", "anchormem index")
    spoken = " ".join(f"{name}={languages.epoch(name)}" for name in languages.names())
    if not known.recipe.startswith(spoken):
        return Finding("", "warn", "indexed under other grammars or rules than today's", "anchormem index")
    if scene.root.is_git and known.head != git.head_commit(scene.root):
        return Finding("", "info", f"HEAD moved since {iso(known.indexed_at)}; the next call looks again")
    return Finding("", "ok", f"indexed {iso(known.indexed_at)}")


def clock(scene: Scene) -> Finding:
    """Times in the future were written by a clock that was ahead, or this one was set back."""
    if scene.store is None:
        return Finding("", "info", "nothing is dated yet")
    newest = max(listing.newest(scene.store), stamps.read(scene.store).indexed_at)
    if newest > now_ms() + HOUR_MS:
        return Finding(
            "",
            "warn",
            f"the store was written at {iso(newest)}, which is still to come here",
            "set the clock of this machine; nothing is lost, but of two changes the later time wins",
        )
    return Finding("", "ok", "no time of the store is still to come")


def index(scene: Scene) -> Finding:
    """The last known row count against what is there now."""
    if scene.store is None:
        return Finding("", "info", "not indexed yet")
    rows, now = files.count(scene.store), len(list_files(scene.root).files)
    if rows == 0 and now and not stamps.read(scene.store).indexed_at:
        return Finding("", "warn", f"not indexed yet, {now} files are here", "anchormem index")
    if rows == 0 and now:
        return Finding("", "fail", f"the index is empty, {now} files are here", "anchormem index")
    if abs(rows - now) > max(10, now // 10):
        return Finding("", "warn", f"the index knows {rows} files, {now} are here", "anchormem index")
    failed = files.failed(scene.store)
    if failed:
        named = ", ".join(f"{one.path} ({one.status})" for one in failed[:3])
        return Finding(
            "", "warn", f"{rows} files, some not indexed: {named}", "they can be anchored only when readable"
        )
    return Finding("", "ok", f"{rows} files known, {now} here")


REPOSITORY: tuple[tuple[str, RepositoryCheck], ...] = (
    ("data directory", data_folder),
    ("configuration", configuration),
    ("git", git_answers),
    ("merge driver", merging),
    ("store", store),
    ("clock", clock),
    ("stamps", sweep_stamps),
    ("backups", copies),
    ("index", index),
    ("probe row", probe),
)
