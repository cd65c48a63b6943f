"""What a parser gets to read of a file that is not UTF-8."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.project.decoding import MAX_PARSE_BYTES, for_parsing, is_text

TEXT = "# π and é\nname = 'ü'\n"


def test_utf_8_is_left_alone() -> None:
    for text in (TEXT, "", "\ufeffa = 1\r\n"):
        assert for_parsing(text.encode()) == text.encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_is_enough(encoding: str) -> None:
    data = f"\ufeff{TEXT}".encode(encoding)
    assert is_text(data)
    assert for_parsing(data) == TEXT.encode()


@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        ("# -*- coding: latin-1 -*-", "latin-1"),
        ("# coding=cp1252", "cp1252"),
        ("#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :", "iso-8859-15"),
        ("# encoding: windows-1252", "cp1252"),
        ("// -*- mode: c++; coding: iso-8859-1-unix -*-", "latin-1"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1"),
        ('@charset "iso-8859-1";', "latin-1"),
        ("<html>\n<head>\n<meta charset=iso-8859-1>", "latin-1"),
        ("<?php\n\ndeclare(encoding='ISO-8859-1');", "latin-1"),
        ("# coding: euc-jp", "euc-jp"),
        ("# coding: shift_jis", "shift_jis"),
        ("# coding: koi8-r", "koi8-r"),
        ("# coding: gb2312", "gb2312"),
    ],
)
def test_a_declared_encoding_is_decoded(line: str, encoding: str) -> None:
    word = {"euc-jp": "日本", "shift_jis": "日本", "koi8-r": "мир", "gb2312": "中国"}.get(encoding, "é")
    text = f"{line}\nname = '{word}'\n"
    assert for_parsing(text.encode(encoding)) == text.encode()


def test_a_vim_line_at_the_end_declares() -> None:
    text = "a = 'é'\n" * 50 + "# vim: set fenc=latin1 :\n"
    assert for_parsing(text.encode("latin-1")) == text.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"name = '\xe9'\n",
        b"# coding: nonsense\n'\xe9'\n",
        b"# coding: rot13\n'\xe9'\n",
        b"# coding: punycode\n'\xe9'\n",
        b"# coding: ascii\n'\xe9'\n",
        b"# coding: utf-8\n'\xe9'\n",
        b"a\n\n# coding: latin-1 too late\n'\xe9'\n",
        b"\x7fELF\0\0",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF16_LE + b"a\0\0\0",
        b"x" * (MAX_PARSE_BYTES + 1),
    ],
)
def test_what_is_not_clear_is_not_parsed(data: bytes) -> None:
    assert for_parsing(data) is None


def test_binary_is_told_by_gits_rule() -> None:
    assert is_text(b"abc")
    assert is_text(b"\xff\xe9")
    assert not is_text(b"ab\0c")
    assert is_text(b"x" * 8000 + b"\0")


@given(st.binary(max_size=200))
def test_any_bytes_have_an_answer_in_utf_8(data: bytes) -> None:
    answer = for_parsing(data)
    if answer is not None:
        answer.decode("utf-8")
