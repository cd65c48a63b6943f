"""The fates of symbol anchors on a real repository, each right after ONE refresh."""

import pytest

from anchormem.model import Fate, Slot
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE, RECURSIVE, RECURSIVE_RENAMED, SMALL, TALLY


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


@pytest.fixture
def queue(project: Project) -> Project:
    """A committed and swept repository with one module."""
    project.write("src/queue.py", QUEUE)
    project.commit()
    project.sweep()
    return project


# ── fresh ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_untouched_code_is_fresh(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_reformatted_and_recommented_code_is_fresh(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed", "src/queue.py::drain")
    queue.replace(
        "src/queue.py", "def seed(self, limit=50):", "def seed(\n        self,\n        limit = 50,\n    ):  # fill"
    )
    queue.replace("src/queue.py", "    taken = []\n", "    # what was taken\n\n    taken = [ ]\n")
    assert [told(fate) for fate in queue.fates(memory)] == [("fresh", "")] * 2
    assert not queue.stored(memory)[0].doc_changed


def test_other_documentation_is_fresh_and_says_so(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed")
    queue.replace("src/queue.py", "Fills it.", "Fills it to the brim.")
    fate = queue.fate(memory)
    assert (told(fate), fate.doc_changed) == (("fresh", ""), True)


def test_crlf_line_ends_change_nothing(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed", "src/queue.py")
    (queue.root / "src/queue.py").write_bytes(QUEUE.replace("\n", "\r\n").encode())
    assert [fate.name for fate in queue.fates(memory)] == ["fresh", "fresh"]


# ── followed ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_renamed_function_is_followed(project: Project) -> None:
    project.write("walk.py", RECURSIVE)
    project.commit()
    memory = project.remember("walk.py::walk")
    project.write("walk.py", RECURSIVE_RENAMED)
    fate = project.fate(memory)
    assert (told(fate), fate.at) == (("followed", ""), Slot("walk.py", "descend"))


def test_a_function_moved_to_a_file_no_anchor_names_is_followed(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    body = QUEUE[QUEUE.index("def drain") :]
    queue.replace("src/queue.py", body, "")
    queue.write("src/drains.py", body)
    assert queue.fate(memory).at == Slot("src/drains.py", "drain")


def test_a_moved_file_takes_its_anchors_along(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed", "src/queue.py::drain", "src/queue.py")
    queue.move("src/queue.py", "lib/work/queue.py")
    fates = queue.fates(memory)
    assert [fate.name for fate in fates] == ["followed"] * 3
    assert {fate.at.path for fate in fates if fate.at} == {"lib/work/queue.py"}


def test_a_renamed_class_takes_its_methods_along(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed", "src/queue.py::Queue")
    queue.replace("src/queue.py", "class Queue", "class Backlog")
    assert [fate.at for fate in queue.fates(memory)] == [
        Slot("src/queue.py", "Backlog.seed"),
        Slot("src/queue.py", "Backlog"),
    ]


def test_a_moved_folder_of_200_files_takes_every_anchor_along(project: Project) -> None:
    for number in range(200):
        project.write(
            f"old/part{number}.py", TALLY.replace("tally", f"tally{number}").replace("+ 1", f"+ {number + 2}")
        )
    project.commit()
    project.sweep()
    memories = [project.remember(f"old/part{number}.py::tally{number}") for number in range(0, 200, 20)]
    (project.root / "old").rename(project.root / "new")
    project.call()
    for number, memory in zip(range(0, 200, 20), memories, strict=True):
        fate = project.stored(memory)[0]
        assert (fate.name, fate.at) == ("followed", Slot(f"new/part{number}.py", f"tally{number}"))


def test_a_follow_is_remembered_as_a_proved_slot_and_stays(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.move("src/queue.py", "src/lines.py")
    first = queue.fate(memory)
    assert queue.fate(memory) == first
    queue.replace("src/lines.py", "pop(0)", "pop()")
    fate = queue.fate(memory)
    assert (told(fate), fate.at) == (("stale", "body_edited"), Slot("src/lines.py", "drain"))


def test_code_that_returns_to_where_it_was_written_is_fresh_there(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.move("src/queue.py", "src/lines.py")
    queue.call()
    queue.move("src/lines.py", "src/queue.py")
    assert (queue.fate(memory).name, queue.stored(memory)[0].at) == ("fresh", Slot("src/queue.py", "drain"))


# ── not followed ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_body_found_twice_is_ambiguous(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    body = QUEUE[QUEUE.index("def drain") :]
    queue.replace("src/queue.py", body, "")
    queue.write("one.py", body)
    queue.write("two.py", body)
    fate = queue.fate(memory)
    assert told(fate) == ("stale", "ambiguous_anchor")
    assert set(fate.candidates) == {"one.py::drain", "two.py::drain"}


def test_an_old_twin_is_not_taken_for_the_deleted_one(project: Project) -> None:
    project.write("one.py", TALLY)
    project.write("two.py", TALLY)
    project.commit()
    project.sweep()
    memory = project.remember("one.py::tally")
    project.delete("one.py")
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "ambiguous_anchor"), ("two.py::tally",))


def test_a_copy_made_after_writing_is_an_old_twin_once_it_was_seen(project: Project) -> None:
    project.write("one.py", TALLY)
    project.commit()
    memory = project.remember("one.py::tally")
    project.write("two.py", TALLY)
    project.sweep()
    project.delete("one.py")
    assert told(project.fate(memory)) == ("stale", "ambiguous_anchor")


def test_a_twin_that_moves_away_is_not_taken_for_the_deleted_one(project: Project) -> None:
    project.write("one.py", TALLY)
    project.write("two.py", TALLY)
    project.commit()
    project.sweep()
    memory = project.remember("one.py::tally")
    project.delete("one.py")
    project.move("two.py", "three.py")
    assert told(project.fate(memory)) == ("stale", "ambiguous_anchor")


def test_a_tiny_function_is_never_followed_but_heals(project: Project) -> None:
    project.write("small.py", SMALL)
    project.commit()
    memory = project.remember("small.py::ready")
    project.replace("small.py", "ready", "prepared")
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "low_entropy"), ("small.py::prepared",))
    project.replace("small.py", "prepared", "ready")
    assert project.fate(memory).name == "fresh"


# ── edited ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_edited_body_is_stale_and_says_what_changed(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed", body="a seed never doubles past 2 per number")
    queue.replace("src/queue.py", "number * 2", "number * 3")
    fate = queue.fate(memory)
    assert told(fate) == ("stale", "body_edited")
    assert (fate.change.summary, fate.change.touches) == ("2 → 3", True)


def test_an_undone_edit_heals(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed")
    queue.replace("src/queue.py", "number * 2", "number * 3")
    assert queue.fate(memory).name == "stale"
    queue.replace("src/queue.py", "number * 3", "number * 2")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_an_edit_names_where_the_old_body_lives(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    old = QUEUE[QUEUE.index("def drain") :]
    queue.replace("src/queue.py", "def drain", "def drain_all")
    queue.write("src/queue.py", queue.read("src/queue.py") + "\n\ndef drain(queue, batch):\n    return []\n")
    fate = queue.fate(memory)
    assert old
    assert (told(fate), fate.candidates) == (("stale", "body_edited"), ("src/queue.py::drain_all",))


def test_a_signature_anchor_sees_the_signature_alone(queue: Project) -> None:
    memory = queue.remember({"file": "src/queue.py", "symbol": "Queue.seed", "aspect": "signature"})
    queue.replace("src/queue.py", "number * 2", "number * 3")
    assert queue.fate(memory).name == "fresh"
    queue.replace("src/queue.py", "limit=50", "limit=60")
    assert told(queue.fate(memory)) == ("stale", "signature_edited")


def test_an_exists_anchor_sees_only_disappearance(queue: Project) -> None:
    memory = queue.remember({"file": "src/queue.py", "symbol": "Queue.seed", "aspect": "exists"})
    queue.replace("src/queue.py", "limit=50", "limit=60, more=None")
    queue.replace("src/queue.py", "number * 2", "more or number")
    assert queue.fate(memory).name == "fresh"
    queue.write("src/queue.py", "LIMIT = 50\n")
    queue.commit()
    assert told(queue.fate(memory)) == ("gone", "anchor_deleted")


def test_an_aspect_anchor_follows_by_the_body_last_seen(queue: Project) -> None:
    memory = queue.remember({"file": "src/queue.py", "symbol": "drain", "aspect": "signature"})
    queue.replace("src/queue.py", "pop(0)", "pop()")
    assert queue.fate(memory).name == "fresh"
    queue.replace("src/queue.py", "def drain", "def emptied")
    fate = queue.fate(memory)
    assert (fate.name, fate.at) == ("followed", Slot("src/queue.py", "emptied"))


def test_a_quote_lives_through_every_other_edit(queue: Project) -> None:
    memory = queue.remember({"file": "src/queue.py", "symbol": "Queue.seed", "quote": "limit=50"})
    queue.replace("src/queue.py", "number * 2", "number  *  4")
    queue.replace("src/queue.py", "limit=50", "limit = 50")
    assert queue.fate(memory).name == "fresh"
    queue.replace("src/queue.py", "limit = 50", "limit=51")
    assert told(queue.fate(memory)) == ("stale", "quote_gone")


def test_a_quote_of_a_file_needs_no_symbol(queue: Project) -> None:
    memory = queue.remember({"file": "src/queue.py", "quote": "LIMIT = 50"})
    queue.replace("src/queue.py", "number * 2", "number * 3")
    assert queue.fate(memory).name == "fresh"
    queue.replace("src/queue.py", "LIMIT = 50", "LIMIT = 51")
    assert told(queue.fate(memory)) == ("stale", "quote_gone")


def test_a_constant_is_a_symbol_like_any_other(queue: Project) -> None:
    memory = queue.remember("src/queue.py::LIMIT", body="LIMIT is 50")
    queue.replace("src/queue.py", "LIMIT = 50", "LIMIT = 60")
    fate = queue.fate(memory)
    assert (told(fate), fate.change.summary, fate.change.touches) == (("stale", "body_edited"), "50 → 60", True)


# ── moved and edited ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_renamed_and_edited_file_names_its_successor(queue: Project) -> None:
    memory = queue.remember("src/queue.py::Queue.seed")
    queue.move("src/queue.py", "src/backlog.py")
    queue.replace("src/backlog.py", "number * 2", "number * 3")
    fate = queue.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("src/backlog.py::Queue.seed",))


def test_a_committed_rename_with_an_edit_names_its_successor(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.git("mv", "src/queue.py", "src/backlog.py")
    queue.replace("src/backlog.py", "pop(0)", "pop()")
    queue.commit()
    fate = queue.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("src/backlog.py::drain",))


def test_a_renamed_and_edited_function_names_its_successor(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    queue.replace("src/queue.py", "def drain(queue, batch)", "def emptied(queue, batch)")
    queue.replace("src/queue.py", "pop(0)", "pop()")
    fate = queue.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("src/queue.py::emptied",))


def test_a_neighbour_that_was_always_there_is_no_successor(project: Project) -> None:
    project.write("pair.py", TALLY + "\n\n" + TALLY.replace("tally", "count").replace("+ 1", "+ 2"))
    project.commit()
    memory = project.remember("pair.py::tally")
    project.replace("pair.py", TALLY, "")
    project.commit()
    assert told(project.fate(memory)) == ("gone", "anchor_deleted")


GETTERS = """class Response:
    @property
    def origin(self) -> "Origin":
        return Origin(self)

    @property
    def status(self) -> int:
        return self._status

    @property
    def reason(self) -> str:
        return self._reason

    @property
    def url(self) -> str:
        return self._url

    def elapsed(self, clock):
        started = clock.started_at
        return clock.now() - started
"""


def test_what_only_looks_like_code_of_its_kind_is_no_successor(project: Project) -> None:
    project.write("response.py", GETTERS)
    project.commit()
    memory = project.remember("response.py::Response.origin")
    project.replace(
        "response.py",
        'def origin(self) -> "Origin":\n        return Origin(self)',
        "def body(self) -> bytes:\n        return self.read()",
    )
    project.commit()
    assert told(project.fate(memory)) == ("gone", "anchor_deleted")


def test_a_successor_among_its_like_is_told_by_what_it_alone_says(project: Project) -> None:
    project.write("response.py", GETTERS)
    project.commit()
    memory = project.remember("response.py::Response.elapsed")
    project.replace("response.py", "def elapsed(self, clock)", "def duration(self, clock, rate=1)")
    project.commit()
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("response.py::Response.duration",))


def test_a_property_that_became_a_method_under_another_name_has_its_successor(project: Project) -> None:
    project.write("response.py", GETTERS.replace("def elapsed", "@property\n    def elapsed"))
    project.commit()
    memory = project.remember("response.py::Response.elapsed")
    project.replace("response.py", "@property\n    def elapsed(self, clock)", "def duration(self, clock, rate=1)")
    assert project.fate(memory).candidates == ("response.py::Response.duration",)


# ── twins ───────────────────────────────────────────────────────────────────────────────────────────────────────────

TWINS = """try:
    import fast
except ImportError:
    fast = None

if fast:

    def load(path):
        with fast.open(path) as opened:
            return fast.parse(opened.read(), strict=True)

else:

    def load(path):
        with open(path) as opened:
            return [line.strip() for line in opened.readlines() if line]
"""


def test_twins_are_told_apart_and_each_has_its_own_fate(project: Project) -> None:
    project.write("load.py", TWINS)
    project.commit()
    forms = [str(place.slot) for place in project.places("load.py", "load")]
    memory = project.remember(*forms)
    project.replace("load.py", "strict=True", "strict=False")
    assert [told(fate) for fate in project.fates(memory)] == [("stale", "body_edited"), ("fresh", "")]


def test_a_twin_put_before_another_does_not_make_it_stale(project: Project) -> None:
    project.write("load.py", TWINS)
    project.commit()
    forms = [str(place.slot) for place in project.places("load.py", "load")]
    memory = project.remember(*forms)
    project.write("load.py", "def load(path):\n    raise NotImplementedError(path, 1, 2, 3)\n\n\n" + TWINS)
    assert [fate.name for fate in project.fates(memory)] == ["fresh", "fresh"]


def test_the_one_left_of_equal_twins_stands_for_itself_alone(project: Project) -> None:
    equal = "if A:\n\n" + "".join(f"    {line}\n" for line in TALLY.splitlines())
    project.write("both.py", equal + "else:\n\n" + equal.removeprefix("if A:\n\n"))
    project.commit()
    forms = [str(place.slot) for place in project.places("both.py", "tally")]
    memory = project.remember(*forms)
    text = project.read("both.py")
    at = text.rindex("+ 1")
    project.write("both.py", text[:at] + "+ 9" + text[at + 3 :])
    assert [told(fate) for fate in project.fates(memory)] == [("fresh", ""), ("stale", "body_edited")]
