"""The scan for secrets: every rule strikes and lets pass as it should, split or whole, in linear time."""

import string
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.errors import SecretFound
from anchormem.text.secret_rules import RULES
from anchormem.text.secrets import _matches, _strikes, check, find
from text.secret_cases import FAMILIES, FLAGGED, MIXED, PASSES, Family, made


@pytest.mark.parametrize(("rule", "text"), FLAGGED)
def test_a_secret_is_found(rule: str, text: str) -> None:
    finding = find(f"We learned: {text}\nand so on")
    assert finding is not None
    assert finding.rule == rule


@pytest.mark.parametrize("text", PASSES)
def test_an_innocent_text_passes(text: str) -> None:
    assert find(text) is None


@pytest.mark.parametrize("number", range(len(RULES)))
def test_every_rule_has_a_case_that_it_finds_by_itself(number: int) -> None:
    rule = RULES[number]
    assert any(name == rule.name and _strikes(rule, text, text.casefold(), ()) for name, text in FLAGGED)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_has_its_list_of_what_must_pass(family: Family) -> None:
    assert len(family.passes) >= 4
    assert len(family.flagged) >= 1 or family is FAMILIES[-1]


TOKENS = [text for rule, text in FLAGGED if not any(blank in text for blank in " \n")]


@pytest.mark.parametrize("splitter", ["\n", "\r\n", "\n    ", "\\\n", "\u200b", "\u2060", "\ufeff", "\u00ad", "\0"])
@pytest.mark.parametrize("token", TOKENS)
def test_a_token_split_anywhere_is_still_found(token: str, splitter: str) -> None:
    for at in (len(token) - 3, len(token) - 12):
        assert find(f"learned:\n{token[:at]}{splitter}{token[at:]} done") is not None, at


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 9, 30])
def test_a_prefix_may_be_split_too(at: int) -> None:
    token = made("gh", "p_", MIXED[:36])
    assert find(f"the token was\n{token[:at]}\n{token[at:]}\nrevoked") is not None
    assert find("\u200b".join(token)) is not None
    assert find("\n".join(token)) is not None


def test_a_refusal_names_rule_and_field_and_never_the_value() -> None:
    token = made("gh", "p_", MIXED[:36])
    with pytest.raises(SecretFound) as refused:
        check({"body": "fine", "evidence.output": f"export T={token}"})
    told = refused.value.message + refused.value.hint + str(refused.value) + repr(refused.value)
    assert "evidence.output" in told
    assert "github_token" in told
    assert MIXED[:8] not in told


def test_innocent_fields_pass() -> None:
    check({"body": "The batch size is 50.", "origin": "notes.md#3", "evidence.command": "pytest -q"})


HOSTILE = [
    "eyJ", "eyJaaaaaaaaaa.", "AKIA", "sk-", "sk-ant-", "password=", 'password="', "a://", "a://b:", "aws ", "secret=",
    "-----BEGIN ", "M" * 24 + ".", "hooks.slack.com/services/", "twilio token", "0", "1:", "x\n", "\u200b", "\n", "\\",
    "pwd=;", "token='", "bearer ", "eyJxxxxxxxx.eyJxxxxxxxx.xxxxxxxx", "A1a/" * 10 + " aws ", "://x:", "Q~", "aB3" * 20,
    "host=x ", "host=x password=", "password=a ", "@tcp(", "a:b", "?pwd=", "1//04", "xoxd-", "mfa.", "AZDO",
    "_authToken=",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_costs_linear_time(piece: str) -> None:
    text = piece * (65_536 // len(piece))
    began = time.process_time()
    find(text)
    assert time.process_time() - began < 1.5


@given(st.text(max_size=300))
def test_any_text_can_be_scanned(text: str) -> None:
    find(text)


@given(st.text(alphabet=string.ascii_lowercase + " .,\n", max_size=300))
def test_plain_prose_never_holds_a_secret(text: str) -> None:
    assert find(text) is None


@given(
    st.lists(
        st.one_of(
            st.sampled_from([text for _, text in FLAGGED]),
            st.sampled_from(
                ["key", "Token", "SECRET", "\u212aey", "pa\u017fs", "\u0130", "\u00df", "://", "\n", " = ", "'"]
            ),
            st.text(max_size=30),
        ),
        max_size=8,
    ).map("".join)
)
def test_looking_only_near_its_words_misses_nothing_that_a_rule_would_find(text: str) -> None:
    for rule in RULES:
        everywhere = replace(rule, near=())
        near = {struck.span() for struck in _matches(rule, text, text.casefold())}
        assert near == {struck.span() for struck in _matches(everywhere, text, text.casefold())}, rule.name
