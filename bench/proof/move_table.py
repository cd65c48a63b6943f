"""The fates that must come of each act, as data: the table of fates, and where a language differs, why.

`fate` at the place where the code is now (for `fresh`, `followed` and edits), `fate ?` with that place among the
candidates, `one | other` where the damage decides. By role, or one for all roles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from proof import move_acts as acts
from proof import move_git as git
from proof.move_acts import Act
from proof.move_git import GitAct

Fates = str | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """`stages`: after each act. `needs`: a part of the sample without which a language has no such thing."""

    what: str
    act: Act
    stages: tuple[Fates, ...]
    needs: str = "function"
    differs: Mapping[str, tuple[Fates, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GitCase:
    what: str
    act: GitAct
    stages: tuple[Fates, ...]
    differs: Mapping[str, tuple[Fates, ...]] = field(default_factory=dict)
    commits: bool = True  # what is anchored is committed right after


# Inside the damage nothing is known; what lies before it is whole; what comes after it may have been swallowed.
DAMAGED = {"settle": "unknown:parse_error", "before": "fresh", "after": "fresh | unknown:parse_error"}
EDITED = {"settle": "stale:body_edited", "before": "fresh", "after": "fresh"}
# One side of a conflict over a whole function may read as the anchored code does: fresh then, errors or not.
EITHER_SIDE = dict.fromkeys(("settle", "before", "after"), "fresh | unknown:parse_error")
NAMED = "stale:ambiguous_anchor ?"

CASES = (
    Case("reordered in the file", acts.reordered, ("fresh",)),
    Case("recursive function renamed, and back", acts.function_renamed, ("followed", "fresh")),
    Case("class with constructor renamed", acts.class_renamed, ("followed",), needs="class"),
    Case("method moved to another class of the file", acts.moved_to_another_class, ("followed",), needs="method"),
    Case("moved to another file", acts.moved_to_another_file, ("followed",)),
    Case("moved and renamed at once", acts.moved_and_renamed, ("followed",)),
    Case("extracted to a new file", acts.extracted, ("followed",)),
    Case("file renamed and moved", acts.file_renamed, ("followed",)),
    Case("file renamed, another function edited", acts.file_renamed_and_edited_beside,
         ({"settle": "followed", "before": "followed", "after": "stale:moved_and_edited ?"},)),
    Case("file renamed and the code edited", acts.file_renamed_and_edited, ("stale:moved_and_edited ?",)),
    Case("function renamed and edited at once", acts.renamed_and_edited, ("stale:moved_and_edited ?",)),
    Case("renamed, then edited, then undone", acts.renamed_then_edited, ("followed", "stale:body_edited", "followed")),
    Case("moved, then edited, then undone", acts.moved_then_edited, ("followed", "stale:body_edited", "followed")),
    Case("edited and undone", acts.edited_and_undone, (EDITED, "fresh")),
    Case("new function under the old name", acts.new_function_under_the_old_name, ("stale:body_edited ?",)),
    Case("two names exchanged", acts.names_exchanged, ("stale:body_edited ?",)),
    Case("deleted beside a surviving twin, restored", acts.deleted_beside_a_twin, (NAMED, "fresh")),
    Case("one of two equal bodies edited, renamed", acts.one_of_two_equal,
         ({"settle": "stale:body_edited", "balance": "fresh"}, {"settle": NAMED, "balance": "fresh"})),
    Case("moved to two places at once", acts.moved_to_two_places, (NAMED,)),
    Case("copied, looked at, then removed", acts.copied_then_removed, ("fresh", NAMED)),
    Case("deleted, restored", acts.deleted, ("gone:anchor_deleted", "fresh")),
    Case("trivial body renamed, and back", acts.trivial_renamed, ("stale:low_entropy ?", "fresh"), needs="tiny"),
    Case("trivial body moved", acts.trivial_moved, ("stale:low_entropy ?",), needs="tiny"),
    Case("half-typed: unclosed bracket, mended", acts.half_typed(acts.open_bracket), (DAMAGED, "fresh")),
    Case("half-typed: unclosed string, mended", acts.half_typed(acts.open_string), (DAMAGED, "fresh")),
    Case("half-typed: merge-conflict markers, mended", acts.half_typed(acts.conflict), (DAMAGED, "fresh")),
    Case("conflict over a whole function, mended", acts.conflict_over_a_whole, (EITHER_SIDE, "fresh")),
    Case("lost in a half-typed file, found when mended", acts.lost_in_a_half_typed_file,
         ("unknown:parse_error", "followed")),
    Case("neighbour half-typed, mended", acts.broken_beside, ("fresh | unknown:parse_error", "fresh")),
    Case("whole file: edited, moved, moved and edited", acts.whole_file,
         ("stale:file_edited", "followed", "stale:moved_and_edited ?")),
    Case("aspects: body edited, moved and renamed, edited there", acts.aspects,
         ("fresh", "followed", {"signature": "followed", "exists": "followed", "quote": "stale:quote_gone"})),
)  # fmt: skip

GIT_CASES = (
    GitCase("branch switched, and back", git.branch_switched,
            ({"settle": "stale:body_edited", "before": "fresh", "after": "unknown:other_branch",
              "new file": "unknown:other_branch"}, "fresh")),
    GitCase("stash, and pop", git.stashed,
            ({"settle": "stale:body_edited", "before": "fresh", "after": "unknown:uncommitted"}, "fresh"),
            commits=False),
    GitCase("rebase stopped, given up, stopped, finished", git.rebase_stopped,
            ({**DAMAGED, "later": "unknown:other_branch"}, "fresh",
             {**DAMAGED, "later": "unknown:other_branch"}, "fresh")),
    GitCase("conflict markers committed, reverted", git.merge_in_the_work_tree, (DAMAGED, "fresh")),
    GitCase("moved and edited in a second work tree", git.worktree,
            ({"settle": "stale:moved_and_edited ?", "before": "followed", "after": "followed"}, "fresh")),
    GitCase("never committed, deleted, back", git.never_committed, ("unknown:uncommitted", "fresh"),
            commits=False),
    GitCase("deletion committed, reverted", git.deletion_committed, ("gone:anchor_deleted", "fresh")),
    GitCase("git mv with an edit, committed", git.renamed_in_a_commit,
            ({"settle": "stale:moved_and_edited ?", "before": "followed", "after": "followed"},)),
    GitCase("folder of 200 files moved", git.folder_moved, ("followed",)),
)  # fmt: skip
