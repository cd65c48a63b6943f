"""Five hundred memories of which a hundred went stale: the queue, the clusters and the histories stay of use."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from anchormem.model import Anchor, Evidence, JsonObject, Memory, Reply
from anchormem.reason.envelope import compact
from anchormem.store import memories
from anchormem.text.tokens import estimate
from anchormem.workspace import ids, known, verify
from anchormem.workspace.binding import bind
from anchormem.workspace.freshness import refresh
from anchormem.workspace.opposition import noticed
from anchormem.workspace.present import item
from anchormem.workspace.session import close
from anchormem.workspace.shown import Shown
from anchormem.workspace.view import of_ids
from workspace.answers.desk import Desk, part, record, records, rows

FILES, EACH, EDITED = 10, 25, 2  # files, functions in each, files that are edited; two memories for each function
STALE = 2 * EACH * EDITED
TOPICS = ("retries", "rows", "seconds", "buffers", "workers", "shards", "tokens", "pages", "leases", "hops")
WHY = (
    "the gateway drops a connection that stays silent",
    "auditors want every refusal on paper",
    "a restart used to lose what was half done",
    "the vendor bills by the call since spring",
    "two regions write the same table at night",
)
MINUTE = 60_000
COPIES = {(4, 3): "{most} {topic} at most pass step {name}", (6, 8): "step {name}: at most {most} {topic} pass"}
AGAINST = {(3, 0): "step {name} lets at most {other} {topic} pass", (5, 7): "at most {other} {topic} pass step {name}"}


def most(file: int, function: int) -> int:
    return 100 + file * EACH + function


def topic(function: int) -> str:
    return TOPICS[function % len(TOPICS)]


def code(file: int, more: int = 0) -> str:
    """A module of steps, each with a limit of its own, raised by `more`."""
    return "\n\n".join(
        f"def step{file}_{number}(found, limit={most(file, number) + more}):\n"
        f"    kept = [one for one in found if one.{topic(number)} < limit]\n    return sorted(kept, key=len)\n"
        for number in range(EACH)
    )


def figure(file: int, function: int) -> str:
    return f"step {file}_{function} lets at most {most(file, function)} {topic(function)} pass"


def other(file: int, function: int) -> str:
    """The second memory on a function: a reason, and in a few places the first again, or what contradicts it."""
    pattern = COPIES.get((file, function)) or AGAINST.get((file, function))
    if pattern:
        wrong = most(file, function) + 1_000
        name = f"{file}_{function}"
        return pattern.format(most=most(file, function), other=wrong, topic=topic(function), name=name)
    return f"shortest first here because {WHY[function % len(WHY)]}"


@dataclass(frozen=True, slots=True)
class Store:
    """The ids by what they say: (file, function) of the figures, of the reasons, and of the proved among both."""

    desk: Desk
    figures: dict[tuple[int, int], str]
    reasons: dict[tuple[int, int], str]
    proved: frozenset[str]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Filled through the store in one transaction: five hundred calls of remember would take half a minute."""
    with pytest.MonkeyPatch.context() as environment:
        root = tmp_path_factory.mktemp("large")
        environment.setenv("ANCHORMEM_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        made = filled(Desk(root, lambda *_: ""))
        yield made
        close(made.desk.ws)


def filled(desk: Desk) -> Store:
    for file in range(FILES):
        desk.write(f"step{file}.py", code(file))
    desk.admin("index")
    places = [(file, number) for file in range(FILES) for number in range(EACH)]
    anchors = bind(desk.ws, [f"step{file}.py::step{file}_{number}" for file, number in places])
    figures, reasons, proved = dict[tuple[int, int], str](), dict[tuple[int, int], str](), set[str]()
    now = desk.ws.now()
    with desk.ws.store.writing():
        for at, (place, anchor) in enumerate(zip(places, anchors, strict=True)):
            when = now - (len(places) - at) * MINUTE
            for known, body in ((figures, figure(*place)), (reasons, other(*place))):
                is_proved = at % 5 == 0
                known[place] = stored(desk, body, anchor, when, is_proved=is_proved)
                proved |= {known[place]} if is_proved else set()
    refresh(desk.ws)
    for file in range(EDITED):
        desk.write(f"step{file}.py", code(file, 7))
    return Store(desk, figures, reasons, frozenset(proved))


def stored(desk: Desk, body: str, anchor: Anchor, at: int, *, is_proved: bool) -> str:
    name = ids.new_id()
    evidence = Evidence("pytest -q tests/test_steps.py", "9 passed", b"digest of it all", 0, at) if is_proved else None
    source = "verified" if is_proved else "explicit"
    made = Memory(name, "fact", body, source, 0.9, at, at, evidence=evidence, anchors=(anchor,))  # type: ignore[arg-type]
    memories.insert(desk.ws.store, made)
    return name


def size(reply: Reply) -> int:
    return estimate(compact({"data": reply.data, "meta": reply.meta}))


def whole_queue(large: Store) -> list[JsonObject]:
    return large.desk.queue(budget_tokens=20_000, limit=200)


@pytest.mark.parametrize("budget", [256, 1_000, 4_000])
def test_the_queue_counts_all_that_waits_within_its_budget(large: Store, budget: int) -> None:
    reply = verify.queue(large.desk.ws, {"budget_tokens": budget})
    assert size(reply) <= budget
    shown, told = records(reply), part(reply.meta, "completeness")
    assert (told["matched"], told["returned"]) == (STALE + len(AGAINST), len(shown))
    assert part(reply.meta, "staleness") == {"stale": STALE, "contradicted": 2 * len(AGAINST)}
    assert budget // 400 <= len(shown) <= 20
    assert [item["id"] for item in shown] == [item["id"] for item in whole_queue(large)[: len(shown)]]


def test_what_the_edit_contradicts_comes_first_and_then_what_has_a_proof(large: Store) -> None:
    waiting = whole_queue(large)
    stale, pairs = waiting[:STALE], waiting[STALE:]
    groups = [(item.get("touches", False), "command" in item) for item in stale]
    assert groups == sorted(groups, reverse=True)
    assert Counter(groups) == {(True, True): 10, (True, False): 40, (False, True): 10, (False, False): 40}
    edited = {place for place in large.figures if place[0] < EDITED}
    assert {item["id"] for item in stale[: STALE // 2]} == {large.figures[place] for place in edited}
    assert {item["id"] for item in stale[STALE // 2 :]} == {large.reasons[place] for place in edited}
    assert {item["id"] for item in stale if "command" in item} <= large.proved
    assert {frozenset((item["id"], part(item, "other")["id"])) for item in pairs} == {
        frozenset((large.figures[place], large.reasons[place])) for place in AGAINST
    }


def test_clusters_are_what_says_the_same_or_the_contrary_in_one_place_and_nothing_else(large: Store) -> None:
    clusters = records(large.desk.admin("consolidate"))
    members = [{str(item["id"]) for item in rows(cluster, "memories")} for cluster in clusters]
    planted = [{large.figures[place], large.reasons[place]} for place in (*COPIES, *AGAINST)]
    assert sorted(members, key=sorted) == sorted(planted, key=sorted)
    flagged = {item["id"] for cluster in clusters for item in rows(cluster, "memories") if "flags" in item}
    assert flagged == {held[place] for held in (large.figures, large.reasons) for place in AGAINST}


def test_a_crowd_in_one_place_is_one_cluster_of_a_few_lines(large: Store) -> None:
    desk = large.desk
    (anchor,) = bind(desk.ws, ["step9.py::step9_24"])
    with desk.ws.store.writing():
        crowd = [
            stored(desk, f"night job {n} asks step 9_24 for its hops", anchor, n, is_proved=False) for n in range(60)
        ]
    reply = desk.admin("consolidate")
    first = records(reply)[0]
    assert len(rows(first, "memories")) + int(str(first["more"])) == len(crowd)
    assert size(reply) < 3_000
    for name in crowd:
        desk.admin("forget", ids=[name])
    assert len(records(desk.admin("consolidate"))) == len(COPIES) + len(AGAINST)


def test_what_a_recall_reads_late_is_as_if_it_had_read_all(large: Store) -> None:
    ws = large.desk.ws
    fresh = refresh(ws)
    held = known.read(ws.store, None, fresh)
    best = known.bearings(ws.store, held, range(1, 2 * FILES * EACH + 1), fresh)
    read = Shown(ws.store, held, fresh, best)
    views = {one.candidate.id: read.view(at) for at, one in enumerate(best)}
    assert len(views) == 2 * FILES * EACH
    assert views == noticed(of_ids(ws.store, views, fresh).values())
    assert sum(view.contradicted for view in views.values()) == 2 * len(AGAINST)
    spare = [len(compact(item(read.view(at))).encode()) - read.least(at) for at in range(len(best))]
    assert min(spare) >= 0
    assert max(spare) < 250


def test_a_long_history_is_shown_from_its_end_and_any_of_it_comes_back(large: Store) -> None:
    desk, name = large.desk, large.figures[8, 8]
    first = figure(8, 8)
    for number in range(60):
        memory = memories.one(desk.ws.store, name)
        memories.replace(desk.ws.store, replace(memory, body=f"wording {number}"), "update", number + 1)
    answer = record(desk.admin("history", ids=[name]))
    assert (answer["earlier"], len(rows(answer, "history")), part(answer, "now")["body"]) == (10, 50, "wording 59")
    assert [rows(answer, "history")[at]["body"] for at in (0, -1)] == ["wording 9", "wording 58"]
    begin = record(desk.admin("history", ids=[name], offset=50))
    assert (begin["later"], [one["revision"] for one in rows(begin, "history")]) == (50, list(range(1, 11)))
    desk.admin("history", ids=[name], restore_revision=1)
    assert desk.whole(name)["body"] == first
    assert [one["before"] for one in rows(record(desk.admin("history", ids=[name], limit=1)), "history")] == ["restore"]
