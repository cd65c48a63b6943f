"""What differs between two states of the tree: files with both contents, and their symbols with both hashes.

A state is a commit, the git index or the working tree. Contents are compared with line ends folded. Knows nothing of
memories.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from anchormem.model import Slot, Symbol
from anchormem.project import disk, git
from anchormem.project.listing import list_files
from anchormem.project.recorded import vouched
from anchormem.project.root import Root
from anchormem.syntax.folding import content_digest
from anchormem.workspace import likeness
from anchormem.workspace.sources import Source

FileChange = Literal["added", "modified", "deleted", "renamed"]
SymbolChange = Literal["added", "edited", "renamed", "deleted"]

ALIKE = 0.5  # git's own threshold for a rename
MOST_PAIRS = 2500
FILE_MODES = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Changed:
    """One file. `old`: its path before, equal to `path` unless renamed. None: it is not there, or over 8 MB."""

    status: FileChange
    path: str
    old: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class SymbolDiff:
    """One symbol. `old` and `new`: None where it does not exist."""

    status: SymbolChange
    old: Slot | None
    new: Slot | None
    before: Symbol | None
    after: Symbol | None


Wanted = Callable[[str], bool]


def working_tree(root: Root, base: str, wanted: Wanted) -> tuple[Changed, ...]:
    """The working tree, untracked files included, against a commit ("": an empty tree)."""
    then = _files(git.tree_of(root, base), wanted) if base else {}
    listed = [one.path for one in list_files(root).files if wanted(one.path)]
    stats = disk.stats(root, listed)
    now = {path: stat for path, stat in stats.items() if stat is not None}
    unchanged = vouched(root, now.items())
    candidates = [path for path in now if path not in then or then[path].blob != unchanged.get(path)]
    gone = [path for path in then if path not in now]
    contents = git.contents(root, [then[path] for path in (*candidates, *gone) if path in then])
    pairs = {path: (_content(then, contents, path), _on_disk(root, path)) for path in candidates}
    pairs |= {path: (_content(then, contents, path), None) for path in gone}
    return _classified(pairs, then, now)


def between(root: Root, then: Mapping[str, git.Entry], now: Mapping[str, git.Entry]) -> tuple[Changed, ...]:
    """Two trees, as `git.tree_of` and `git.staged_entries` give them."""
    old, new = _files(then, lambda _: True), _files(now, lambda _: True)
    paths = [path for path in {*old, *new} if old.get(path) != new.get(path)]
    contents = git.contents(root, [tree[path] for tree in (old, new) for path in paths if path in tree])
    pairs = {path: (_content(old, contents, path), _content(new, contents, path)) for path in paths}
    return _classified(pairs, old, new)


def _files(tree: Mapping[str, git.Entry], wanted: Wanted) -> dict[str, git.Entry]:
    return {path: entry for path, entry in tree.items() if entry.mode in FILE_MODES and wanted(path)}


def _content(tree: Mapping[str, git.Entry], contents: Mapping[str, bytes], path: str) -> bytes | None:
    return contents.get(tree[path].blob) if path in tree else None


def _on_disk(root: Root, path: str) -> bytes | None:
    got = disk.read(root, path)
    return got.data if isinstance(got, disk.Contents) else None


def _classified(
    pairs: Mapping[str, tuple[bytes | None, bytes | None]], then: Iterable[str], now: Iterable[str]
) -> tuple[Changed, ...]:
    old, new = set(then), set(now)
    found: list[Changed] = []
    for path, (before, after) in pairs.items():
        if path in old and path in new:
            if before is None or after is None or content_digest(before) != content_digest(after):
                found.append(Changed("modified", path, path, before, after))
        else:
            found.append(Changed("added" if path in new else "deleted", path, path, before, after))
    return tuple(sorted(_with_renames(found), key=lambda one: one.path))


def _with_renames(found: Sequence[Changed]) -> list[Changed]:
    """A deleted and an added file of equal content, else of much the same lines, are one renamed file."""
    deleted = [one for one in found if one.status == "deleted" and one.before]
    added = [one for one in found if one.status == "added" and one.after]
    paired: dict[str, Changed] = {}
    taken: set[str] = set()
    for score, old, new in sorted(_likely(deleted, added), key=lambda one: (-one[0], one[1].path, one[2].path)):
        if score >= ALIKE and old.path not in taken and new.path not in paired:
            paired[new.path] = replace(new, status="renamed", old=old.path, before=old.before)
            taken.add(old.path)
    return [paired.get(one.path, one) for one in found if one.path not in taken or one.status != "deleted"]


def _likely(deleted: Sequence[Changed], added: Sequence[Changed]) -> list[tuple[float, Changed, Changed]]:
    """Pairs with how alike they are; by lines only where that is no work of minutes."""
    by_digest: dict[bytes, list[Changed]] = {}
    for one in added:
        by_digest.setdefault(content_digest(one.after or b""), []).append(one)
    exact = [(1.0, old, new) for old in deleted for new in by_digest.get(content_digest(old.before or b""), ())]
    if len(deleted) * len(added) > MOST_PAIRS:
        return exact
    lines = {one.path: likeness.lines(_text(one)) for one in (*deleted, *added)}
    near = [(likeness.alike(lines[old.path], lines[new.path]) * 0.99, old, new) for old in deleted for new in added]
    return exact + near


def _text(one: Changed) -> str:
    return (one.before or one.after or b"").decode("utf-8", "replace")


# ── symbols ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def symbols(changed: Sequence[Changed], parse: Callable[[str, bytes], Source]) -> tuple[SymbolDiff, ...]:
    """Symbols of changed files by hash: added, edited, deleted; a deleted and an added one of equal body: renamed."""
    found: list[SymbolDiff] = []
    for one in changed:
        before = parse(one.old, one.before) if one.before is not None else None
        after = parse(one.path, one.after) if one.after is not None else None
        found += _of_file(one, before, after)
    return tuple(_without_holders(_with_renamed(found)))


def _of_file(one: Changed, before: Source | None, after: Source | None) -> list[SymbolDiff]:
    old, new = _named(before), _named(after)
    found: list[SymbolDiff] = []
    for name in dict.fromkeys((*new, *old)):
        was, now = old.get(name), new.get(name)
        then, here = Slot(one.old, *name), Slot(one.path, *name)
        if was and now:
            if was.body != now.body:
                found.append(SymbolDiff("edited", then, here, was, now))
        elif now:
            found.append(SymbolDiff("added", None, here, None, now))
        else:
            found.append(SymbolDiff("deleted", then, None, was, None))
    return found


def _named(source: Source | None) -> dict[tuple[str, str], Symbol]:
    return {(one.qualified, one.disambiguator): one for one in source.facts.symbols} if source else {}


def _with_renamed(found: Sequence[SymbolDiff]) -> list[SymbolDiff]:
    """Paired only where one deleted and one added symbol share a body: anything else would be a guess."""
    gone: dict[bytes, list[SymbolDiff]] = {}
    come: dict[bytes, list[SymbolDiff]] = {}
    for one in found:
        if one.status == "deleted" and one.before:
            gone.setdefault(one.before.body, []).append(one)
        if one.status == "added" and one.after:
            come.setdefault(one.after.body, []).append(one)
    pairs = {
        id(come[body][0]): olds[0] for body, olds in gone.items() if len(olds) == 1 and len(come.get(body, ())) == 1
    }
    taken = {id(old) for old in pairs.values()}
    made = [
        replace(one, status="renamed", old=pairs[id(one)].old, before=pairs[id(one)].before)
        if id(one) in pairs
        else one
        for one in found
        if id(one) not in taken
    ]
    return [one for one in made if one.status != "renamed" or not _only_carried(one, made)]


def _only_carried(one: SymbolDiff, all_of_them: Sequence[SymbolDiff]) -> bool:
    """Whether a symbol bears a new qualified name only because what holds it was renamed."""
    if one.old is None or one.new is None:
        return False
    return any(
        other is not one
        and other.status == "renamed"
        and other.old
        and other.new
        and one.old.path == other.old.path
        and one.new.path == other.new.path
        and one.old.qualified.startswith(f"{other.old.qualified}.")
        and one.new.qualified.startswith(f"{other.new.qualified}.")
        for other in all_of_them
    )


def _without_holders(found: Sequence[SymbolDiff]) -> list[SymbolDiff]:
    """A class whose own head is unchanged is no news beside its changed method."""
    return [one for one in found if not (_is_holder(one) and _has_changed_member(one, found))]


def _is_holder(one: SymbolDiff) -> bool:
    return one.status == "edited" and bool(one.before and one.after and one.before.head == one.after.head)


def _has_changed_member(one: SymbolDiff, found: Sequence[SymbolDiff]) -> bool:
    here = one.new or one.old
    return here is not None and any(
        other is not one
        and (inner := other.new or other.old) is not None
        and inner.path == here.path
        and inner.qualified.startswith(f"{here.qualified}.")
        for other in found
    )
