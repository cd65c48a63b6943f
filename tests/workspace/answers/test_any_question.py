"""Questions, working sets, budgets and stores of any shape: always an answer within the budget."""

from collections.abc import Iterator

import pytest

from anchormem.errors import Duplicate
from anchormem.model import Evidence, Memory, Reply
from anchormem.reason.envelope import compact
from anchormem.store import memories
from anchormem.text.tokens import estimate
from anchormem.workspace import ids
from anchormem.workspace.binding import bind
from anchormem.workspace.session import close
from workspace.answers.desk import QUEUE, USE, Desk, part, record, records, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
CROWD, ANCHORS = 300, 10
HOSTILE = "isn't re-try v1.9 lib/queue.py \"open NEAR( * ABC-12 ^"


def size(reply: Reply) -> int:
    return estimate(compact({"data": reply.data, "meta": reply.meta}))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Three hundred memories with ten anchors and a proof each, and one as long as may be."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ANCHORMEM_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        desk = Desk(tmp_path_factory.mktemp("crowded"), lambda *_: "")
        desk.write("lib/queue.py", QUEUE)
        desk.write("lib/use.py", USE)
        for number in range(ANCHORS):
            desk.write(
                f"jobs/a_job_of_the_night_shift_{number}.py", f"def run_by_night_{number}():\n    return {number}\n"
            )
        desk.admin("index")
        fill(desk)
        yield desk
        close(desk.ws)


def fill(desk: Desk) -> None:
    places = [f"jobs/a_job_of_the_night_shift_{number}.py::run_by_night_{number}" for number in range(ANCHORS)]
    anchors = bind(desk.ws, places)
    now = desk.ws.now()
    proof = Evidence(f"pytest -q tests/{'night/' * 30}test_jobs.py", "9 passed", b"0123456789abcdef", 0, now)
    with desk.ws.store.writing():
        for number in range(CROWD):
            body = f"night job {number} asks the scheduler for {number + 40} leases, and gives them back by dawn"
            made = Memory(ids.new_id(), "fact", body, "verified", 0.95, now, now, evidence=proof, anchors=anchors)
            memories.insert(desk.ws.store, made)
        long = "The archive keeps ledgers of every zeppelin that moored. " * 1_140
        memories.insert(
            desk.ws.store, Memory("zeppe11nxx", "fact", long, "explicit", 0.8, now, now, anchors=anchors[:1])
        )


@pytest.mark.parametrize("budget", [256, 500, 1_200, 20_000])
def test_a_crowd_with_many_anchors_each_fits_any_budget_and_what_is_left_out_is_said(
    crowded: Desk, budget: int
) -> None:
    reply = crowded.recall("how many leases does a night job ask of the scheduler", budget_tokens=budget)
    told = part(reply.meta, "completeness")
    assert size(reply) <= budget
    assert told["matched"] == CROWD + 1  # the long one has its code in the night shift, too
    assert 0 < len(records(reply)) == int(str(told["returned"])) < CROWD
    assert told["omitted_reason"] == "budget"


def test_a_body_of_64_kilobytes_is_cut_at_a_sentence_for_a_task_and_read_whole_in_pages(crowded: Desk) -> None:
    for budget in (256, 20_000):
        reply = crowded.recall("zeppelin ledgers", budget_tokens=budget)
        assert size(reply) <= budget
        (item,) = records(reply)
        assert str(item["body"]).rstrip("…").rstrip().endswith(".") or budget == 256
        assert item.get("truncated", False) is (budget < 17_000)
    read, offset = "", 0
    while True:
        item = crowded.whole("zeppe11nxx", budget_tokens=9_000, offset=offset)
        read += str(item["body"])
        if "next_offset" not in item:
            break
        offset = int(str(item["next_offset"]))
    assert read.count("zeppelin") == 1_140


@pytest.mark.parametrize(
    "task",
    [
        "",
        "   ",
        "the of and is",
        HOSTILE,
        '"leases" OR body:leases* NEAR(a b, 2) -x {y} ^z (((',
        "a\0b",
        "🦑🚀 👩‍👩‍👧",
        "ما هو حجم الدفعة \u202e",
        "\ud800 \udfff",
        "x" * 10_000,
        "scheduler gives leases back by dawn " * 1_000,
        " ".join(f"word{number}" for number in range(5_000)),
        "夜間" * 3_000,
    ],
    ids=lambda task: ascii(task[:12]),
)
def test_any_question_is_answered_within_its_budget(crowded: Desk, task: str) -> None:
    reply = crowded.recall(task, budget_tokens=300)
    assert size(reply) <= 300
    assert part(reply.meta, "completeness")["returned"] == len(records(reply))
    if task.startswith("scheduler"):
        assert records(reply)


def test_the_words_of_a_hostile_question_are_matched_as_words(desk: Desk) -> None:
    known = desk.know("seed must not re-try v1.9 archives such as ABC-12", SEED)
    assert [item["id"] for item in desk.found(HOSTILE)] == [known]
    assert desk.found('ABC-12" OR 1=1 --')[0]["id"] == known


@pytest.mark.parametrize(
    "paths", [["no/such.py"] * 1_000, [f"gone/{n}.py" for n in range(1_000)], ["/etc/passwd", "", "\0"]]
)
def test_a_working_set_of_missing_or_too_many_files_costs_a_warning_and_no_answer(
    crowded: Desk, paths: list[str]
) -> None:
    reply = crowded.recall("leases of a night job", working_set=[*paths, "lib/use.py"], budget_tokens=600)
    assert size(reply) <= 600
    assert records(reply)
    assert "working_set: ignored" in str(reply.meta["warnings"])


def test_names_are_found_by_the_words_they_are_made_of(desk: Desk) -> None:
    known = desk.know("getUserById answers from the cache that batch_size rows are kept in", SEED)
    for task in ("user by id", "batch size", "getuserbyid", "get_user_by_id", "batchSize", "UserById"):
        assert [item["id"] for item in desk.found(task)] == [known], task


def test_another_figure_is_a_conflict_when_written_and_when_recalled(desk: Desk) -> None:
    old = desk.know("batch size is 50", BATCH)
    answer = record(desk.remember("batch size is 100", BATCH))
    assert [(one["id"], one["hint"]) for one in rows(answer, "possible_conflicts")] == [(old, "100 against 50")]
    flags = {item["id"]: item["flags"] for item in desk.found("batch size")}
    assert flags == {old: [f"contradicted-by:{answer['id']}"], answer["id"]: [f"contradicted-by:{old}"]}


WORDINGS = (
    "the batch size is 50 rows at most",
    "batch size is at most 50 rows",
    "at most 50 rows is the batch size",
    "the size of a batch is 50 rows at most",
    "a batch size is 50 rows, at most",
)


def test_the_same_fact_in_other_wordings_is_refused_and_takes_one_entry_where_it_is_forced(desk: Desk) -> None:
    first = desk.know(WORDINGS[0], BATCH)
    for body in WORDINGS[1:]:
        with pytest.raises(Duplicate, match=first):
            desk.know(body, BATCH)
    forced = {desk.know(body, BATCH, force=True) for body in WORDINGS[1:]}
    (item,) = desk.found("what is the batch size")
    also = item["also"]
    assert isinstance(also, list)
    assert {item["id"], *also} == {first, *forced}


def test_a_memory_asked_for_by_id_names_what_contradicts_it_however_many_came_after(crowded: Desk) -> None:
    (anchor,) = bind(crowded.ws, ["jobs/a_job_of_the_night_shift_3.py::run_by_night_3"])
    with crowded.ws.store.writing():
        for name, rows_kept in (("r0wzkept01", 70), ("r0wzkept02", 90)):
            body = f"the spool keeps {rows_kept} rows in memory"
            memories.insert(crowded.ws.store, Memory(name, "fact", body, "explicit", 0.8, 1, 1, anchors=(anchor,)))
    assert crowded.whole("r0wzkept01")["flags"] == ["contradicted-by:r0wzkept02"]
    for name in ("r0wzkept01", "r0wzkept02"):
        crowded.admin("forget", ids=[name])
