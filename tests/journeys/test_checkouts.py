"""Clones, worktrees, branches and remotes of one repository: memories by repository, fates by checkout."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anchormem.errors import GitFailed
from anchormem.workspace.session import close
from workspace.answers.desk import Desk, part, rows

Git = Callable[..., str]
OpenDesk = Callable[[Path], Desk]
JOBS = """def drain(queue, size=50):
    rows = [row for row in queue if row.ready]
    return rows[:size]


def seed(queue, paths):
    for path in paths:
        queue.append(path.resolve())
    return len(queue)
"""
DRAIN = {"file": "jobs.py", "symbol": "drain"}
SEED = {"file": "jobs.py", "symbol": "seed"}


@pytest.fixture
def jobs(repository: Path, open_desk: OpenDesk) -> Desk:
    one = open_desk(repository)
    one.write("jobs.py", JOBS)
    one.commit("jobs")
    return one


@pytest.fixture
def open_desk(git: Git) -> Iterator[OpenDesk]:
    opened: list[Desk] = []

    def make(root: Path) -> Desk:
        opened.append(Desk(root, git))
        return opened[-1]

    yield make
    for one in opened:
        close(one.ws)


def fate(desk: Desk, memory: str) -> str:
    """Fate, reason and place of its only anchor."""
    (anchor,) = rows(desk.whole(memory), "anchors")
    return " ".join(str(anchor[key]) for key in ("fate", "reason", "at") if key in anchor)


def knows(root: Path, open_desk: OpenDesk) -> int:
    return open_desk(root).count()


def test_a_rename_in_one_worktree_and_an_edit_in_another_never_disturb_each_other(
    jobs: Desk, open_desk: OpenDesk, tmp_path: Path
) -> None:
    memory = jobs.know("drain takes at most 50", DRAIN)
    jobs.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = open_desk(tmp_path / "other")
    jobs.edit("jobs.py", "def drain", "def take")
    other.edit("jobs.py", "rows[:size]", "rows[1:size]")
    here, there = fate(jobs, memory), fate(other, memory)
    assert here.startswith("followed ")
    assert "take" in here
    assert there.startswith("stale body_edited")
    for turn in range(4):
        if turn == 2:
            other.admin("index")
            jobs.admin("index")
        assert fate(other, memory) == there
        assert fate(jobs, memory) == here
    jobs.commit("rename")
    other.commit("edit")
    assert (fate(jobs, memory), fate(other, memory)) == (here, there)
    other.git("merge", "-q", "--no-edit", "main")
    assert fate(other, memory).startswith("stale ")
    assert fate(jobs, memory) == here
    assert jobs.count() == other.count() == 1


def test_what_is_learnt_in_clones_of_one_bare_repository_is_known_in_each_even_shallow_partial_and_detached(
    jobs: Desk, git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(jobs.root), "shared.git")
    origin = (tmp_path / "shared.git").as_uri()
    git(tmp_path, "clone", "-q", origin, "one")
    one = open_desk(tmp_path / "one")
    one.write("more.py", "def less(rows):\n    return []\n")
    one.commit("less")
    one.write("more.py", "def more(rows):\n    return [row for row in rows if row]\n")
    one.commit("more")
    one.git("push", "-q")
    memory = one.know("seed counts what is queued", SEED)
    git(tmp_path, "clone", "-q", "--depth", "1", origin, "shallow")
    git(tmp_path / "shared.git", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", origin, "partial")
    assert "?" in git(tmp_path / "partial", "rev-list", "--objects", "--all", "--missing=print")
    git(tmp_path, "clone", "-q", str(tmp_path / "shared.git"), "detached")
    git(tmp_path / "detached", "checkout", "-q", "--detach", "HEAD~1")
    for name in ("shallow", "partial", "detached"):
        desk = open_desk(tmp_path / name)
        assert fate(desk, memory).startswith("fresh"), name
        desk.edit("jobs.py", "len(queue)", "len(paths)")
        assert fate(desk, memory).startswith("stale body_edited"), name
    assert fate(one, memory).startswith("fresh")


def test_what_only_another_branch_has_is_unknown_with_its_commit_in_every_kind_of_checkout(
    jobs: Desk, git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    jobs.git("checkout", "-q", "-b", "feature")
    jobs.write("feature.py", "def feature(rows):\n    return [row for row in rows if row.new]\n")
    commit = jobs.commit("feature")
    memory = jobs.know("feature keeps new rows", {"file": "feature.py", "symbol": "feature"})
    assert fate(jobs, memory) == "fresh feature.py::feature"
    git(tmp_path, "clone", "-q", "--bare", str(jobs.root), "shared.git")
    git(tmp_path / "shared.git", "config", "uploadpack.allowFilter", "true")
    origin = (tmp_path / "shared.git").as_uri()
    for name, options in {"clone": (), "shallow": ("--depth", "1"), "partial": ("--filter=blob:none",)}.items():
        git(tmp_path, "clone", "-q", "-b", "main", *options, origin, name)
    jobs.git("worktree", "add", "-q", str(tmp_path / "worktree"), "main")
    jobs.git("worktree", "add", "-q", "--detach", str(tmp_path / "detached"), "main")
    for name in ("clone", "shallow", "partial", "worktree", "detached"):
        desk = open_desk(tmp_path / name)
        desk.admin("index")
        assert fate(desk, memory).startswith("unknown other_branch"), name
        (anchor,) = rows(desk.whole(memory), "anchors")
        assert commit[:7] in str(anchor), name
        desk.git("checkout", "-q", "--detach", "HEAD" if name == "shallow" else commit)
        desk.admin("index")
        wanted = "unknown other_branch" if name == "shallow" else "fresh feature.py::feature"
        assert fate(desk, memory).startswith(wanted), name
    assert fate(jobs, memory) == "fresh feature.py::feature"


def test_a_submodule_is_a_repository_with_memories_of_its_own_and_its_files_belong_to_the_outer_one_too(
    jobs: Desk, git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    (library / "lib.py").write_text(JOBS.replace("drain", "pump"), "utf-8")
    git(library, "add", "-A")
    git(library, "commit", "-qm", "lib")
    jobs.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "sub")
    jobs.commit("sub")
    git(jobs.root / "sub", "remote", "set-url", "origin", "https://example.invalid/team/lib.git")
    outer = jobs.know("pump takes at most 50", {"file": "sub/lib.py", "symbol": "pump"})
    inside = open_desk(jobs.root / "sub")
    inner = inside.know("pump is called by nobody else", {"file": "lib.py", "symbol": "pump"})
    git(library, "remote", "add", "origin", "git@example.invalid:team/lib.git")
    beside = open_desk(library)
    assert [str(one["id"]) for one in inside.found_all()] == [inner], "what the outer repository knows stays there"
    assert [str(one["id"]) for one in beside.found_all()] == [inner], "a clone of the same remote"
    inside.edit("lib.py", "rows[:size]", "rows[1:size]")
    assert fate(jobs, outer).startswith("stale body_edited sub/lib.py")
    assert fate(inside, inner).startswith("stale body_edited lib.py")
    assert fate(beside, inner) == "fresh lib.py::pump"
    inside.git("checkout", "-q", "lib.py")
    jobs.git("submodule", "--quiet", "deinit", "-f", "sub")
    assert fate(jobs, outer).startswith("unknown ")


def test_a_partial_clone_says_what_it_cannot_compare_and_is_well_once_git_has_fetched_it(
    jobs: Desk, git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    memory = jobs.know("drain takes at most 50", DRAIN)
    jobs.edit("jobs.py", "rows[:size]", "rows[1:size]")
    jobs.git("mv", "jobs.py", "work.py")
    jobs.write("more.py", "def more(rows):\n    return [row for row in rows if row]\n")
    jobs.commit("moved and edited")
    jobs.git("config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", jobs.root.as_uri(), "partial")
    desk = open_desk(tmp_path / "partial")
    report = desk.admin("index")
    assert isinstance(report.data, dict)
    assert report.data["outcome"] == "complete"
    assert fate(desk, memory).startswith(("stale", "gone", "unknown"))
    with pytest.raises(GitFailed, match="not in this partial clone yet") as refused:
        desk.affected(base="HEAD~1")
    assert "git diff" in refused.value.hint
    desk.git("diff", "HEAD~1")
    assert "drain" in str(desk.affected(base="HEAD~1"))
    desk.admin("index", full=True)
    assert fate(desk, memory) == fate(jobs, memory)


def test_a_branch_that_was_squashed_into_main_and_deleted_leaves_its_memories_well(jobs: Desk) -> None:
    jobs.git("checkout", "-q", "-b", "feature")
    jobs.write("feature.py", "def feature(rows):\n    return [row for row in rows if row.new]\n")
    jobs.commit("feature")
    memory = jobs.know("feature keeps new rows", {"file": "feature.py", "symbol": "feature"})
    jobs.git("checkout", "-q", "main")
    assert fate(jobs, memory).startswith("unknown other_branch")
    jobs.git("merge", "-q", "--squash", "feature")
    jobs.git("commit", "-qm", "squashed")
    jobs.git("branch", "-q", "-D", "feature")
    jobs.git("reflog", "expire", "--expire=now", "--all")
    jobs.git("gc", "-q", "--prune=now")
    assert fate(jobs, memory).startswith("fresh")


def test_a_remote_that_is_added_renamed_or_spelled_otherwise_keeps_the_memories(
    jobs: Desk, git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    jobs.know("drain takes at most 50", DRAIN)
    jobs.git("remote", "add", "origin", "git@example.invalid:team/jobs.git")
    assert knows(jobs.root, open_desk) == 1
    git(tmp_path, "clone", "-q", str(jobs.root), "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "https://user@Example.invalid/Team/jobs")
    assert knows(tmp_path / "clone", open_desk) == 1
    jobs.git("remote", "rename", "origin", "upstream")
    assert knows(jobs.root, open_desk) == 1
    jobs.git("remote", "set-url", "upstream", "ssh://git@example.invalid:2222/moved/jobs.git")
    jobs.git("remote", "rename", "upstream", "origin")
    assert knows(jobs.root, open_desk) == 1
    assert knows(tmp_path / "clone", open_desk) == 1


def test_folders_of_one_name_and_of_alike_names_have_stores_of_their_own(
    git: Git, open_desk: OpenDesk, tmp_path: Path
) -> None:
    names = ("x/app", "y/app", "a-b", "a.b", "é", "è")
    for name in names:
        (tmp_path / name).mkdir(parents=True)
        git(tmp_path / name, "init", "-q")
        open_desk(tmp_path / name).know(f"what is known of {name}")
    opened = [open_desk(tmp_path / name) for name in names]
    assert [one.found_all()[0]["body"] for one in opened] == [f"what is known of {name}" for name in names]
    assert {one.count() for one in opened} == {1}
    assert len({one.ws.directory for one in opened}) == len(names)


@pytest.mark.parametrize("in_git", [True, False])
def test_what_links_loops_and_submodules_reach_is_indexed_once(
    tmp_path: Path, git: Git, open_desk: OpenDesk, *, in_git: bool
) -> None:
    root, inner = tmp_path / "root", tmp_path / "inner"
    for folder in (root, inner):
        (folder / "src").mkdir(parents=True)
        (folder / "src" / f"{folder.name}_jobs.py").write_text(JOBS.replace("drain", f"{folder.name}_drain"), "utf-8")
    (root / "linked").symlink_to("src", target_is_directory=True)
    (root / "src" / "loop").symlink_to("..", target_is_directory=True)
    (root / "outside").symlink_to(inner, target_is_directory=True)
    (root / "self.py").symlink_to("self.py")
    if in_git:
        for folder in (inner, root):
            git(folder, "init", "-q")
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", "all")
        git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    desk = open_desk(root)
    desk.admin("index")
    assert desk.map("root_drain")["symbol"] == "src/root_jobs.py::root_drain"
    if in_git:
        assert desk.map("inner_drain")["symbol"] == "sub/src/inner_jobs.py::inner_drain"
    memory = desk.know("root drain takes 50", {"file": "linked/root_jobs.py", "symbol": "root_drain"})
    assert "src/root_jobs.py" in str(desk.whole(memory)["anchors"])


def test_a_deleted_repository_is_told_as_an_orphan_and_its_memories_are_not_deleted(
    jobs: Desk, open_desk: OpenDesk, tmp_path: Path
) -> None:
    jobs.know("drain takes at most 50", DRAIN)
    (tmp_path / "elsewhere").mkdir()
    kept = jobs.root.rename(tmp_path / "kept")
    elsewhere = open_desk(tmp_path / "elsewhere")
    assert part({"data": elsewhere.admin("status").data}, "data")["orphans"] == 1
    for dry in (True, False):
        (row,) = rows(part({"data": elsewhere.admin("gc", dry_run=dry).data}, "data"), "repositories_gone")
        assert row["memories"] == 1
        assert str(row["store"]) == str(jobs.ws.directory)
        assert (jobs.ws.directory / "memory.db").exists()
    shutil.copytree(kept, jobs.root, symlinks=True)
    assert knows(jobs.root, open_desk) == 1
