"""Git histories made of what was really released: the step between two releases becomes commits of a few files each.

Renames, and definitions that go from one file to another, stay in one commit, as a person would have made it.
"""

import io
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

Tree = Mapping[str, bytes]

SUFFIXES = (".py", ".pyi", ".md", ".rst", ".txt", ".toml", ".cfg")
DEFINED = re.compile(rb"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
RENAMED = 0.5  # share of lines that makes a deleted and an added file one


@dataclass(frozen=True, slots=True)
class Step:
    """One commit. None: the file is deleted."""

    message: str
    files: Mapping[str, bytes | None]


def release(package: str, version: str, cache: Path, *, built: bool) -> Tree | str:
    """The text files of one release, or why it cannot be had. `built`: the wheel, which pip need not build."""
    folder = cache / "releases"
    folder.mkdir(parents=True, exist_ok=True)
    found = _kept(folder, package, version, built=built)
    if found is None:
        kind = "--only-binary" if built else "--no-binary"
        asked = ["download", "-q", "--no-deps", kind, ":all:", "-d", str(folder), f"{package}=={version}"]
        fetched = subprocess.run([sys.executable, "-m", "pip", *asked], check=False, capture_output=True, text=True)
        found = _kept(folder, package, version, built=built)
        if found is None:
            return f"{package} {version}: {(fetched.stderr.strip().splitlines() or ['pip gave nothing'])[-1][:120]}"
    return dict(_members(found))


def _kept(folder: Path, package: str, version: str, *, built: bool) -> Path | None:
    """The archive in the cache; old ones are spelled as their authors liked."""
    suffix = ".whl" if built else ".tar.gz"
    wanted = f"{package}-{version}{'-' if built else suffix}"
    found = (one for one in folder.glob(f"*{suffix}") if one.name.lower().startswith(wanted))
    return min(found, default=None)


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    data = archive.read_bytes()
    if archive.suffix == ".whl":
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            yield from ((name, wheel.read(name)) for name in wheel.namelist() if _counts(name))
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as sdist:
        for member in sdist:
            name = member.name.partition("/")[2]
            content = sdist.extractfile(member) if member.isfile() and _counts(name) else None
            if content is not None:
                yield name, content.read()


def _counts(name: str) -> bool:
    """Sources and texts; not what a build tool writes beside them."""
    made = any(part.endswith((".egg-info", ".dist-info")) for part in PurePosixPath(name).parts)
    return name.endswith(SUFFIXES) and not made


# ── from releases to commits ────────────────────────────────────────────────────────────────────────────────────────


def steps(releases: Sequence[tuple[str, Tree]], seed: int, most: int) -> list[Step]:
    """The first release whole, then each next one in at most `most` commits, in an order of chance."""
    chance = random.Random(seed)
    made = [Step(releases[0][0], dict(releases[0][1]))]
    for (_, before), (version, after) in pairwise(releases):
        groups = _groups(before, after)
        chance.shuffle(groups)
        shares = [groups[at::most] for at in range(min(most, len(groups)))]
        for number, share in enumerate(shares, 1):
            paths = sorted(path for group in share for path in group)
            made.append(Step(f"{version}, {number} of {len(shares)}", {path: after.get(path) for path in paths}))
    return made


def _groups(before: Tree, after: Tree) -> list[list[str]]:
    """Changed files, those together that a rename or a moved definition ties."""
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    leader = {path: path for path in changed}

    def tie(one: str, other: str) -> None:
        old, new = leader[one], leader[other]
        for path, led_by in leader.items():
            if led_by == old:
                leader[path] = new

    for one, other in (*_renames(before, after, changed), *_moves(before, after, changed)):
        tie(one, other)
    groups: dict[str, list[str]] = defaultdict(list)
    for path in changed:
        groups[leader[path]].append(path)
    return list(groups.values())


def _renames(before: Tree, after: Tree, changed: Iterable[str]) -> Iterator[tuple[str, str]]:
    lost = {path: _lines(before[path]) for path in changed if path not in after}
    new = {path: _lines(after[path]) for path in changed if path not in before}
    likely = sorted(
        ((_alike(old, lines), was, now) for was, old in lost.items() for now, lines in new.items()), reverse=True
    )
    taken: set[str] = set()
    for share, was, now in likely:
        if share >= RENAMED and not {was, now} & taken and was.rpartition(".")[2] == now.rpartition(".")[2]:
            taken |= {was, now}
            yield was, now


def _lines(data: bytes) -> Counter[bytes]:
    return Counter(line.strip() for line in data.splitlines() if line.strip())


def _alike(one: Counter[bytes], other: Counter[bytes]) -> float:
    most = max(one.total(), other.total())
    return (one & other).total() / most if most else 0.0


def _moves(before: Tree, after: Tree, changed: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Files between which a definition's name went."""
    left: dict[bytes, list[str]] = defaultdict(list)
    came: dict[bytes, list[str]] = defaultdict(list)
    for path in changed:
        old, new = (
            set(DEFINED.findall(tree.get(path, b""))) if path.endswith(".py") else set() for tree in (before, after)
        )
        for name in old - new:
            left[name].append(path)
        for name in new - old:
            came[name].append(path)
    yield from ((one, other) for name in left for one in left[name] for other in came.get(name, ()))


# ── from commits to git ─────────────────────────────────────────────────────────────────────────────────────────────


def commit_all(root: Path, made: Sequence[Step]) -> list[str]:
    """A new repository at `root` with these commits on branch main; gives their ids. Nothing is checked out."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    marks = root / ".git" / "marks"
    told = b"".join(_told(number, step) for number, step in enumerate(made, 1))
    subprocess.run(
        ["git", "fast-import", "--quiet", "--done", f"--export-marks={marks}"],
        input=told + b"done\n",
        cwd=root,
        check=True,
    )
    ids = dict(line.split() for line in marks.read_text().splitlines())
    return [ids[f":{number}"] for number in range(1, len(made) + 1)]


def _told(number: int, step: Step) -> bytes:
    message = step.message.encode()
    when = 1_600_000_000 + 3600 * number
    parts = [f"commit refs/heads/main\nmark :{number}\ncommitter bench <bench@example.invalid> {when} +0000\n".encode()]
    parts.append(b"data %d\n%s\n" % (len(message), message))
    for path, data in step.files.items():
        name = path.encode()
        parts.append(
            b"D %s\n" % name if data is None else b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(data), data)
        )
    return b"".join(parts)
