"""One tokeniser for writing and asking: whatever was written is found by its words, any text is a valid question."""

import sqlite3
import time
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from anchormem.text.terms import MAX_QUERY_TERMS, found, fts_expression, groups, significant, surface, terms

HOSTILE = "isn't re-try v1.9 lib/x.py \"open NEAR( * ABC-12 ^"


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE bodies USING fts5(body)")
    yield connection
    connection.close()


def hits(connection: sqlite3.Connection, written: str, asked: str) -> bool:
    connection.execute("DELETE FROM bodies")
    connection.execute("INSERT INTO bodies VALUES (?)", (" ".join(terms(written)),))
    expression = fts_expression(significant(asked))
    if not expression:
        return False
    rows = connection.execute("SELECT 1 FROM bodies WHERE bodies MATCH ?", (expression,)).fetchall()
    return len(rows) == 1


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("`getUserById` looks in the cache", "user by id"),
        ("`getUserById` looks in the cache", "get_user_by_id"),
        ("`batch_size` is 50", "batch size"),
        ("`batch_size` is 50", "batchSize"),
        ("`batch_size` is 50", "BATCH-SIZE"),
        ("`batch_size` is 50", "batchsize"),
        ("the batch size is 50", "batch_size"),
        ("retries are capped", "how do we retry?"),
        ("re-try after a second", "retrying"),
        ("see src/store/scan_queue.py", "scanQueue"),
        ("see src/store/scan_queue.py", "store/scan_queue.py"),
        ("HTTPServer2 listens", "http server"),
        ("needs version 1.9", "v1.9"),
        ("config.load.path is read once", "load"),
        ("limit is 20,000 rows", "20000"),
        ("café naïve", "CAFE"),
        ("Straße", "strasse"),
        ("ﬁle \uff21\uff22\uff23", "file abc"),
        ("批量大小是50", "怎么修改批量大小"),
        ("批量大小是50", "批"),
        ("批量大小是50", "小"),
        ("调用getUserById失败", "user by id"),
        ("调用getUserById失败", "失败"),
        ("バッチサイズを変更する", "バッチ"),
        ("배치 크기는 50", "크기"),
        ("размер пакета", "Размер"),
        ("גודל האצווה", "האצווה"),
        ("हिन्दी पाठ", "हिन्दी"),
        ("zero\u200bwidth", "zerowidth"),
        ("to be or not to be", "to be"),
    ],
)
def test_what_was_written_is_found(table: sqlite3.Connection, written: str, asked: str) -> None:
    assert hits(table, written, asked)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("the batch size is 50", "what is the timeout of this"),
        ("needs release 19", "release1.9"),
        ("批量大小是50", "数据库连接"),
        ("the lock is held while writing", "how is the cache invalidated"),
        ("什么都没有", "为什么超时"),
    ],
)
def test_words_that_only_build_sentences_find_nothing(table: sqlite3.Connection, written: str, asked: str) -> None:
    assert hits(table, written, asked) == (asked == "release1.9")
    assert "19" not in significant(asked)


def test_stop_words_count_when_there_is_nothing_else() -> None:
    assert significant("the of and") == ["the", "of", "and"]
    assert significant("the batch") == ["batch"]


def test_the_hostile_example_is_words_only(table: sqlite3.Connection) -> None:
    assert hits(table, "open the ABC-12 ticket", HOSTILE)
    assert hits(table, "lib/x.py retries", HOSTILE)


@pytest.mark.parametrize("nothing", ["", " \n\t", "\0", "\ud800\udfff", "* ^ ( ) : - \" '", "🚀🎉"])
def test_a_text_without_words_gives_no_expression(nothing: str) -> None:
    assert terms(nothing) == []
    assert fts_expression(significant(nothing)) == ""


def test_an_identifier_keeps_its_whole_and_its_parts_in_one_group() -> None:
    assert groups("where is getUserById") == [("getuserbyid", "user", "id")]
    assert groups("path::Name v1.9") == [("pathnam", "path", "name"), ("v1point9", "v", "1point9")]


@pytest.mark.parametrize(
    "piece",
    ["a.b", "aB", "字", "_", "a'", "::", "1,000", "1,", "word ", "\0", "\ud800", "é", "x", "a-", "🚀", "\u0301", "ﷺ"],
)
def test_ten_kilobytes_of_anything_are_fast_and_bounded(table: sqlite3.Connection, piece: str) -> None:
    text = piece * (10_240 // len(piece))
    began = time.process_time()
    asked = significant(text)
    surface(text)
    assert len(asked) <= MAX_QUERY_TERMS
    hits(table, text[:500], text)
    assert time.process_time() - began < 0.5


def test_the_largest_body_is_read_in_time() -> None:
    began = time.process_time()
    for piece in ("ab_c.", "字", "'_", "aB3-"):
        terms(piece * (65_536 // len(piece)))
    assert time.process_time() - began < 2


def test_a_query_of_many_distinct_words_is_bounded(table: sqlite3.Connection) -> None:
    text = " ".join(f"word{number}x" for number in range(5000))
    assert 0 < len(significant(text)) <= MAX_QUERY_TERMS
    assert hits(table, "word3x", text)


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet=st.characters() | st.sampled_from("\"'*^():-.{}+ NEAR AND OR NOT _字aZ0"), max_size=60))
@example(HOSTILE)
@example("\0")
@example("\ud800")
@example('a" OR "b')
@example("NOT")
@example("body : x")
def test_any_text_is_a_valid_question(table: sqlite3.Connection, text: str) -> None:
    hits(table, text, text)
    table.execute("SELECT 1 FROM bodies WHERE bodies MATCH ?", (fts_expression([text]) or '""',)).fetchall()


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs"]), max_size=40))
def test_every_text_with_words_finds_itself(table: sqlite3.Connection, text: str) -> None:
    assert hits(table, text, text) == bool(significant(text))


@pytest.mark.parametrize(
    ("task", "text", "matched"),
    [
        ("What is the batch size of the upload queue?", "upload in a batch", "batch upload"),
        ("user by id", "getUserById", "user id"),
        ("how are getUserById and cache related", "the cache of getUserById", "getUserById cache"),
        ("one two three four", "two three four five", "two three four"),
        ("Batches", "batch", ""),
        ("如何修改批量大小", "批量大小是50", "批量大小"),
        ("", "batch", ""),
    ],
)
def test_matched_holds_up_to_three_words_found_verbatim_in_task_order(task: str, text: str, matched: str) -> None:
    assert found(surface(task), text) == matched
