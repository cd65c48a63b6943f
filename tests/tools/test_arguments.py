"""Arguments are read in whatever form an agent sends them, or refused with what would have been right."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.errors import UnknownArgument, UsageError
from anchormem.tools.arguments import Param, check, schema
from anchormem.tools.shapes import ANCHORS, short_anchor

ROWS = (
    Param("body", low=1, high=10),
    Param("count", "integer", low=1, high=500, default=20),
    Param("share", "number", low=0, high=1),
    Param("force", "boolean", default=False),
    Param("kinds", "strings", choices=("fact", "decision"), default=[]),
    Param("evidence", "object", fields=(Param("command", needed=True), Param("exit_code", "integer", default=0))),
    ANCHORS,
)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"count": "500"}, {"count": 500}),
        ({"count": 3.0}, {"count": 3}),
        ({"share": "0.25"}, {"share": 0.25}),
        ({"share": 1}, {"share": 1}),
        ({"force": "true"}, {"force": True}),
        ({"force": None}, {"force": False}),
        ({"kinds": "fact"}, {"kinds": ["fact"]}),
        ({"kinds": '["fact","decision"]'}, {"kinds": ["fact", "decision"]}),
        ({"kinds": ""}, {"kinds": []}),
        ({"evidence": '{"command":"make"}'}, {"evidence": {"command": "make", "exit_code": 0}}),
        ({"anchors": "a.py"}, {"anchors": [{"file": "a.py"}]}),
        ({"anchors": "a.rs::Queue::push"}, {"anchors": [{"file": "a.rs", "symbol": "a.rs::Queue::push"}]}),
        ({"anchors": {"file": "a.py"}}, {"anchors": [{"file": "a.py"}]}),
        ({"anchors": '{"file":"a.py"}'}, {"anchors": [{"file": "a.py"}]}),
        (
            {"anchors": '["a.py::f",{"file":"b.py"}]'},
            {"anchors": [{"file": "a.py", "symbol": "a.py::f"}, {"file": "b.py"}]},
        ),
        ({"anchors": ['{"file":"a.py"}']}, {"anchors": [{"file": "a.py"}]}),
        ({"anchors": "[id].ts::load"}, {"anchors": [{"file": "[id].ts", "symbol": "[id].ts::load"}]}),
    ],
)
def test_a_value_in_another_form_is_read(sent: Mapping[str, object], read: Mapping[str, object]) -> None:
    assert check(ROWS, sent) == {"count": 20, "force": False, "kinds": [], **read}


@pytest.mark.parametrize(
    ("sent", "message", "hint"),
    [
        ({"bodyy": "x"}, 'unknown argument "bodyy", did you mean body?', "arguments of remember: body, count"),
        ({"evidence": {"comand": "x"}}, 'unknown argument "comand", did you mean command?', "evidence: command"),
        ({"Force": True}, 'unknown argument "Force", did you mean force?', "arguments"),
        ({"zzz": 1}, 'unknown argument "zzz"', "arguments"),
        ({"count": 501}, "count is 501, out of range", "1 to 500"),
        ({"count": "0"}, "count is 0, out of range", "1 to 500"),
        ({"count": 1.5}, "count cannot be read", "a whole number, 1 to 500"),
        ({"count": True}, "count cannot be read", "a whole number"),
        ({"count": "1_0"}, "count cannot be read", "a whole number"),
        ({"count": "9" * 5000}, "count cannot be read", "a whole number"),
        ({"share": float("nan")}, "share cannot be read", "a number"),
        ({"share": "inf"}, "share is inf, out of range", "0 to 1"),
        ({"count": float("inf")}, "count cannot be read", "a whole number"),
        ({"body": ""}, "body has 0 bytes", "1 to 10 bytes"),
        ({"body": "ééééééé"}, "body has 14 bytes", "1 to 10 bytes"),
        ({"body": 7}, "body cannot be read", "a text"),
        ({"body": "\ud800"}, "body is not valid Unicode", "UTF-8"),
        ({"force": "perhaps"}, "force cannot be read", "true or false"),
        ({"kinds": ["fatc"]}, 'kinds[0] cannot be "fatc", did you mean fact?', "fact, decision"),
        ({"kinds": 5}, "kinds cannot be read", "a list of texts"),
        ({"evidence": "make"}, "evidence cannot be read", "an object {command, exit_code?}"),
        ({"evidence": {}}, "command is missing", "evidence needs command"),
        ({"anchors": 7}, "anchors cannot be read", '"path::symbol"'),
        ({"anchors": [7]}, "anchors[0] cannot be read", '"path::symbol"'),
        ({"anchors": ["a"] * 65}, "anchors has 65 elements", "at most 64"),
        ({"anchors": "[" * 50_000}, "file", ""),
    ],
)
def test_a_value_that_cannot_be_read_is_refused_with_what_would_be_right(
    sent: Mapping[str, object], message: str, hint: str
) -> None:
    if sent == {"anchors": "[" * 50_000}:
        assert check(ROWS, sent)["anchors"] == [{"file": "[" * 50_000}]  # a path as any other, refused at its own gate
        return
    with pytest.raises(UsageError) as caught:
        check(ROWS, sent, "remember")
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_an_unknown_key_has_its_own_code() -> None:
    with pytest.raises(UnknownArgument) as caught:
        check(ROWS, {"taks": "x"}, "recall")
    assert caught.value.code == "unknown_argument"


def test_a_broken_object_is_no_file_name() -> None:
    for broken in ('{"file": "a.py"', '[{"file": "a.py"', '["a.py::f",', '[ "a.py" "b.py"]', ['{"file": "a.py"']):
        with pytest.raises(UsageError) as caught:
            check((ANCHORS,), {"anchors": broken})
        assert "cannot be read" in caught.value.message
        assert '"path::symbol"' in caught.value.hint
    with pytest.raises(UsageError, match="kinds cannot be read"):
        check(ROWS, {"kinds": '["fact'})
    read = check((ANCHORS,), {"anchors": ["{slug}.py"]})["anchors"]
    assert read == [{"file": "{slug}.py"}]


def test_a_long_unknown_key_is_shown_short() -> None:
    with pytest.raises(UnknownArgument) as caught:
        check(ROWS, {"k\n" * 500: 1})
    assert len(caught.value.message) < 120
    assert "\n" not in caught.value.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([row.name for row in ROWS]), JSON))
def test_any_value_is_read_or_refused_and_what_is_read_reads_the_same_again(sent: dict[str, object]) -> None:
    try:
        read = check(ROWS, sent)
    except UsageError as error:
        refusal = error.message
    else:
        assert check(ROWS, read) == read
        return
    assert refusal.isprintable()


@given(st.text(), st.text())
def test_a_short_anchor_splits_at_its_first_colons_and_names_a_symbol(path: str, symbol: str) -> None:
    path = path.replace(":", "")
    if not symbol.strip():
        with pytest.raises(UsageError):
            short_anchor(f"{path}::{symbol}")
        return
    assert short_anchor(f"{path}::{symbol}") == {"file": path, "symbol": f"{path}::{symbol}"}


def test_a_schema_says_no_more_than_it_must() -> None:
    rows = (Param("a", "integer", "how many", low=1, high=5, needed=True), Param("b", "strings", choices=("x",)))
    assert schema(rows) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 5, "description": "how many"},
            "b": {"type": "array", "items": {"type": "string", "enum": ["x"]}},
        },
        "required": ["a"],
    }
    assert "enum" not in json.dumps(schema((Param("c", "strings", choices=("x",), terse=True),)))
