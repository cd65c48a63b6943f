"""No text of a memory can steer the terminal it is shown on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.text.printable import printable


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b1mC1", "C1"),
        ("\x1bPq payload\x1b\\after", "after"),
        ("over\rwritten", "overwritten"),
        ("back\b\b\bspace\a\0", "backspace"),
        ("right\u202eto left", "rightto left"),
        ("kept\n\tlines\r\n", "kept\n\tlines\n"),
        ("lone \ud800", "lone \ufffd"),
        ("字 🚀 é", "字 🚀 é"),
    ],
)
def test_control_sequences_are_stripped(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown


@given(st.text(alphabet=st.characters() | st.sampled_from("\x1b[]\\P;?m\x9b\x07\r"), max_size=80))
def test_what_is_shown_holds_no_control_character_and_encodes(text: str) -> None:
    shown = printable(text)
    assert all(character in "\n\t" or not (ord(character) < 32 or 127 <= ord(character) < 160) for character in shown)
    shown.encode()
    assert printable(shown) == shown
