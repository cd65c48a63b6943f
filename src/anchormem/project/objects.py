"""Commits and contents as the object store holds them.

Knows nothing of the work tree and of what contents mean.
"""

import os
from collections.abc import Iterable

from anchormem.errors import GitFailed, NotFound
from anchormem.project.heads import head_commit
from anchormem.project.process import LONG_SECONDS, run
from anchormem.project.root import Root
from anchormem.project.submodules import entering

MAX_BLOB_BYTES = 8 * 1024 * 1024  # what is larger is not indexed either
HEX = frozenset("0123456789abcdef")
ABOUT = "--batch-check=%(objecttype) %(objectsize) %(objectname)"
PROMISED = b""
MOST_LACKING = 100
FATAL = 128  # git's exit code for "no such thing" as well as for worse


def resolve_ref(root: Root, ref: str) -> str:
    """The commit id a person's ref means (`main`, `HEAD~2`, a tag). NotFound with a hint when there is none."""
    commit = commit_of(root, ref)
    if commit is None:
        confirm_trust(root)
        hint = (
            "there is no commit yet"
            if ref == "HEAD"
            else "give a branch, tag or commit; after a shallow clone: git fetch --unshallow"
        )
        raise NotFound(f"no commit is called {ref!r} here", hint)
    return commit


def confirm_trust(root: Root) -> None:
    """GitFailed, with git's own reason, where git answers nothing at all here (safe.directory: another owner)."""
    run(root, "rev-parse", "--git-dir")


def commit_of(root: Root, ref: str) -> str | None:
    """The commit id of a ref, None when there is none (or the object store lacks it)."""
    if not ref or ref.startswith("-") or "\0" in ref or "\n" in ref:
        return None
    code, out = run(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", accept=(0, 1, FATAL))
    return out.decode("ascii", "replace").strip() if code == 0 else None


def commit_exists(root: Root, commit: str) -> bool:
    """Whether the object store holds this commit (a full id, or a prefix that means one)."""
    return bool(commit) and HEX.issuperset(commit) and commit_of(root, commit) is not None


def blobs(root: Root, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """The contents at (ref, path), as committed; ref "" means the index.

    What is missing, a folder, or over 8 MB is left out; of a symlink, where it leads. Two processes however many are
    wanted, and a few more a submodule.
    """
    names = {pair: f"{pair[0]}:{pair[1]}" for pair in dict.fromkeys(wanted)}
    one_line = {pair: name for pair, name in names.items() if "\n" not in name}  # git reads a name a line
    read = read_objects(root, one_line.values())
    found = {pair: read[name] for pair, name in one_line.items() if name in read}
    for ref, path in names.keys() - found.keys():
        data = _one_blob(root, ref, path)
        if data is not None:
            found[ref, path] = data
    return found


def read_objects(root: Root, names: Iterable[str]) -> dict[str, bytes]:
    """Contents by any one-line name git knows a blob by. What is missing, no blob, or over 8 MB is left out."""
    asked = list(dict.fromkeys(names))
    if not asked:
        return {}
    ids = {name: blob for name, blob in zip(asked, _small_blobs(root, asked), strict=True) if blob}
    by_id = _batch(root, list(dict.fromkeys(ids.values())))
    return {name: by_id[blob] for name, blob in ids.items() if blob in by_id}


def is_dirty(root: Root, path: str, data: bytes) -> bool:
    """Whether `data` (the file now) differs from HEAD's, line ends aside. True where HEAD has no such file."""
    commit = head_commit(root)
    if not commit:
        return True
    committed = blobs(root, [(commit, path)]).get((commit, path))
    return committed is None or committed.replace(b"\r\n", b"\n") != data.replace(b"\r\n", b"\n")


def _one_blob(root: Root, ref: str, path: str) -> bytes | None:
    """A blob that could not be asked for by `ref:path` on a line: an odd name, or one inside a submodule."""
    if "\n" in path:
        code, out = run(root, "rev-parse", "--verify", "--quiet", f"{ref}:{path}", accept=(0, 1, FATAL))
        if code == 0:
            blob = out.decode("ascii", "replace").strip()
            return read_objects(root, [blob]).get(blob)
    inside = entering(root, path)
    if inside is None:
        return None
    code, out = run(root, "rev-parse", "--verify", "--quiet", f"{ref}:{inside.folder}", accept=(0, 1, FATAL))
    wanted = (out.decode("ascii", "replace").strip(), inside.path)
    return blobs(inside.root, [wanted]).get(wanted) if code == 0 else None


def is_partial(root: Root) -> bool:
    """Whether git may lack objects here that another repository promised: it would fetch them, and is not let."""
    return root.common_dir is not None and any((root.common_dir / "objects" / "pack").glob("*.promisor"))


def promised(root: Root, ids: Iterable[str]) -> set[str]:
    """Of these blobs those that a partial clone has not fetched yet."""
    asked = list(dict.fromkeys(ids))
    if not asked or not is_partial(root):
        return set()
    return {blob for blob, line in zip(asked, _told(root, asked), strict=True) if line == PROMISED}


def _small_blobs(root: Root, names: list[str]) -> list[str]:
    """The id of each name's blob, "" where there is none or it is too large, in order."""
    ids = []
    for line in _told(root, names):
        kind, _, rest = line.partition(b" ")
        size, _, blob = rest.partition(b" ")
        small = kind == b"blob" and size.isdigit() and int(size) <= MAX_BLOB_BYTES
        ids.append(blob.decode("ascii") if small else "")
    return ids


def _told(root: Root, names: list[str]) -> list[bytes]:
    """Type, size and id of each name, a line each; PROMISED for what a partial clone lacks: there git ends.

    Where it lacks MOST_LACKING, the rest counts as lacking too: each costs a process.
    """
    partial = is_partial(root)
    told: list[bytes] = []
    for _ in range(MOST_LACKING):
        if len(told) == len(names):
            break
        stdin = b"".join(os.fsencode(name) + b"\n" for name in names[len(told) :])
        accept = (0, FATAL) if partial else (0,)
        code, out = run(root, "cat-file", ABOUT, stdin=stdin, seconds=LONG_SECONDS, accept=accept)
        lines = out.split(b"\n")[:-1]
        if code == 0 and len(told) + len(lines) != len(names):
            raise GitFailed("git cat-file answered fewer objects than it was asked for")
        told += lines
        if code and len(told) < len(names):
            told.append(PROMISED)
    return told + [PROMISED] * (len(names) - len(told))


def _batch(root: Root, ids: list[str]) -> dict[str, bytes]:
    if not ids:
        return {}
    _, out = run(root, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in ids).encode(), seconds=LONG_SECONDS)
    found: dict[str, bytes] = {}
    at = 0
    for blob in ids:
        end = out.index(b"\n", at)
        header = out[at:end].split(b" ")
        at = end + 1
        if header[-1].isdigit():  # `<id> blob <size>`; anything else: gone between two questions
            size = int(header[-1])
            found[blob] = out[at : at + size]
            at += size + 1
    return found
