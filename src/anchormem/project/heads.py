"""Where HEAD is, read from git's own small files, so that a quiet call starts no process.

Knows git's layout on disk: HEAD, loose refs, packed-refs, the index. Whatever it cannot read (a reftable store) it
leaves to git.
"""

from dataclasses import dataclass
from pathlib import Path

from anchormem.project.process import run
from anchormem.project.root import Root

REF_BYTES = 4096
SYMREF_DEPTH = 5  # git's own limit


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells cheaply that git moved. `head`: commit id, "" before the first commit; `index`: stat of the index."""

    head: str
    index: str

    def __str__(self) -> str:
        return f"{self.head} {self.index}"


def stamp(root: Root) -> Stamp:
    """HEAD and the index as they are now, from a handful of small files: no process. Outside git: Stamp("", "").

    In a reftable store `head` is the stamp of its table list instead of a commit.
    """
    if root.git_dir is None or root.common_dir is None:
        return Stamp("", "")
    index = _stat_text(root.git_dir / "index")
    if _is_reftable(root.common_dir):
        return Stamp(_stat_text(root.git_dir / "reftable" / "tables.list"), index)
    return Stamp(_commit_of(root.git_dir, root.common_dir), index)


def head_commit(root: Root) -> str:
    """The commit id of HEAD; "" before the first commit and outside git. Starts a process only for reftable stores."""
    if root.git_dir is None or root.common_dir is None:
        return ""
    if not _is_reftable(root.common_dir):
        return _commit_of(root.git_dir, root.common_dir)
    code, out = run(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", accept=(0, 1))
    return out.decode("ascii", "replace").strip() if code == 0 else ""


def head_branch(root: Root) -> str:
    """The branch HEAD points to (`main`), "" when detached and outside git. No process, save for reftable stores."""
    if root.git_dir is None or root.common_dir is None:
        return ""
    if _is_reftable(root.common_dir):
        code, out = run(root, "rev-parse", "--symbolic-full-name", "HEAD", accept=(0, 128))
        target = out.decode("utf-8", "surrogateescape").strip() if code == 0 else ""
    else:
        target = _symbolic_target(_small_text(root.git_dir / "HEAD"))
    return target.removeprefix("refs/heads/") if target.startswith("refs/heads/") else ""


def is_shallow(root: Root) -> bool:
    """Whether the clone was cut off somewhere in its history. No process; False outside git."""
    return root.common_dir is not None and (root.common_dir / "shallow").is_file()


def _commit_of(git_dir: Path, common_dir: Path) -> str:
    text = _small_text(git_dir / "HEAD")
    for _ in range(SYMREF_DEPTH):
        target = _symbolic_target(text)
        if not target:
            return text if _is_object_id(text) else ""
        # A worktree's own refs (bisect, rebase) lie in its git directory, branches in the common one.
        text = _small_text(git_dir / target) or _small_text(common_dir / target) or _packed(common_dir, target)
        if not text:
            return ""
    return ""


def _symbolic_target(text: str) -> str:
    """The ref a symbolic ref names; "" for anything else, a name that would lead out of the git directory included."""
    if not text.startswith("ref:"):
        return ""
    target = text.removeprefix("ref:").strip()
    return target if target.startswith("refs/") and ".." not in target and "\0" not in target else ""


def _is_object_id(text: str) -> bool:
    return len(text) in (40, 64) and all(character in "0123456789abcdef" for character in text)


def _packed(common_dir: Path, ref: str) -> str:
    wanted = b" " + ref.encode("utf-8", "surrogateescape")
    try:
        with (common_dir / "packed-refs").open("rb") as lines:
            for line in lines:
                stripped = line.rstrip(b"\r\n")
                if (
                    stripped.endswith(wanted)
                    and stripped[:1] != b"#"
                    and len(stripped) in (40 + len(wanted), 64 + len(wanted))
                ):
                    return stripped.split(b" ", 1)[0].decode("ascii", "replace")
    except OSError:
        return ""
    return ""


def _is_reftable(common_dir: Path) -> bool:
    return (common_dir / "reftable").is_dir()


def _small_text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(REF_BYTES).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""


def _stat_text(file: Path) -> str:
    try:
        seen = file.stat()
    except OSError:
        return ""
    return f"{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}:{seen.st_ctime_ns}"
