"""A repository that brings programs along runs none of them: not by being indexed, and not by any tool or command."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.store import listing
from anchormem.workspace import exported
from cli.cold import context, edit, run, start, store_of
from server.wire import PATIENCE, Pipes

Git = Callable[..., str]
HOOKS = ("fsmonitor-watchman", "post-checkout", "post-index-change", "pre-commit", "reference-transaction")
ALIASES = ("ls-files", "rev-parse", "cat-file", "diff-tree", "log", "merge-base", "hash-object", "status")
CODE = "def send(rows, size=50):\n    return [row for row in rows if row][:size]\n"
TOOLS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("admin", {"op": "index", "full": True}),
    ("remember", {"kind": "decision", "body": "a batch holds 50 rows", "anchors": ["src/jobs.py::send", "notes.txt"]}),
    ("recall", {"task": "how many rows does a batch hold", "working_set": ["src/jobs.py"]}),
    ("map", {"target": "src/jobs.py::send", "detail": "body"}),
    ("map", {"target": "src"}),
    ("affected", {}),
    ("affected", {"base": "HEAD~1"}),
    ("verify_queue", {}),
    ("admin", {"op": "status"}),
    ("admin", {"op": "list"}),
    ("admin", {"op": "gc", "dry_run": False}),
)
COMMANDS = (
    ("index", "--full"),
    ("recall", "batch"),
    ("affected",),
    ("status",),
    ("stats",),
    ("check",),
    ("check", "--staged"),
    ("check", "--base", "HEAD~1"),
    ("prove", "--seconds", "1"),
    ("doctor",),
)
STALE = {("check",), ("check", "--staged")}  # the staged edit is told by the exit code

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the canary is a shell script")


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A program that leaves a mark when it runs, and swallows whatever would become of it."""
    script = tmp_path / "canary"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/sang\ncat\n', "utf-8")
    script.chmod(0o755)
    return script


def settings(canary: Path) -> Mapping[str, str]:
    """Every setting by which git would start a program of the repository's choice."""
    programs = (
        "core.fsmonitor core.pager core.editor core.askPass core.sshCommand core.gitProxy core.alternateRefsCommand "
        "pager.log pager.ls-files pager.diff pager.diff-tree pager.status diff.external diff.evil.textconv "
        "diff.evil.command filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver gpg.program "
        "remote.origin.uploadpack uploadpack.packObjectsHook interactive.diffFilter"
    )
    return {
        **dict.fromkeys(programs.split(), str(canary)),
        "core.hooksPath": str(canary.parent / "hooks"),
        "filter.evil.required": "true",
        **dict.fromkeys((f"alias.{name}" for name in ALIASES), f"!{canary}"),
        "credential.helper": f"!{canary}",
        "submodule.inner.update": f"!{canary}",
        "remote.origin.url": f"ext::{canary} %S",
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "protocol.ext.allow": "always",
        "log.showSignature": "true",
    }


def share(repository: Path) -> None:
    """A memory, and the export that carries it with the code."""
    words = ["remember", "send drops what is empty", "--kind", "decision", "--anchor", "src/jobs.py::send"]
    assert main([*words, "--root", str(repository)]) == 0
    with store_of(repository) as store:
        [kept] = listing.everything(store)
    export = repository / exported.PATH
    export.parent.mkdir()
    export.write_text('{"anchormem":1}\n' + exported.line(kept) + "\n", "utf-8")


@pytest.fixture
def hostile(repository: Path, git: Git, canary: Path) -> Iterator[Path]:
    """Two commits, a file edited since, a file staged, a submodule with a hostile address, and an object missing."""
    (repository / "src").mkdir()
    (repository / "src" / "jobs.py").write_text(CODE.replace("50", "40"), "utf-8")
    (repository / "notes.txt").write_text("n\n", "utf-8")
    (repository / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n", "utf-8")
    (repository / ".gitmodules").write_text(f'[submodule "inner"]\n\tpath = inner\n\turl = ext::{canary}\n', "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "first")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{git(repository, 'rev-parse', 'HEAD')},inner")
    (repository / "src" / "jobs.py").write_text(CODE, "utf-8")
    git(repository, "add", "src")
    git(repository, "commit", "-qm", "second")
    share(repository)
    git(repository, "add", "-A", ".anchormem", "src")
    git(repository, "commit", "-qm", "third")
    blob = git(repository, "rev-parse", "HEAD:notes.txt")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (repository / "staged.py").write_text(CODE.replace("send", "keep"), "utf-8")
    (repository / "src" / "jobs.py").write_text(CODE.replace("50", "60"), "utf-8")
    git(repository, "add", "staged.py", "src")
    for folder in (repository / ".git" / "hooks", canary.parent / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(canary)
    for key, value in settings(canary).items():
        git(repository, "config", key, value)
    included = canary.parent / "included"  # what a setting includes is a setting too
    shutil.copyfile(repository / ".git" / "config", included)
    git(repository, "config", "include.path", str(included))
    git(repository, "config", "includeIf.onbranch:**.path", str(included))
    (canary.parent / "sang").unlink(missing_ok=True)
    yield repository
    song = canary.parent / "sang"
    assert not song.exists(), song.read_text("utf-8")


def test_no_tool_runs_anything_of_a_hostile_repository(hostile: Path, canary: Path) -> None:
    with Pipes(hostile) as pipes:
        pipes.shake_hands()
        for name, arguments in TOOLS:
            failed, reply = pipes.call(name, PATIENCE, **arguments)
            assert not failed, (name, arguments, reply)
            assert not (canary.parent / "sang").exists(), (name, arguments)


def test_no_command_hook_or_status_line_runs_anything_of_a_hostile_repository(
    hostile: Path, canary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR"):
        monkeypatch.setenv(name, str(canary))
    root = ("--root", str(hostile))
    assert main(["remember", "a batch holds 60 rows", "--kind", "fact", "--anchor", "src/jobs.py::send", *root]) == 0
    (hostile / "src" / "jobs.py").write_text(CODE.replace("50", "70"), "utf-8")
    assert "60 → 70" in context(run("hook", event=edit("PostToolUse", hostile, "src/jobs.py")))
    for command in COMMANDS:
        assert main([*command, *root]) == int(command in STALE), command
        assert not (canary.parent / "sang").exists(), (command, capsys.readouterr())
    assert run("hook", event=start(hostile)).out
    assert run("statusline", event={"cwd": str(hostile)}).out


def test_the_canary_sings_for_a_question_that_is_never_asked(hostile: Path, canary: Path) -> None:
    subprocess.run(["git", "status"], cwd=hostile, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (canary.parent / "sang").exists()
    (canary.parent / "sang").unlink()
