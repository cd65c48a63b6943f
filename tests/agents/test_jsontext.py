"""One value into JSON text and out again: the meaning is as asked, and every other byte is as it was."""

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.agents import jsontext
from anchormem.errors import Refused

KEYS = st.text(st.characters(codec="utf-8"), max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
LAYOUTS = st.sampled_from([None, 2, 4, "\t"])
LINES = st.sampled_from(["\n", "\r\n"])
ENTRY = {"command": "/a b/anchormem", "args": ["serve"]}


def laid_out(found: object, layout: int | str | None, *, line: str) -> str:
    text = json.dumps(found, indent=layout, ensure_ascii=False) + "\n"
    return text.replace("\n", line)


@given(OBJECTS, LAYOUTS, LINES, st.lists(KEYS, min_size=1, max_size=3))
def test_what_is_put_is_there_and_nothing_else_changed(
    found: dict[str, object], layout: int | str | None, line: str, path: list[str]
) -> None:
    text = laid_out(found, layout, line=line)
    wanted = json.loads(json.dumps(found))
    at = wanted
    for key in path[:-1]:
        if not isinstance(at.setdefault(key, {}), dict):
            return  # something else stands there
        at = at[key]
    at[path[-1]] = ENTRY
    made = jsontext.put(text, path, ENTRY)
    assert json.loads(made) == wanted
    assert list(json.loads(made)) == list(wanted)


@given(OBJECTS, LAYOUTS, LINES, KEYS)
def test_putting_and_dropping_leaves_every_byte(
    found: dict[str, object], layout: int | str | None, line: str, key: str
) -> None:
    others = {name: value for name, value in found.items() if name != key}
    for text in (laid_out(others, layout, line=line), laid_out({"outer": others or {"a": 1}}, layout, line=line)):
        path = ("outer", key) if text.startswith(('{"outer', "{\n", "{\r\n")) and '"outer"' in text[:16] else (key,)
        if not others and path == (key,):
            continue
        assert jsontext.drop(jsontext.put(text, path, ENTRY), path) == text


@given(OBJECTS, LAYOUTS, st.data())
def test_dropping_any_key_drops_just_that(
    found: dict[str, object], layout: int | str | None, data: st.DataObject
) -> None:
    if not found:
        return
    key = data.draw(st.sampled_from(sorted(found)))
    text = laid_out(found, layout, line="\n")
    made = json.loads(jsontext.drop(text, (key,)))
    assert made == {name: value for name, value in json.loads(text).items() if name != key}
    assert list(made) == [name for name in found if name != key]


@given(st.lists(VALUES, max_size=4), LAYOUTS)
def test_a_list_is_appended_to_and_taken_from(found: list[object], layout: int | str | None) -> None:
    text = laid_out({"hooks": {"a": found}, "z": 1}, layout, line="\n")
    made = jsontext.put(text, ("hooks", "a", len(found)), ENTRY)
    assert json.loads(made) == {"hooks": {"a": [*found, ENTRY]}, "z": 1}
    if found:
        assert jsontext.drop(made, ("hooks", "a", len(found))) == text
    else:
        assert json.loads(jsontext.drop(made, ("hooks", "a", 0))) == {"z": 1}


COMMENTED = """\
// of the user
{
    // first
    "servers": {
        "one": {"command": "x"}, // the first one
        /* a "block" } */
        "two": {"command": "y"}, // with a comma at the end
        // and a last word
    },
    "url": "https://example.com/*no comment*/", // [ {
}
"""


def test_comments_and_commas_at_the_end_stay_where_they_are() -> None:
    made = jsontext.put(COMMENTED, ("servers", "anchormem"), ENTRY)
    meant = jsontext.parsed(made, comments=True)
    assert meant["servers"] == {"one": {"command": "x"}, "two": {"command": "y"}, "anchormem": ENTRY}
    assert meant["url"] == "https://example.com/*no comment*/"
    for line in COMMENTED.splitlines():
        assert line in made.splitlines()
    assert jsontext.drop(made, ("servers", "anchormem")) == COMMENTED


def test_without_a_comma_at_the_end_one_is_put_before_the_comment() -> None:
    text = '{\n  "a": 1 // one\n}\n'
    made = jsontext.put(text, ("b",), 2)
    assert made == '{\n  "a": 1, // one\n  "b": 2\n}\n'
    assert jsontext.drop(made, ("b",)) == text


def test_a_new_object_takes_the_indentation_of_its_surroundings() -> None:
    text = '{\r\n\t"a": {}\r\n}'
    assert jsontext.put(text, ("a", "b", "c"), [1]) == (
        '{\r\n\t"a": {\r\n\t\t"b": {\r\n\t\t\t"c": [\r\n\t\t\t\t1\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}'
    )


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "\ufeff{}\n"])
def test_an_empty_file_becomes_an_object(text: str) -> None:
    made = jsontext.put(text, ("a",), 1)
    assert jsontext.parsed(made) == {"a": 1}
    assert made.startswith("\ufeff") == text.startswith("\ufeff")


@pytest.mark.parametrize("text", ["{", "[]", "null", '{"a": 1,}', '{"a": // x\n1}', "x", '{"a":' * 100_000])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="JSON"):
        jsontext.parsed(text)


def test_something_else_in_the_way_is_refused_and_not_overwritten() -> None:
    for text in ('{"a": 5}', '{"a": "x{"}', '{"a": null}'):
        with pytest.raises(Refused):
            jsontext.put(text, ("a", "b"), 1)


def test_of_two_equal_keys_the_last_counts_as_for_every_reader() -> None:
    text = '{"a": {"x": 1}, "a": {"y": 2}}'
    assert cast("dict[str, object]", json.loads(jsontext.put(text, ("a", "z"), 3)))["a"] == {"y": 2, "z": 3}
