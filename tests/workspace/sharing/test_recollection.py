"""The text of imported anchors is found again: to the letter where git has it, and a part of them by each call."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.store import anchors, listing, marks
from anchormem.workspace import recollection
from anchormem.workspace.intake import take_in
from anchormem.workspace.look import look
from workspace.answers.desk import QUEUE, USE, Desk, record

KNOWN = ({"file": "lib/queue.py", "symbol": "seed"}, {"file": "lib/use.py", "symbol": "main"})


@pytest.fixture
def taught(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_desk: Callable[[Path], Desk]) -> Desk:
    """Another machine, which has the export of two anchors in two files and has not looked yet."""
    for number, place in enumerate(KNOWN):
        desk.know(f"lesson {number} of what stands there", place)
    record(desk.admin("export"))
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "another"))
    return open_desk(desk.root)


def left(desk: Desk) -> list[str]:
    return sorted(one.slot.path for one in anchors.textless(desk.ws.store))


def test_what_takes_too_long_is_gone_on_with_by_the_next_call(taught: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recollection, "LONGEST_SECONDS", 0.0)
    monkeypatch.setattr(recollection, "FILES_AT_ONCE", 1)
    assert left(taught) == ["lib/queue.py", "lib/use.py"]
    recollection.recollect(taught.ws)
    assert left(taught) == ["lib/use.py"]
    recollection.recollect(taught.ws)
    assert left(taught) == []
    assert marks.get(taught.ws.store, marks.TEXTLESS) == ""


def test_text_to_the_letter_comes_before_one_that_means_the_same(taught: Desk) -> None:
    taught.write("lib/queue.py", QUEUE.replace("self.batch(chosen)", "self.batch( chosen )"))
    recollection.recollect(taught.ws)
    texts = [str(held.text) for one in listing.everything(taught.ws.store) for held in one.anchors]
    assert sorted(text in QUEUE or text in USE for text in texts) == [True, True]


def test_what_was_parsed_for_it_is_not_parsed_again(taught: Desk) -> None:
    recollection.recollect(taught.ws)
    looks = [look(taught.ws.root, place["file"], {}, 0) for place in KNOWN]
    assert take_in(taught.ws.store, looks, {}, parsing=False)[1] == []
