"""The six tools: their names, what they cost to list, and how their calls are checked."""

import json
from collections.abc import Mapping

import pytest

from anchormem.errors import UsageError
from anchormem.tools import INSTRUCTIONS, TOOLS
from anchormem.tools.arguments import Param, schema
from anchormem.tools.tool import Tool
from anchormem.workspace.admin import OPS

BY_NAME = {tool.name: tool for tool in TOOLS}
DESCRIPTION_CUT = 2048  # bytes; some clients cut descriptions and instructions there


def test_there_are_exactly_six_tools() -> None:
    assert [tool.name for tool in TOOLS] == ["recall", "remember", "map", "affected", "verify_queue", "admin"]


def test_reading_tools_say_so_and_writing_ones_do_not() -> None:
    assert [tool.name for tool in TOOLS if tool.read_only] == ["recall", "map", "affected", "verify_queue"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_description_begins_with_when_to_use_it(tool: Tool) -> None:
    assert tool.about.startswith("Use ")
    assert len(tool.about.encode()) < DESCRIPTION_CUT


def test_the_instructions_name_the_moments() -> None:
    for moment in ("recall before", "remember after", "map before", "affected before", "verify_queue when"):
        assert moment in INSTRUCTIONS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_schema_is_flat_and_portable(tool: Tool) -> None:
    text = json.dumps(schema(tool.params))
    assert "anyOf" not in text
    assert "oneOf" not in text
    assert all("type" in member for member in members(tool.params))


def members(params: tuple[Param, ...]) -> list[Mapping[str, object]]:
    properties = schema(params)["properties"]
    assert isinstance(properties, dict)
    return list(properties.values())


def test_every_operation_of_admin_can_be_called_with_what_it_takes() -> None:
    samples: dict[str, object] = {
        "ids": ["abc"],
        "command": "make test",
        "output": "ok",
        "anchors": ["a.py::f"],
        "target": "abd",
        "rel": "supports",
    }
    for op in OPS:
        given = {name: samples[name] for name in op.needs}
        assert BY_NAME["admin"].arguments({"op": op.name, **given})["op"] == op.name


def test_every_argument_of_an_operation_is_one_of_admin() -> None:
    known = {param.name for param in BY_NAME["admin"].params}
    assert {name for op in OPS for name in op.takes} <= known


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, "op is missing"),
        ({"op": ""}, "op is missing"),
        ({"op": "forgte", "id": "a"}, "did you mean forget?"),
        ({"op": "get"}, "admin get needs ids"),
        ({"op": "forget", "id": "a", "command": "x"}, "admin forget takes no command: that belongs to reverify"),
        ({"op": "forget", "id": "a", "limit": 3}, "that belongs to list, history, consolidate"),
        ({"op": "status", "full": True}, "admin status takes no full"),
        ({"op": "index", "progress": 1}, 'unknown argument "progress"'),
    ],
)
def test_admin_refuses_what_its_operation_does_not_take(sent: Mapping[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        BY_NAME["admin"].arguments(sent)
    assert message in caught.value.message


def test_admin_takes_one_id_or_several() -> None:
    admin = BY_NAME["admin"]
    assert admin.arguments({"op": "get", "id": "a"}) == {"op": "get", "ids": ["a"]}
    assert admin.arguments({"op": "get", "ids": "a"}) == {"op": "get", "ids": ["a"]}
    assert admin.arguments({"op": "get", "ids": ["a", "b"]}) == {"op": "get", "ids": ["a", "b"]}


def test_nobody_can_say_over_the_wire_that_a_person_speaks() -> None:
    with pytest.raises(UsageError):
        BY_NAME["remember"].arguments({"kind": "fact", "body": "x", "by": "human"})
