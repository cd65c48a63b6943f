"""A correction is a conflict and never a copy; the same fact in other wordings is one."""

import time
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.reason.similar import (
    NEAR_COPY,
    _unlike,
    clusters,
    conflict,
    conflicts,
    duplicates,
    gist,
    near_copy,
    near_identical,
    opposed,
    overlap,
)

CORRECTIONS = [
    ("batch size is 50", "batch size is 100"),
    ("The batch size is 50 because SMTP limits it.", "The batch size was raised to 100 after the load test."),
    ("`batch_size` is 50", "The batch size is one hundred and 100"),
    ("Retries are capped at 3 attempts with a delay of 5 s", "Retries are capped at 5 attempts with a delay of 5 s"),
    ("The timeout is 30 seconds", "The timeout is 30 minutes"),
    ("Uploads above 5 MB are refused", "Uploads above 5 GB are refused"),
    ("Needs Python 3.11 or newer", "Needs Python 3.12 or newer"),
    ("Pinned to v1.9", "Pinned to v2.0"),
    ("It retries three times", "It retries five times"),
    ("The threshold is -1", "The threshold is 1"),
    ("Quota resets after 24 hours", "Quota resets after 12 hours. Nothing else changed."),
    ("The queue uses mysql", "The queue uses postgres"),
    ("We use MySQL", "We use Postgres"),
    ("Sessions live in Redis", "Sessions live in Memcached"),
    ("The default of strict is true", "The default of strict is false"),
    ("Strict mode is enabled", "Strict mode is disabled"),
    ("The client is sync", "The client is async"),
    ("Hooks run before the commit", "Hooks run after the commit"),
    ("Results come in ascending order", "Results come in descending order"),
    ("The job runs on Monday", "The job runs on Friday"),
    ("The cache is thread safe", "The cache is not thread safe"),
    ("Call flush before close", "Never call flush before close"),
    ("Errors are retried", "Errors aren't retried"),
    ("save calls `parse_user` first", "save calls `parse_order` first"),
    ("The owner of the lock is the worker process itself", "The owner of the lock is the scheduler process itself"),
    ("Config comes from app.yaml at start", "Config comes from app.toml at start"),
    ("Prices are in EUR everywhere", "Prices are in USD everywhere"),
    ('The mode must be "strict"', 'The mode must be "lenient"'),
    ("批量大小是50", "批量大小是100"),
    ("重试三次后放弃", "重试五次后放弃"),
    ("超时是30秒", "超时是30分钟"),
    ("队列使用MySQL存储", "队列使用Postgres存储"),
    ("缓存默认启用", "缓存默认禁用"),
    ("这个接口是线程安全的", "这个接口不是线程安全的"),
    ("客户端是同步的", "客户端是异步的"),
    ("任务由队列进程负责调度执行", "任务由缓存进程负责调度执行"),
    ("バッチサイズは50です", "バッチサイズは100です"),
    ("キャッシュは有効です", "キャッシュは無効です"),
    ("배치 크기는 50", "배치 크기는 100"),
]


@pytest.mark.parametrize(("known", "corrected"), CORRECTIONS)
def test_a_correction_is_a_conflict_and_never_a_copy(known: str, corrected: str) -> None:
    for one, other in ((known, corrected), (corrected, known)):
        assert conflict(gist(one), gist(other)), (one, other)
        assert not near_copy(gist(one), gist(other))
        assert near_identical(other, {"known": one}) is None
        assert duplicates(other, {"known": one}) == ()


WORDINGS = [
    [
        "The batch size is 50.",
        "Batch size: 50",
        "`batch_size` is set to 50",
        "We use a batch size of 50",
        "the size of a batch is 50 items",
    ],
    [
        "Uploads are retried 3 times.",
        "We retry uploads three times",
        "upload retries: 3",
        "An upload is retried 3 times",
        "Retry each upload 3 times",
    ],
    ["The timeout is 60 seconds", "timeout: 60s", "Timeout = 1 min", "The timeout is 60 s."],
    ["Errors are thrown by the parser when input is empty", "Errors are raised by the parser when the input is empty"],
    ["Never call flush before close.", "never call `flush` before `close`"],
    ["批量大小是50", "批量大小为 50", "批量大小\uff1a50"],
    ["重试3次后放弃", "重试三次后放弃"],
]


@pytest.mark.parametrize("wordings", WORDINGS, ids=lambda wordings: wordings[0])
def test_the_same_fact_in_other_wordings_is_a_near_copy(wordings: list[str]) -> None:
    for one, other in permutations(wordings, 2):
        assert near_copy(gist(one), gist(other)), (one, other)
        assert not conflict(gist(one), gist(other))
        assert near_identical(other, {"known": one}) == "known"


DIFFERENT = [
    ("Retry delay is 5 seconds", "The retry queue lives in Redis and is drained hourly"),
    ("The parser handles comments in nested blocks", "The parser was chosen for speed, not for its error messages"),
    ("Uploads are limited to 5 MB", "Downloads stream in chunks and have no limit"),
    ("batch size is 50", "batch size is 50 because the SMTP relay drops longer connections without a word"),
    ("批量大小是50", "数据库连接在启动时建立"),
    ("", "batch size is 50"),
    ("50", "batch size is 50"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_facts_are_neither_copies_nor_conflicts(one: str, other: str) -> None:
    assert not near_copy(gist(one), gist(other))
    assert not conflict(gist(one), gist(other))


def test_a_rewritten_note_is_a_near_copy() -> None:
    note = (
        "The importer walks the folder twice: first it counts the files to show progress, then it parses each of them. "
        "Files above the size limit are skipped and reported at the end, because parsing them blocks the worker."
    )
    rewritten = (
        "The importer walks the folder twice. First it counts files to show some progress, then it parses each one. "
        "Files above the size limit get skipped and reported at the end, since parsing these blocks the worker."
    )
    assert near_identical(rewritten, {"note": note}) == "note"


def test_a_conflict_hidden_in_a_long_body_is_found() -> None:
    known = "The queue is drained by one worker. The batch size is 50. Failures go to the dead letter table."
    corrected = "The queue is drained by one worker. The batch size is 100. Failures go to the dead letter table."
    (found,) = conflicts(corrected, {"known": known, "other": "Logs rotate at midnight."})
    assert (found.other, found.hint) == ("known", "100 against 50")
    assert near_identical(corrected, {"known": known}) is None


def test_the_nearest_copy_is_named() -> None:
    others = {"b": "The batch size is 50 items", "a": "Batch size is 50", "c": "Logs rotate at midnight"}
    assert near_identical("batch size is 50", others) == "a"
    assert duplicates("batch size is 50", others) == ("a", "b")


def test_only_memories_of_one_place_oppose_each_other_and_on_both_sides() -> None:
    bodies = {"a": "batch size is 50", "b": "batch size is 100", "c": "batch size is 200", "d": "logs rotate daily"}
    places = {"a": ["q.py::run"], "b": ["q.py::run"], "c": ["other.py::run"], "d": ["q.py::run"]}
    assert opposed(bodies, places) == {"a": ("b",), "b": ("a",)}


def test_values_of_different_subjects_do_not_surely_oppose_each_other() -> None:
    place = {name: ["q.py::run"] for name in "abcdef"}
    bodies = {
        "a": "The upload batch size is 50",
        "b": "The download batch size is 100",
        "c": "Retry delay is 5 seconds",
        "d": "Retry limit is 3 attempts",
        "e": "The lock is held while writing",
        "f": "The lock is not fair, so readers starve while writing continues",
    }
    assert opposed(bodies, place) == {}


def test_clusters_share_a_place_and_words() -> None:
    bodies = {
        "a": "The queue retries failed mails three times",
        "b": "Failed mails are retried by the queue three times",
        "c": "The queue retries failed mails three times",
        "d": "Prices are rounded half to even",
    }
    places = {"a": [1, 2], "b": [2], "c": [9], "d": [1, 2]}
    assert clusters(bodies, places) == (("a", "b"),)


bodies_ = st.text(
    alphabet=st.characters() | st.sampled_from("0123456789 不没是秒十一.`'\"。a b size not"), max_size=120
)


def test_a_body_of_several_sentences_does_not_contradict_itself() -> None:
    said = gist("port 0U\nport 0C")
    assert not conflict(said, said)


@settings(max_examples=150, deadline=None)
@given(bodies_, bodies_)
def test_likeness_is_symmetric_and_total(one: str, other: str) -> None:
    ours, theirs = gist(one), gist(other)
    assert near_copy(ours, theirs) == near_copy(theirs, ours)
    assert bool(conflict(ours, theirs)) == bool(conflict(theirs, ours))
    assert not (near_copy(ours, theirs) and conflict(ours, theirs))
    assert not conflict(ours, ours)


@pytest.mark.parametrize(
    "piece", ["word ", "1", "1 ", "一", "不", "`a` ", "a.B ", ". ", "'x' ", "1.", "\n", "A", "v1 "]
)
def test_the_largest_bodies_are_compared_in_time(piece: str) -> None:
    body = piece * (65_536 // len(piece))
    began = time.process_time()
    near_identical(body, {"known": body + "more"})
    conflicts(body, {"known": body + "more"})
    assert time.process_time() - began < 2


@given(one=st.text("abc ", max_size=40), other=st.text("abc ", max_size=40))
def test_what_is_ruled_out_at_a_look_is_no_near_copy_at_length(one: str, other: str) -> None:
    ours, theirs = gist(one), gist(other)
    if _unlike(ours.words, theirs.words):
        assert overlap(ours, theirs) < NEAR_COPY
