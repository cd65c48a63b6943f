"""Calls side by side: a first index stops nobody, a cancelled call is not answered, progress is told."""

import json
import time
from pathlib import Path

import pytest

from server.wire import Json, Pipes


def send_call(pipes: Pipes, number: int, name: str, arguments: Json, progress: str = "") -> None:
    params: Json = {"name": name, "arguments": arguments}
    if progress:
        params["_meta"] = {"progressToken": progress}
    pipes.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def text_of(answer: Json) -> Json:
    result = answer["result"]
    assert isinstance(result, dict)
    value = json.loads(result["content"][0]["text"])
    assert isinstance(value, dict)
    return value


def test_what_is_remembered_is_recalled_and_goes_stale_with_the_code(served: Pipes, repository: Path) -> None:
    is_error, stored = served.call(
        "remember", kind="decision", body="drain sends at most 50 jobs at a time", anchors=["jobs.py::drain"]
    )
    assert not is_error, stored
    _, answer = served.call("recall", task="how many jobs does drain send")
    assert isinstance(answer["data"], list)
    assert "flags" not in answer["data"][0]
    (repository / "jobs.py").write_text("def drain(queue):\n    return queue[:200]\n", "utf-8")
    _, answer = served.call("recall", task="how many jobs does drain send")
    assert isinstance(answer["data"], list)
    assert answer["data"][0]["flags"][0].startswith("stale:")


def test_an_error_is_an_error_with_a_code_a_message_and_a_hint(shared: Pipes) -> None:
    is_error, answer = shared.call("remember", kind="fact", body="x", anchors=["nowhere.py::f"])
    assert is_error
    assert isinstance(answer["error"], dict)
    assert answer["error"].keys() == {"code", "message", "hint"}


@pytest.mark.parametrize(
    "anchors",
    [
        '[{"file": "jobs.py", "symbol": "drain"}]',
        '{"file": "jobs.py", "symbol": "drain"}',
        '["jobs.py::drain"]',
        "jobs.py::drain",
    ],
)
def test_arguments_that_a_client_wrote_as_text_are_taken_for_what_they_are(shared: Pipes, anchors: str) -> None:
    is_error, stored = shared.call("remember", kind="fact", body=f"said as {anchors}", anchors=anchors, force="true")
    assert not is_error, stored
    assert isinstance(stored["data"], dict)
    assert stored["data"]["anchors"] == ["jobs.py::drain"]
    is_error, answer = shared.call("recall", task="", ids=f'["{stored["data"]["id"]}"]', budget_tokens="500")
    assert not is_error, answer
    assert len(answer["data"]) == 1  # type: ignore[arg-type]  # a list


@pytest.mark.parametrize(
    ("wrong", "form"),
    [
        ({"anchors": '[{"file": "jobs.py"'}, '"path::symbol"'),
        ({"anchors": 7}, '"path::symbol"'),
        ({"budget_tokens": "much"}, "whole number"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_form_that_can(shared: Pipes, wrong: Json, form: str) -> None:
    tool = ("recall", {"task": "x"}) if "budget_tokens" in wrong else ("remember", {"kind": "fact", "body": "x"})
    is_error, answer = shared.call(tool[0], 20, **{**tool[1], **wrong})
    assert is_error
    error = answer["error"]
    assert isinstance(error, dict)
    assert form in f"{error['message']} {error.get('hint')}"


def test_nothing_found_is_no_error(shared: Pipes) -> None:
    is_error, answer = shared.call("recall", task="zebra migration")
    assert not is_error
    assert answer["data"] == []


def test_the_ledger_of_a_running_server_knows_its_own_session(served: Pipes) -> None:
    served.call("remember", kind="fact", body="drain sends at most 50 jobs at a time", anchors=["jobs.py::drain"])
    served.call("recall", task="how many jobs does drain send")
    _, answer = served.call("admin", op="ledger")
    data = answer["data"]
    assert isinstance(data, dict)
    assert data["session"]["recalls"] == data["all_time"]["recalls"] == 1


def test_what_no_call_names_is_indexed_in_the_background(shared: Pipes) -> None:
    end = time.monotonic() + 20
    stamps: object = None
    while time.monotonic() < end:
        data = shared.call("admin", op="status")[1]["data"]
        assert isinstance(data, dict)
        stamps = data["stamps"]
        if data["symbols"] == 2:
            return
        time.sleep(0.1)
    raise AssertionError(stamps)


def test_more_calls_than_can_wait_are_told_so(shared: Pipes) -> None:
    for number in range(200):
        send_call(shared, number, "recall", {"task": "jobs"})
    answers = [shared.receive(60) for _ in range(200)]
    assert {answer["id"] for answer in answers} == set(range(200))
    codes = {str(error.get("code")) for answer in answers if isinstance(error := text_of(answer).get("error"), dict)}
    assert codes <= {"busy"}


def test_calls_are_answered_while_a_first_index_runs(large: Path) -> None:
    with Pipes(large) as pipes:
        pipes.shake_hands()
        send_call(pipes, 1, "admin", {"op": "index"}, progress="t")
        for number in range(2, 10):
            name = ("recall", "map", "affected")[number % 3]
            arguments: Json = {"target": "p1/m1.py"} if name == "map" else {}
            send_call(pipes, number, name, arguments)
        seen: list[object] = []
        progressed = 0
        while len(seen) < 9:
            message = pipes.receive(60)
            if message.get("method") == "notifications/progress":
                progressed += 1
                continue
            seen.append(message["id"])
            assert "error" not in text_of(message), message
        assert seen[-1] == 1, "the index was the slowest"
        assert progressed > 0


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(large: Path) -> None:
    with Pipes(large) as pipes:
        pipes.shake_hands()
        send_call(pipes, 1, "admin", {"op": "index"})
        time.sleep(0.3)
        pipes.notify("notifications/cancelled", {"requestId": 1})
        began = time.monotonic()
        assert "result" in pipes.request("ping")
        is_error, answer = pipes.call("admin", op="status")
        assert not is_error, answer
        assert time.monotonic() - began < 5.0
        assert pipes.lines.empty()
