"""Half-typed files, branches, stashes and worktrees cost a memory nothing: unknown, then well again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from anchormem.model import Fate, Slot
from anchormem.store import memories
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE, TALLY


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


@pytest.fixture
def queue(project: Project) -> Project:
    project.write("src/queue.py", QUEUE)
    project.commit()
    project.sweep()
    return project


# ── half-typed files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_unclosed_bracket_inside_is_unknown_and_heals(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed")
    queue.replace("src/queue.py", "append(number * 2)", "append((number * 2")
    assert told(queue.fate(memory)) == ("unknown", "parse_error")
    queue.replace("src/queue.py", "append((number * 2", "append(number * 2)")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_a_broken_neighbour_leaves_untouched_code_fresh_or_unknown(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain", "src/queue.py::Queue.empty")
    queue.write("src/queue.py", queue.read("src/queue.py") + "\n\ndef half(typed, (\n    x = [1, 2\n")
    assert all(told(fate) in (("fresh", ""), ("unknown", "parse_error")) for fate in queue.fates(memory))


def test_merge_markers_inside_are_unknown(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.replace(
        "src/queue.py",
        "        taken.append(queue.items.pop(0))\n",
        "<<<<<<< ours\n        taken.append(queue.items.pop(0))\n"
        "=======\n        taken.append(queue.items.pop())\n>>>>>>> theirs\n",
    )
    assert told(queue.fate(memory)) == ("unknown", "parse_error")


def test_a_renamed_function_in_a_broken_file_is_not_followed_yet(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.write("src/lines.py", QUEUE[QUEUE.index("def drain") :])
    queue.write("src/queue.py", QUEUE[: QUEUE.index("def drain")] + "def half(typed, (\n")
    assert told(queue.fate(memory)) == ("unknown", "parse_error")
    queue.write("src/queue.py", QUEUE[: QUEUE.index("def drain")])
    assert queue.fate(memory).at == Slot("src/lines.py", "drain")


# ── branches ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_code_of_another_branch_is_unknown_there_and_well_again_here(queue: Project) -> None:
    queue.git("switch", "-qc", "feature")
    queue.write("src/tally.py", TALLY)
    commit = queue.commit()
    memory = queue.remember("src/tally.py::tally")
    queue.git("switch", "-q", "main")
    fate = queue.fate(memory)
    assert (told(fate), fate.detail) == (("unknown", "other_branch"), commit)
    assert queue.standing(memory).status == "unknown"
    queue.git("switch", "-q", "feature")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_code_committed_after_it_was_anchored_is_another_branchs_too(queue: Project) -> None:
    queue.git("switch", "-qc", "feature")
    queue.write("src/tally.py", TALLY)
    memory = queue.remember("src/tally.py::tally")
    commit = queue.commit()
    queue.call()
    queue.git("switch", "-q", "main")
    fate = queue.fate(memory)
    assert (told(fate), fate.detail) == (("unknown", "other_branch"), commit)


def test_a_branch_with_another_body_is_stale_there_and_fresh_here(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.git("switch", "-qc", "feature")
    queue.replace("src/queue.py", "pop(0)", "pop()")
    queue.commit()
    assert told(queue.fate(memory)) == ("stale", "body_edited")
    queue.git("switch", "-q", "main")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_code_taken_back_with_its_commit_is_unknown(queue: Project) -> None:
    queue.write("src/tally.py", TALLY)
    queue.commit()
    memory = queue.remember("src/tally.py::tally")
    queue.git("reset", "-q", "--hard", "HEAD~1")
    assert told(queue.fate(memory)) == ("unknown", "other_branch")


def test_a_commit_that_is_missing_counts_as_another_branch(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    held = memories.one(queue.ws.store, memory)
    lost = replace(held, anchors=tuple(replace(one, commit="0" * 39 + "1", id=0) for one in held.anchors))
    memories.replace(queue.ws.store, lost, "update", queue.ws.now())
    queue.write("src/queue.py", "LIMIT = 50\n")
    fate = queue.fate(memory)
    assert (told(fate), fate.detail) == (("unknown", "other_branch"), "0" * 39 + "1")


# ── deleted, undone, uncommitted ────────────────────────────────────────────────────────────────────────────────────


def test_deleted_code_is_gone_and_its_memory_invalidated(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.write("src/queue.py", QUEUE[: QUEUE.index("def drain")])
    assert told(queue.fate(memory)) == ("gone", "anchor_deleted")
    queue.commit()
    shown = queue.standing(memory)
    assert (shown.status, shown.reasons) == ("invalidated", ("anchor_deleted",))


def test_restored_code_heals(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.delete("src/queue.py")
    queue.commit()
    assert queue.fate(memory).name == "gone"
    queue.git("revert", "--no-edit", "HEAD")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_code_restored_in_a_file_no_anchor_names_heals_after_a_sweep_and_is_unchecked_until_then(
    queue: Project,
) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.write("src/queue.py", QUEUE[: QUEUE.index("def drain")])
    assert queue.fate(memory).name == "gone"
    queue.write("src/late.py", QUEUE[QUEUE.index("def drain") :])
    fate = queue.fate(memory)
    assert fate.name == "followed" or queue.last.unchecked == 1
    queue.sweep()
    assert queue.fate(memory).at == Slot("src/late.py", "drain")


def test_some_anchors_lost_is_stale_and_says_so_first(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain", "src/queue.py::Queue.seed")
    queue.write("src/queue.py", QUEUE[: QUEUE.index("def drain")].replace("number * 2", "number * 3"))
    assert queue.standing(memory).reasons == ("anchor_lost", "body_edited")


def test_uncommitted_code_that_vanishes_is_unknown(queue: Project) -> None:
    queue.write("src/tally.py", TALLY)
    memory = queue.remember("src/tally.py::tally")
    queue.delete("src/tally.py")
    assert told(queue.fate(memory)) == ("unknown", "uncommitted")


def test_stashed_code_is_unknown_and_comes_back_with_the_stash(queue: Project) -> None:
    queue.write("src/queue.py", QUEUE + "\n\n" + TALLY)
    memory = queue.remember("src/queue.py::tally", "src/queue.py::drain")
    queue.git("stash", "-q")
    assert [told(fate) for fate in queue.fates(memory)] == [("unknown", "uncommitted"), ("fresh", "")]
    queue.git("stash", "pop", "-q")
    assert [told(fate) for fate in queue.fates(memory)] == [("fresh", "")] * 2


def test_code_committed_unseen_and_deleted_unseen_is_gone(queue: Project) -> None:
    queue.write("src/tally.py", TALLY)
    memory = queue.remember("src/tally.py::tally")
    queue.commit()
    queue.delete("src/tally.py")
    queue.commit()
    assert told(queue.fate(memory)) == ("gone", "anchor_deleted")


def test_a_repository_without_a_commit_has_nothing_committed(project: Project) -> None:
    project.write("tally.py", TALLY)
    memory = project.remember("tally.py::tally")
    project.delete("tally.py")
    assert told(project.fate(memory)) == ("unknown", "uncommitted")


def test_without_git_what_is_deleted_is_gone(tmp_path: Path, open_project: Callable[[Path], Project]) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    project = open_project(plain)
    project.write("tally.py", TALLY)
    memory = project.remember("tally.py::tally")
    assert told(project.fate(memory)) == ("fresh", "")
    project.move("tally.py", "lib/count.py")
    assert project.fate(memory).name == "followed"
    project.delete("lib/count.py")
    assert told(project.fate(memory)) == ("gone", "anchor_deleted")


# ── worktrees ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_worktree_has_fates_of_its_own(
    queue: Project, tmp_path: Path, open_project: Callable[[Path], Project]
) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = open_project(tmp_path / "other")
    other.replace("src/queue.py", "pop(0)", "pop()")
    for _ in range(3):
        assert told(other.fate(memory)) == ("stale", "body_edited")
        assert told(queue.fate(memory)) == ("fresh", "")
    other.move("src/queue.py", "src/lines.py")
    other.replace("src/lines.py", "pop()", "pop(0)")
    assert other.fate(memory).at == Slot("src/lines.py", "drain")
    assert queue.fate(memory).at == Slot("src/queue.py", "drain")


def test_what_was_learnt_in_a_worktree_stays_when_it_is_removed(
    queue: Project, tmp_path: Path, open_project: Callable[[Path], Project]
) -> None:
    queue.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = open_project(tmp_path / "other")
    memory = other.remember("src/queue.py::drain")
    queue.git("worktree", "remove", "--force", str(tmp_path / "other"))
    assert told(queue.fate(memory)) == ("fresh", "")


# ── what is not checked out ─────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_sparse_checkout_leaves_out_is_unknown_and_well_again_when_it_is_back(queue: Project) -> None:
    queue.write("docs/guide.md", "# Guide\n")
    queue.commit()
    memory = queue.remember("src/queue.py::drain")
    queue.git("sparse-checkout", "set", "docs")
    fate = queue.fate(memory)
    assert told(fate) == ("unknown", "unreadable")
    assert fate.detail == "not checked out here"
    assert told(queue.fate(memory)) == ("unknown", "unreadable")
    queue.git("sparse-checkout", "disable")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_what_lies_in_a_submodule_that_is_not_checked_out_is_unknown(
    queue: Project, tmp_path: Path, git: Callable[..., str]
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    (library / "tally.py").write_text(TALLY, "utf-8")
    git(library, "add", "-A")
    git(library, "commit", "-qm", "first")
    queue.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib/part")
    queue.commit()
    memory = queue.remember("lib/part/tally.py::tally")
    queue.git("submodule", "--quiet", "deinit", "-f", "lib/part")
    assert told(queue.fate(memory)) == ("unknown", "unreadable")
