"""Processes that work for a sweep: all is done, whoever dies, and nobody stays."""

import multiprocessing
import signal
import sys
from itertools import count

import pytest

from anchormem.workspace.workers import AHEAD, spread


def test_every_piece_is_done_once_by_any_number_of_workers() -> None:
    pieces = [f"piece {number}" * 20_000 for number in range(9)]  # none fits into a pipe
    done = list(spread(str.upper, pieces, 2, lambda: False))
    assert sorted(piece for piece, _ in done) == sorted(pieces)
    assert all(made == piece.upper() for piece, made in done)
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_a_worker_was_at_when_it_was_killed_is_missing_and_the_others_go_on() -> None:
    pieces = [0, 0, int(signal.SIGKILL), *[0] * 20]
    done = [piece for piece, _ in spread(signal.raise_signal, pieces, 2, lambda: False)]
    assert set(done) == {0}
    assert len(pieces) - AHEAD <= len(done) < len(pieces)
    assert multiprocessing.active_children() == []


def test_one_that_is_told_to_stop_leaves_what_waits_undone() -> None:
    looks = count()
    done = list(spread(str.upper, list("abcdefghijkl") * 50, 1, lambda: next(looks) > 3))
    assert len(done) < 10
    assert multiprocessing.active_children() == []
