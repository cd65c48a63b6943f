"""Tokens of a definition and old texts under today's recipe."""

from anchormem.model import Symbol
from anchormem.syntax.facts import facts_of, raw_digest
from anchormem.syntax.spliced import body_under_current_recipe, old_tokens
from anchormem.syntax.tokens import symbol_tokens

SOURCE = b"""\
class Queue:
    def seed(self, limit=50):
        "Doc."
        return self.take(limit,)  # why
    def other(self): return 1
"""


def symbol(name: str, source: bytes = SOURCE, language: str = "python") -> Symbol:
    return next(found for found in facts_of(source, language).symbols if found.qualified == name)


def test_tokens_are_code_without_comments_documentation_and_noise() -> None:
    said = " ".join(symbol_tokens(SOURCE, "python", symbol("Queue.seed")))
    assert said == "def seed ( self , limit = 50 ) : return self . take ( limit )"


def test_tokens_of_a_file_are_all_of_it() -> None:
    assert symbol_tokens(b"a = 1  # x\nb = 'c'\n", "python", None) == ("a", "=", "1", "b", "=", '"c"')
    assert symbol_tokens(b"a b\n", None, None) == ("a", "b")


def test_one_declarator_of_several_has_the_shared_tokens() -> None:
    source = b"const a = 1, b = 2;"
    assert symbol_tokens(source, "javascript", symbol("b", source, "javascript")) == ("const", "b", "=", "2")


def test_raw_is_the_text_with_line_ends_folded() -> None:
    seed = symbol("Queue.seed")
    text = SOURCE[seed.start_byte : seed.end_byte]
    assert seed.raw == raw_digest(text) == raw_digest(text.replace(b"\n", b"\r\n"))


def test_old_text_in_its_place_gives_the_old_symbol() -> None:
    seed = symbol("Queue.seed")
    old = SOURCE[seed.start_byte : seed.end_byte].decode()
    edited = SOURCE.replace(b"limit=50", b"limit=200")
    there = body_under_current_recipe(edited, "python", symbol("Queue.seed", edited), old)
    assert there is not None
    assert there.body == seed.body
    assert "50" in old_tokens(edited, "python", symbol("Queue.seed", edited), old)


def test_old_text_under_its_old_name_is_found_in_its_place() -> None:
    seed = symbol("Queue.seed")
    old = SOURCE[seed.start_byte : seed.end_byte].decode()
    renamed = SOURCE.replace(b"def seed", b"def sow")
    there = body_under_current_recipe(renamed, "python", symbol("Queue.sow", renamed), old)
    assert there is not None
    assert there.body == seed.body == symbol("Queue.sow", renamed).body


def test_old_text_that_is_no_definition_gives_nothing() -> None:
    assert body_under_current_recipe(SOURCE, "python", symbol("Queue.seed"), "pass") is None
