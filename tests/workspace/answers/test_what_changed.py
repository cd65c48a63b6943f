"""What a stale memory says of the edit: tokens, else lines; the commit when git knows; the diff. Also after a rename
or a move, which are no edit."""

import textwrap

import pytest

from anchormem.model import JsonObject
from anchormem.reason.envelope import compact
from workspace.answers.desk import Desk, rows

PATH = "lib/queue.py"
SEED = {"file": PATH, "symbol": "ScanQueue.seed"}


def change(desk: Desk, memory: str) -> JsonObject:
    """The one entry of what became of a memory's code."""
    (entry,) = rows(desk.whole(memory), "changes")
    return entry


def known(desk: Desk) -> str:
    memory = desk.know("seed takes at most 200 paths", SEED)
    assert "changes" not in desk.whole(memory)
    return memory


def moved(desk: Desk, target: str = "lib/deep/seeds.py") -> str:
    """Takes seed out of its class into a file of its own; its code."""
    text = (desk.root / PATH).read_text()
    start, end = text.index("    def seed"), text.index("    def batch")
    desk.write(PATH, text[:start] + text[end:])
    code = textwrap.dedent(text[start:end])
    desk.write(target, code)
    return code


def settle(desk: Desk, memory: str) -> None:
    """A call that follows the code."""
    assert "status" not in desk.whole(memory)


# ── tokens and lines ────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_changed_token_is_named_everywhere(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "limit=200", "limit=500")
    (waiting,) = desk.queue()
    shown = desk.map(f"{PATH}::ScanQueue.seed")
    for said in (desk.whole(memory)["changed"], change(desk, memory)["changed"], waiting["changed"]):
        assert said == "200 → 500"
    (mapped,) = rows(shown, "memories")
    assert mapped["changed"] == "200 → 500"
    for diff in (waiting["changes"], mapped["changes"]):
        assert "-def seed(self, paths, limit=200):" in compact(diff)
        assert "+def seed(self, paths, limit=500):" in compact(diff)


def test_more_than_one_token_counts_lines(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "            chosen.append(path)\n", "            if path:\n                chosen.append(path)\n")
    assert change(desk, memory)["changed"] == "+2 −1 lines"


# ── the commit ──────────────────────────────────────────────────────────────────────────────────────────────────────


def commit_of(desk: Desk, memory: str) -> object:
    return change(desk, memory).get("commit", "")


def test_the_commit_is_named_once_the_edit_is_committed(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "limit=200", "limit=500")
    assert commit_of(desk, memory) == ""
    made = desk.commit()
    date = desk.git("log", "-1", "--format=%cd", "--date=short")
    assert commit_of(desk, memory) == f"{made[:10]} {date}"


def test_the_commit_is_the_one_that_changed_the_symbol_not_the_last_one_of_its_file(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "RETRIES = 7", "RETRIES = 8")
    desk.commit()
    desk.edit(PATH, "limit=200", "limit=500")
    made = desk.commit()
    desk.edit(PATH, "RETRIES = 8", "RETRIES = 9")
    desk.commit()
    assert str(commit_of(desk, memory)).startswith(made[:10])


def test_the_commit_is_known_though_another_symbol_of_the_file_is_being_edited(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "limit=200", "limit=500")
    made = desk.commit()
    desk.edit(PATH, "RETRIES = 7", "RETRIES = 8")
    assert str(commit_of(desk, memory)).startswith(made[:10])
    desk.edit(PATH, "limit=500", "limit=600")
    assert commit_of(desk, memory) == ""


def test_an_edit_made_taken_back_and_made_again_has_the_commit_that_made_it_last(desk: Desk) -> None:
    memory = known(desk)
    made = ""
    for old, new in (("200", "500"), ("500", "200"), ("200", "500")):
        desk.edit(PATH, f"limit={old}", f"limit={new}")
        made = desk.commit()
    assert str(commit_of(desk, memory)).startswith(made[:10])


def test_the_commit_of_a_whole_file(desk: Desk) -> None:
    memory = desk.know("the queue holds paths", {"file": PATH})
    desk.edit(PATH, "RETRIES = 7", "RETRIES = 8")
    made = desk.commit()
    assert str(commit_of(desk, memory)).startswith(made[:10])
    desk.edit(PATH, "RETRIES = 8", "RETRIES = 9")
    assert commit_of(desk, memory) == ""


# ── renamed and moved ───────────────────────────────────────────────────────────────────────────────────────────────


def test_renamed_then_edited_names_the_edit_alone(desk: Desk) -> None:
    memory = known(desk)
    desk.edit(PATH, "def seed", "def fill")
    desk.edit("lib/queue.py", "ScanQueue", "PathQueue")
    settle(desk, memory)
    desk.edit(PATH, "limit=200", "limit=500")
    made = desk.commit()
    entry = change(desk, memory)
    assert (entry["at"], entry["changed"]) == (f"{PATH}::PathQueue.fill", "200 → 500")
    assert str(entry["commit"]).startswith(made[:10])
    assert "+def fill(self, paths, limit=500):" in str(entry["diff"])


def test_renamed_then_edited_in_several_places_counts_the_lines_of_the_edit(desk: Desk) -> None:
    desk.write(
        "walk.py", "def walk(node, deep):\n    if deep:\n        return walk(node.up, deep - 1)\n    return node\n"
    )
    desk.commit()
    memory = desk.know("walk goes up", {"file": "walk.py", "symbol": "walk"})
    desk.edit("walk.py", "walk", "climb")
    settle(desk, memory)
    desk.edit("walk.py", "    return node\n", "    return [node]\n")
    assert change(desk, memory)["changed"] == "+1 −1 lines"


def test_moved_into_another_margin_then_edited_names_the_edit_alone(desk: Desk) -> None:
    memory = known(desk)
    moved(desk)
    settle(desk, memory)
    desk.edit(
        "lib/deep/seeds.py", "        chosen.append(path)\n", "        chosen.append(path)\n        path.touch(path)\n"
    )
    entry = change(desk, memory)
    assert (entry["at"], entry["changed"]) == ("lib/deep/seeds.py::seed", "+1 −0 lines")
    told = [line for line in str(entry["diff"]).splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert told == ["+        path.touch(path)"]


def test_moved_then_edited_has_the_commit_of_the_edit(desk: Desk) -> None:
    memory = known(desk)
    moved(desk)
    desk.commit()
    settle(desk, memory)
    desk.edit("lib/deep/seeds.py", "limit=200", "limit=500")
    made = desk.commit()
    entry = change(desk, memory)
    assert entry["changed"] == "200 → 500"
    assert str(entry["commit"]).startswith(made[:10])


@pytest.mark.parametrize("body", ["seed takes at most 200 paths", "fill was called otherwise"])
def test_a_new_name_alone_touches_nothing_of_what_a_memory_says(desk: Desk, body: str) -> None:
    memory = desk.know(body, SEED)
    desk.edit(PATH, "def seed", "def fill")
    settle(desk, memory)
    desk.edit(PATH, "limit=200", "limit=500")
    assert desk.whole(memory).get("touches", False) is ("200" in body)
