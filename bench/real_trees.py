"""The main job on real code: 200 memories on a real tree, a day of changes, and every fate after one call.

    python bench/real_trees.py [TREE] [--json]

TREE is any folder of Python, TypeScript or JavaScript sources (default: the installed `hypothesis` package). It is
copied into a scratch git repository; the server is driven through its pipes. Where definitions are is found by
Python's own `ast` (or, in other languages, by lines that open at column 0), never by anchormem.
Gate: every fate as expected in the first reply after each change. Exit 1 otherwise.
"""

import argparse
import ast
import importlib.util
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wire import Server

SUFFIXES = {".py", ".ts", ".tsx", ".js", ".mjs"}
SCRATCH_GIT = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")
OPENING = re.compile(r"^(?:export )?(?:default )?(?:async )?(?P<kind>function\*?|class) (?P<name>[A-Za-z_$][\w$]*)")
CONSTANT = re.compile(r"^(?:export )?const (?P<name>[A-Za-z_$][\w$]*)(?:: [\w.<>\[\]]+)? = (?P<value>-?\d[\w.]*);$")
ASSIGNED = re.compile(r"^\s*(?:export )?(?:const |let |var )?([A-Za-z_$][\w$]*)\s*(?::[^=\n(]*)?=(?!=)", re.MULTILINE)
# In a script at any depth: a function inside a nameless one has the name of one outside. In Python only at the edge.
DEFINED = re.compile(r"^(?:async )?(?:def|class) (\w+)|\b(?:function\*?|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
ENOUGH_LINES = 7  # shorter definitions may be too small to be evidence for a follow


@dataclass(frozen=True)
class Definition:
    path: str
    name: str
    kind: str  # function | class | constant
    start: int  # first line, from 0, decorators included
    end: int  # one past the last line


@dataclass
class Run:
    """One repository under test: where it is, what was stored, what went wrong."""

    root: Path
    server: Server
    random: random.Random
    ids: dict[str, Definition] = field(default_factory=dict)
    rows: list[dict[str, object]] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def text(self, path: str) -> list[str]:
        return (self.root / path).read_text("utf-8").splitlines(keepends=True)

    def write(self, path: str, lines: list[str]) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(lines), "utf-8")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *SCRATCH_GIT, *arguments], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def expect(self, situation: str, expected: dict[str, str]) -> None:
        """`expected`: memory id → flag, as `admin get` words it: `fresh`, `followed`, `stale:body_edited` …"""
        started = time.perf_counter()
        found = fates_of(self.server.call("admin", op="get", ids=list(expected)))
        seconds = time.perf_counter() - started
        wrong = [
            f"{situation}: {i} {self.ids.get(i)} expected {expected[i]}, found {found[i]}"
            for i in expected
            if found[i] != expected[i]
        ]
        self.misses += wrong
        self.rows.append(
            {
                "situation": situation,
                "memories": len(expected),
                "right": len(expected) - len(wrong),
                "seconds": round(seconds, 3),
            }
        )


def fates_of(data: object) -> dict[str, str]:
    """Memory id → fate of its first anchor, with the reason: `stale:body_edited`."""
    assert isinstance(data, list)
    found = {}
    for memory in data:
        anchor = memory["anchors"][0]
        reason = anchor.get("reason", "")
        found[memory["id"]] = anchor["fate"] + (f":{reason}" if reason else "")
    return found


# ── what is there to anchor ─────────────────────────────────────────────────────────────────────────────────────────


def definitions(root: Path) -> Iterator[Definition]:
    for file in sorted(root.rglob("*")):
        if file.suffix not in SUFFIXES or not file.is_file() or ".d." in file.name or file.is_symlink():
            continue
        if "vendor" in file.parts:  # moved before git tracks it there, it is litter and rightly not looked at
            continue
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        path = file.relative_to(root).as_posix()
        if len(text) < 400_000 and "\r" not in text:
            yield from python_definitions(path, text) if file.suffix == ".py" else script_definitions(path, text)


def python_definitions(path: str, text: str) -> Iterator[Definition]:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return
    found = []
    for node in body:
        end = node.end_lineno or node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            found.append(Definition(path, node.name, kind, start, end))
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
            and type(node.value.value) is int
            and node.lineno == end
        ):
            found.append(Definition(path, node.targets[0].id, "constant", node.lineno - 1, end))
    yield from once(found, text)


def script_definitions(path: str, text: str) -> Iterator[Definition]:
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        if opening := OPENING.match(line):
            end = next((at for at in range(number, len(lines)) if lines[at] == "}"), None)
            if end is not None and line.rstrip().endswith("{"):
                kind = "class" if opening["kind"] == "class" else "function"
                found.append(Definition(path, opening["name"], kind, number, end + 1))
        elif constant := CONSTANT.match(line):
            found.append(Definition(path, constant["name"], "constant", number, number + 1))
    yield from once(found, text)


def once(found: list[Definition], text: str) -> list[Definition]:
    """Only names that one file defines or assigns once: the others need a disambiguator, which is another test."""
    counted = Counter(python or script for python, script in DEFINED.findall(text))
    counted.update(ASSIGNED.findall(text))
    return [definition for definition in found if counted[definition.name] == 1]


def movable(run: Run, definition: Definition, bodies: Counter[str]) -> bool:
    """A function that stands alone: long enough, no twin, named only where it is declared."""
    lines = run.text(definition.path)[definition.start : definition.end]
    text = "".join(lines)
    named = len(re.findall(rf"\b{re.escape(definition.name)}\b", text))
    alone = bodies[nameless(run, definition)] == 1
    return definition.kind == "function" and len(lines) >= ENOUGH_LINES and named == 1 and alone


def nameless(run: Run, definition: Definition) -> str:
    """Its text without its name and without layout: what an equal twin elsewhere would share."""
    text = "".join(run.text(definition.path)[definition.start : definition.end])
    return "".join(re.sub(rf"\b{re.escape(definition.name)}\b", "", text).removeprefix("export ").split())


# ── what happens to code ────────────────────────────────────────────────────────────────────────────────────────────


def renamed(lines: list[str], definition: Definition) -> list[str]:
    body = "".join(lines[definition.start : definition.end])
    return [re.sub(rf"\b{re.escape(definition.name)}\b", f"{definition.name}_renamed", body, count=1)]


def edited(lines: list[str], definition: Definition) -> list[str]:
    """One more statement at the end of the body, or another value of a constant."""
    body = lines[definition.start : definition.end]
    if definition.kind == "constant":
        return [re.sub(r"=(\s*)(\S+?)(;?)\s*(#.*)?$", r"=\g<1>7\2\3", body[0].rstrip("\n")) + "\n"]
    python = definition.path.endswith(".py")
    if python:
        indent = re.match(r"\s*", body[-1])
        assert indent
        head = re.match(r"\s*", body[0])
        assert head
        return [*body, f"{head[0]}    probe_of_an_edit = 1\n"]
    statement = "  probeOfAnEdit = 1;\n" if definition.kind == "class" else "  void 987654;\n"
    return [*body[:-1], statement, body[-1]]


def noted(lines: list[str], definition: Definition) -> list[str]:
    """A comment and blank lines: nothing of substance."""
    mark = "#" if definition.path.endswith(".py") else "//"
    body = lines[definition.start : definition.end]
    if definition.kind == "constant":
        return [body[0].rstrip("\n") + f"  {mark} a note\n"]
    if mark == "#":  # not before the last line: that may be the end of a text
        return ["\n", *body, f"    {mark} a note\n", "\n"]
    return [*body[:-1], f"    {mark} a note\n", "\n", body[-1]]


def change(run: Run, ids: list[str], how: Callable[[list[str], Definition], list[str]]) -> None:
    by_path: dict[str, list[Definition]] = {}
    for memory in ids:
        by_path.setdefault(run.ids[memory].path, []).append(run.ids[memory])
    for path, here in by_path.items():
        lines = run.text(path)
        for definition in sorted(here, key=lambda each: -each.start):
            lines[definition.start : definition.end] = how(lines, definition)
        run.write(path, lines)


def undo(run: Run) -> None:
    run.git("checkout", "-q", "--", ".")
    run.git("clean", "-fdq")


def remember_all(run: Run, chosen: list[Definition], counter: str) -> None:
    for number, definition in enumerate(chosen):
        anchor = f"{definition.path}::{definition.name}"
        stored = run.server.call(
            "remember",
            kind="fact",
            body=f"{counter} {number}: {definition.name} was looked at by the bench",
            anchors=[anchor],
            force=True,
        )
        assert isinstance(stored, dict)
        run.ids[stored["id"]] = definition


def lives(run: Run, functions: list[str], others: list[str], file_ids: list[str], quotes: dict[str, str]) -> None:
    """The situations, one after the other; each is undone before the next."""
    everything = [*functions, *others, *file_ids, *quotes]
    run.expect("as written", dict.fromkeys(everything, "fresh"))
    edits = run.random.sample([*functions, *others], 40)
    change(run, edits, edited)
    inside = {run.ids[i].path for i in edits}
    expected = {i: "stale:body_edited" if i in edits else "fresh" for i in [*functions, *others]}
    expected |= {i: "stale:file_edited" if run.ids[i].path in inside else "fresh" for i in file_ids}
    run.expect("40 definitions edited", expected)
    undo(run)
    run.expect("edits undone", dict.fromkeys(everything, "fresh"))
    change(run, [*functions, *others], noted)
    # A script whose grammar fails somewhere has no normalised hash: its file anchors rest on the content alone.
    whole = [i for i in file_ids if run.ids[i].path.endswith(".py")]
    run.expect("comments and blank lines everywhere", dict.fromkeys([*functions, *others, *whole], "fresh"))
    undo(run)
    quoted_ids = list(quotes)
    for memory in quoted_ids:
        definition = run.ids[memory]
        lines = run.text(definition.path)
        at = next(n for n in range(definition.start, definition.end) if lines[n].strip() == quotes[memory])
        lines[at] = lines[at].replace(quotes[memory], renamed_word(quotes[memory]))
        run.write(definition.path, lines)
    run.expect("quoted lines changed", dict.fromkeys(quoted_ids, "stale:quote_gone"))
    undo(run)
    run.expect("quoted lines restored", dict.fromkeys(quoted_ids, "fresh"))
    moves(run, functions, file_ids)
    branches(run, functions)


def renamed_word(line: str) -> str:
    """The line with the last word before its `=` changed: the name that is assigned, never a keyword."""
    return re.sub(r"(\w+)(\s*=)", r"\1_changed\2", line, count=1)


def moves(run: Run, functions: list[str], file_ids: list[str]) -> None:
    some = run.random.sample(functions, min(30, len(functions)))
    change(run, some, renamed)
    run.expect("30 functions renamed", dict.fromkeys(some, "followed"))
    undo(run)
    run.expect("renames undone", dict.fromkeys(functions, "fresh"))
    blocks: dict[str, list[str]] = {}
    for memory in some:
        definition = run.ids[memory]
        block = run.text(definition.path)[definition.start : definition.end]
        folder = Path(definition.path).parent.as_posix().replace("/", "_")
        blocks[f"moved_by_the_bench/{folder}_{memory}{Path(definition.path).suffix}"] = block
    # Taken away first: a copy that was there beside the original is a twin, and no twin is followed.
    change(run, some, lambda _lines, _definition: ["\n"])
    for target, block in blocks.items():
        run.write(target, block)
    run.expect("30 functions moved to new files", dict.fromkeys(some, "followed"))
    undo(run)
    run.expect("moves undone", dict.fromkeys(functions, "fresh"))
    change(run, some, lambda _lines, _definition: ["\n"])
    run.expect("30 functions deleted", dict.fromkeys(some, "gone:anchor_deleted"))
    run.commit("delete")
    run.expect("the deletion committed", dict.fromkeys(some, "gone:anchor_deleted"))
    run.git("reset", "-q", "--hard", "HEAD~1")
    run.expect("the deletion reset", dict.fromkeys(functions, "fresh"))
    counted = Counter(parent for i in functions for parent in Path(run.ids[i].path).parents if len(parent.parts) > 1)
    moved = min(counted, key=lambda parent: (-counted[parent], parent.as_posix()))
    inside = [i for i in [*functions, *file_ids] if moved in Path(run.ids[i].path).parents]
    (run.root / "elsewhere").mkdir()
    shutil.move(run.root / moved, run.root / "elsewhere" / moved.name)
    run.expect("a folder moved", dict.fromkeys(inside, "followed"))
    undo(run)
    run.expect("the folder back", dict.fromkeys(inside, "fresh"))


def branches(run: Run, functions: list[str]) -> None:
    some = run.random.sample(functions, min(20, len(functions)))
    main = run.git("symbolic-ref", "--short", "HEAD").strip()
    run.git("checkout", "-qb", "feature")
    change(run, some, edited)
    suffix = Path(run.ids[some[0]].path).suffix
    lines = run.text(run.ids[some[0]].path)
    born = run.ids[some[0]]
    body = renamed(lines, born)
    run.write(
        f"born_on_feature{suffix}",
        [body[0].replace("return", "void 1; return" if suffix != ".py" else "pass; return", 1), ""],
    )
    run.commit("feature")
    run.expect("a branch with 20 edits", {i: "stale:body_edited" if i in some else "fresh" for i in functions})
    stored = run.server.call(
        "remember",
        kind="fact",
        body="this function lives on the feature branch only",
        anchors=[f"born_on_feature{suffix}::{born.name}_renamed"],
        force=True,
    )
    assert isinstance(stored, dict)
    run.git("checkout", "-q", main)
    run.expect("back on the first branch", dict.fromkeys(functions, "fresh") | {stored["id"]: "unknown:other_branch"})
    run.git("checkout", "-q", "feature")
    run.expect(
        "on the feature branch again",
        {i: "stale:body_edited" if i in some else "fresh" for i in functions} | {stored["id"]: "fresh"},
    )
    run.git("checkout", "-q", main)
    tree = run.root.parent / "worktree"
    run.git("worktree", "add", "-q", "--detach", str(tree), "feature")
    with Server(tree, run.server.data) as other:
        there = Run(tree, other, run.random, run.ids, run.rows, run.misses)
        there.expect("a worktree of the branch", {i: "stale:body_edited" if i in some else "fresh" for i in functions})
        run.expect("the first checkout beside it", dict.fromkeys(functions, "fresh"))
        there.expect("the worktree once more", {i: "stale:body_edited" if i in some else "fresh" for i in functions})


# ── the run ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def choose(run: Run) -> tuple[list[Definition], list[Definition], list[Definition]]:
    found = list(definitions(run.root))
    bodies = Counter(nameless(run, d) for d in found if d.kind == "function")
    functions = [d for d in found if movable(run, d, bodies)]
    classes = [d for d in found if d.kind == "class" and d.end - d.start >= ENOUGH_LINES]
    constants = [d for d in found if d.kind == "constant"]
    pick = run.random.sample
    return (
        pick(functions, min(100, len(functions))),
        pick(classes, min(40, len(classes))) + pick(constants, min(20, len(constants))),
        pick(functions, min(20, len(functions))),
    )


def anchor_quotes(run: Run, chosen: list[Definition]) -> dict[str, str]:
    """One line of each function that occurs once in it and holds a word; memory id → that line."""
    quotes: dict[str, str] = {}
    for definition in chosen:
        lines = [line.strip() for line in run.text(definition.path)[definition.start + 1 : definition.end - 1]]
        simple = [
            line
            for line in lines
            if re.fullmatch(r"[\w. ]+ = [\w.()]+;?", line) and lines.count(line) == 1 and len(line) > 12
        ]
        if simple:
            anchor = {"file": definition.path, "symbol": f"{definition.path}::{definition.name}", "quote": simple[0]}
            stored = run.server.call(
                "remember", kind="fact", body=f"{definition.name} depends on one line", anchors=[anchor], force=True
            )
            assert isinstance(stored, dict)
            run.ids[stored["id"]] = definition
            quotes[stored["id"]] = simple[0]
    return quotes


def quiet_recall(run: Run) -> float:
    """Median milliseconds of a recall on a repository where nothing changes."""
    times = []
    for number in range(60):
        started = time.perf_counter()
        run.server.call("recall", task=f"what did the bench look at {number}")
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def measure(tree: Path, scratch: Path) -> dict[str, object]:
    root = scratch / "repository"
    shutil.copytree(tree, root, ignore=shutil.ignore_patterns(".git", "__pycache__", "node_modules"))
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    with Server(root, scratch / "data") as server:
        run = Run(root, server, random.Random(20261130))
        run.commit("as published")
        started = time.perf_counter()
        server.call("admin", op="index")
        index_seconds = time.perf_counter() - started
        functions, others, quoted = choose(run)
        remember_all(run, functions, "function")
        function_ids = list(run.ids)
        remember_all(run, others, "other")
        other_ids = [i for i in run.ids if i not in function_ids]
        quotes = anchor_quotes(run, quoted)
        files = run.random.sample(sorted({d.path for d in functions if len("".join(run.text(d.path))) > 2000}), 20)
        file_ids = []
        for path in files:
            stored = server.call(
                "remember", kind="fact", body=f"{path} is a file of interest", anchors=[path], force=True
            )
            assert isinstance(stored, dict)
            run.ids[stored["id"]] = Definition(path, "", "file", 0, 0)
            file_ids.append(stored["id"])
        quiet = quiet_recall(run)
        lives(run, function_ids, other_ids, file_ids, quotes)
        status = server.call("admin", op="status")
    store = sum(file.stat().st_size for file in (scratch / "data").rglob("*") if file.is_file())
    return {
        "tree": tree.name,
        "memories": len(run.ids),
        "index_seconds": round(index_seconds, 2),
        "store_megabytes": round(store / 1e6, 1),
        "quiet_recall_p50_ms": round(quiet, 2),
        "status": status,
        "situations": run.rows,
        "misses": run.misses,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    tree = arguments.tree
    if tree is None:
        found = importlib.util.find_spec("hypothesis")
        assert found, "name a tree, or install the development extras"
        assert found.origin
        tree = Path(found.origin).parent
    with tempfile.TemporaryDirectory() as scratch:
        result = measure(tree.resolve(), Path(scratch))
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
    return 1 if result["misses"] else 0


def show(result: dict[str, object]) -> None:
    for key, value in result.items():
        if key not in {"situations", "misses"}:
            print(f"{key:22} {value}")
    rows = result["situations"]
    assert isinstance(rows, list)
    for row in rows:
        print(f"{row['situation']:38} {row['right']:4} of {row['memories']:4} right   {row['seconds']:.3f} s")
    misses = result["misses"]
    assert isinstance(misses, list)
    for miss in misses[:40]:
        print("MISS", miss)
    print("every fate right after one call" if not misses else f"{len(misses)} fates wrong")


if __name__ == "__main__":
    sys.exit(main())
