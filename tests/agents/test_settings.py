"""Our hooks and status line in settings of any content: theirs keep their order and their bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.agents import settings
from anchormem.errors import Refused

COMMANDS = st.sampled_from(
    ["true", "/x/anchormem hook", "echo anchormem hook", "'/a b/anchormem' hook", "/x/anchormem y"]
)
HANDLERS = st.builds(lambda command: {"type": "command", "command": command}, COMMANDS)
GROUPS = st.builds(
    lambda matcher, hooks: {**matcher, "hooks": hooks},
    st.sampled_from([{}, {"matcher": "Edit"}]),
    st.lists(HANDLERS, min_size=1, max_size=3),
)
EVENTS = st.dictionaries(
    st.sampled_from(["SessionStart", "PreToolUse", "Stop"]), st.lists(GROUPS, min_size=1, max_size=3), max_size=3
)
LINES = st.sampled_from([None, {"command": "/x/anchormem statusline"}, {"command": "mine"}])
TEXTS = st.builds(
    lambda hooks, line, layout: json.dumps(
        {"theme": "dark", **({"hooks": hooks} if hooks else {}), **({"statusLine": line} if line else {}), "z": [1]},
        indent=layout,
    ),
    EVENTS,
    LINES,
    st.sampled_from([None, 2, "\t"]),
)


def theirs(text: str) -> dict[str, object]:
    return settings._foreign(text)


@given(TEXTS)
def test_what_is_theirs_survives_coming_and_going(text: str) -> None:
    came = settings.with_status_line(settings.with_hooks(text, settings.AROUND_EDITS))
    assert settings.checked(text, came) == came
    assert set(settings.hooked(came)) >= set(settings.AROUND_EDITS)
    assert settings.with_status_line(settings.with_hooks(came, settings.AROUND_EDITS)) == came
    went = settings.without_status_line(settings.without_hooks(came))
    assert theirs(went) == theirs(text)
    assert not settings.hooked(went)
    assert '"theme": "dark"' in went


@given(TEXTS)
def test_without_ours_in_it_every_byte_comes_back(text: str) -> None:
    clean = settings.without_status_line(settings.without_hooks(text))
    came = settings.with_status_line(settings.with_hooks(clean, settings.AROUND_EDITS))
    assert settings.without_status_line(settings.without_hooks(came)) == clean


def test_a_change_that_would_mean_more_is_refused() -> None:
    with pytest.raises(Refused, match="safely"):
        settings.checked('{"a": 1}', '{"a": 2}')
    with pytest.raises(Refused, match="safely"):
        settings.checked('{"a": 1}', '{"a": 1')
