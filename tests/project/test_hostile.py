"""A repository that brings programs along runs none of them by being looked at."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import AnchormemError, GitFailed
from anchormem.project import git as ask
from anchormem.project.identity import repository_identity
from anchormem.project.listing import list_files, why_not_listed
from anchormem.project.paths import anchorable
from anchormem.project.root import Root, find_root

Git = Callable[..., str]
HOOKS = (
    "pre-commit",
    "post-checkout",
    "post-index-change",
    "fsmonitor-watchman",
    "reference-transaction",
    "post-merge",
    "query-watchman",
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the trap is a shell script")


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark when it runs."""
    script = tmp_path / "trap"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/sprung\ncat\n')
    script.chmod(0o755)
    return script


@pytest.fixture
def hostile(repository: Path, git: Git, trap: Path) -> Root:
    (repository / "a.py").write_text("a = 1\n")
    (repository / "b.bin").write_text("b\n")
    (repository / ".gitattributes").write_text("* filter=evil diff=evil merge=evil working-tree-encoding=UTF-8\n")
    for _ in range(2):
        with (repository / "a.py").open("a") as file:
            file.write("more = 2\n")
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "change")
    configured = {
        "core.fsmonitor": trap,
        "core.hooksPath": trap.parent / "hooks",
        "core.pager": trap,
        "core.editor": trap,
        "core.askPass": trap,
        "core.sshCommand": trap,
        "core.gitProxy": trap,
        "core.alternateRefsCommand": trap,
        "pager.log": trap,
        "pager.ls-files": trap,
        "pager.diff-tree": trap,
        "diff.external": trap,
        "diff.evil.textconv": trap,
        "diff.evil.command": trap,
        "diff.trustExitCode": "true",
        "filter.evil.clean": trap,
        "filter.evil.smudge": trap,
        "filter.evil.process": trap,
        "filter.evil.required": "true",
        "merge.evil.driver": trap,
        "log.showSignature": "true",
        "gpg.program": trap,
        "gpg.ssh.program": trap,
        "credential.helper": f"!{trap}",
        "alias.ls-files": f"!{trap}",
        "alias.log": f"!{trap}",
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "remote.origin.uploadpack": trap,
        "remote.origin.vcs": "ext",
        "extensions.partialClone": "origin",
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
        "uploadpack.packObjectsHook": trap,
        "maintenance.auto": "true",
        "gc.auto": "1",
        "sendemail.smtpServer": trap,
        "trailer.evil.command": trap,
        "submodule.evil.update": f"!{trap}",
        "index.threads": "1",
    }
    for key, value in configured.items():
        git(repository, "config", key, str(value))
    for folder in (repository / ".git" / "hooks", trap.parent / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(trap)
    os.utime(repository / "a.py")
    (trap.parent / "sprung").unlink(missing_ok=True)
    return find_root(repository)


def ask_everything(root: Root) -> None:
    head = ask.head_commit(root)
    questions: list[Callable[[], object]] = [
        lambda: list_files(root),
        lambda: why_not_listed(root, ["a.py", "b.bin", "nope"]),
        lambda: anchorable(root, "a.py"),
        lambda: repository_identity(root),
        lambda: ask.stamp(root),
        lambda: ask.head_branch(root),
        lambda: ask.resolve_ref(root, "HEAD~1"),
        lambda: ask.commit_exists(root, "f" * 40),
        lambda: ask.is_ancestor(root, "f" * 40),
        lambda: ask.is_ancestor(root, head),
        lambda: ask.merge_base(root, "HEAD", "HEAD~1"),
        lambda: ask.tree_of(root, "HEAD"),
        lambda: ask.staged_entries(root),
        lambda: ask.blobs(root, [(head, "a.py"), ("", "b.bin"), ("f" * 40, "x")]),
        lambda: ask.contents(root, [ask.Entry("100644", "f" * 40)]),
        lambda: ask.changed_paths(root, "HEAD~1", "HEAD"),
        lambda: ask.renames(root, "HEAD~1", "HEAD"),
        lambda: ask.last_commit_touching(root, "a.py"),
        lambda: ask.is_dirty(root, "a.py", b"x"),
    ]
    for question in questions:
        try:
            question()
        except AnchormemError:
            continue  # refusing is fine; running something is not


def test_nothing_a_repository_configures_runs(hostile: Root, trap: Path) -> None:
    ask_everything(hostile)
    assert not (trap.parent / "sprung").exists(), (trap.parent / "sprung").read_text()
    assert ask.blobs(hostile, [("HEAD", "a.py")])


def test_nothing_runs_for_an_object_that_a_partial_clone_lacks(hostile: Root, git: Git, trap: Path) -> None:
    blob = git(hostile.path, "rev-parse", "HEAD:a.py")
    (hostile.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for url in (f"ext::{trap} %S", f"ssh://host/{trap}", f"file://{trap.parent}/nowhere", str(trap.parent)):
        git(hostile.path, "config", "remote.origin.url", url)
        ask_everything(hostile)
    assert not (trap.parent / "sprung").exists(), (trap.parent / "sprung").read_text()


def test_nothing_of_the_environment_runs(
    hostile: Root, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "PAGER",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
        "GIT_EDITOR",
        "GIT_PROXY_COMMAND",
    ):
        monkeypatch.setenv(name, str(trap))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    ask_everything(hostile)
    assert not (trap.parent / "sprung").exists()
    assert not (tmp_path / "trace").exists()


def test_looking_changes_no_file_of_the_repository(hostile: Root) -> None:
    def picture() -> dict[str, tuple[int, int]]:
        files = (path for path in hostile.path.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    before = picture()
    ask_everything(hostile)
    assert picture() == before


def test_the_trap_does_spring_for_what_is_never_run(hostile: Root, trap: Path) -> None:
    subprocess.run(["git", "status"], cwd=hostile.path, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    assert (trap.parent / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_owner_is_said_to_be_one_and_how_to_trust_it(hostile: Root) -> None:
    os.chown(hostile.path, 65534, 65534)
    with pytest.raises(GitFailed) as refused:
        ask.resolve_ref(hostile, "HEAD~1")
    assert "dubious ownership" in refused.value.message
    assert f"git config --global --add safe.directory {hostile.path}" in refused.value.hint
