"""The table of fates, row by row, as a pure function."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.model import Aspect, Fate, Slot
from anchormem.reason.resolve import LOW_ENTROPY_BYTES, LOW_ENTROPY_TOKENS, is_empty, resolve, wants
from anchormem.reason.scene import Origin, Past, Scene, Sighting
from reason.scenes import (
    AWAY,
    HOME,
    THERE,
    absent,
    anchor,
    digest,
    file_anchor,
    file_sighting,
    place,
    scene,
    sighting,
    symbol,
)


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


# ── fresh ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_equal_body_at_its_slot_is_fresh() -> None:
    assert told(resolve(scene(anchor(), sighting(symbol())))) == ("fresh", "")


@pytest.mark.parametrize(
    ("aspect", "today"),
    [("signature", symbol("other")), ("exists", symbol("other", signature="other"))],
)
def test_an_aspect_leaves_what_it_does_not_depend_on_out(aspect: Aspect, today: object) -> None:
    assert isinstance(today, type(symbol()))
    assert resolve(scene(anchor(aspect), sighting(today))).name == "fresh"


def test_a_quote_that_still_occurs_is_fresh_whatever_else_changed() -> None:
    assert resolve(scene(anchor("quote"), sighting(symbol("other"), quotes=1))).name == "fresh"


def test_equal_text_is_fresh_while_the_parse_recovers_from_errors() -> None:
    today = replace(symbol("recovered"), raw=symbol().raw, damaged=True)
    assert resolve(scene(anchor(), sighting(today, damaged=True))).name == "fresh"


def test_equal_text_under_another_label_is_an_edit() -> None:
    today = replace(symbol("private now"), raw=symbol().raw)
    assert told(resolve(scene(anchor(), sighting(today)))) == ("stale", "body_edited")


def test_only_other_documentation_is_fresh_and_says_so() -> None:
    fate = resolve(scene(anchor(), sighting(symbol(doc="new words"))))
    assert (fate.name, fate.doc_changed) == ("fresh", True)


def test_the_last_proven_slot_is_tried_before_the_written_one() -> None:
    fate = resolve(scene(anchor(), sighting(symbol(at=AWAY), at=AWAY), sighting(symbol())))
    assert (fate.name, fate.at) == ("followed", AWAY)


def test_an_equal_hash_at_any_proven_slot_comes_before_judging_an_edit() -> None:
    edited, proven = sighting(symbol("edited")), sighting(symbol(at=AWAY), at=AWAY)
    assert resolve(scene(anchor(), edited, proven)).at == AWAY


# ── twins ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_equal_hash_among_the_twins_of_a_slot_is_fresh() -> None:
    second = replace(symbol(), disambiguator="#2")
    fate = resolve(scene(anchor(), sighting(symbol("new first one"), second)))
    assert (fate.name, fate.at) == ("fresh", replace(HOME, disambiguator="#2"))


def test_a_twin_that_was_equal_all_along_does_not_stand_in_for_an_edited_one() -> None:
    second = replace(symbol(), disambiguator="#2")
    known = replace(
        scene(anchor(), sighting(symbol("edited"), second)), old_twins=frozenset({replace(HOME, disambiguator="#2")})
    )
    assert told(resolve(known)) == ("stale", "body_edited")


def test_a_twin_is_never_chosen_silently() -> None:
    one, other = (replace(symbol(name), disambiguator=name) for name in ("(int a)", "(String b)"))
    fate = resolve(scene(anchor(), sighting(one, other)))
    assert told(fate) == ("stale", "ambiguous_anchor")
    assert fate.candidates == (f"{HOME}@(int a)", f"{HOME}@(String b)")


def test_an_overload_with_an_equal_signature_does_not_stand_in_for_an_aspect() -> None:
    second = replace(symbol("other"), disambiguator="#2")
    today = sighting(symbol("edited", signature="edited"), second)
    assert told(resolve(scene(anchor("signature"), today))) == ("stale", "signature_edited")


# ── followed, or why not ────────────────────────────────────────────────────────────────────────────────────────────


def test_one_equal_body_elsewhere_is_followed() -> None:
    fate = resolve(scene(anchor(), absent(), elsewhere=(place(),)))
    assert (fate.name, fate.at) == ("followed", THERE)


def test_several_equal_bodies_are_ambiguous_and_named() -> None:
    fate = resolve(scene(anchor(), absent(), elsewhere=(place(), place(AWAY))))
    assert told(fate) == ("stale", "ambiguous_anchor")
    assert fate.candidates == (str(THERE), str(AWAY))


def test_an_old_twin_is_not_followed() -> None:
    known = replace(scene(anchor(), absent(), elsewhere=(place(),)), old_twins=frozenset({THERE}))
    assert told(resolve(known)) == ("stale", "ambiguous_anchor")


def test_what_is_left_of_twins_could_be_either_and_is_not_followed() -> None:
    known = replace(scene(anchor(), absent(), elsewhere=(place(),)), old_twins=frozenset({AWAY}), twinned=True)
    assert told(resolve(known)) == ("stale", "ambiguous_anchor")


def test_too_little_code_is_no_evidence_but_is_named() -> None:
    fate = resolve(scene(anchor(), absent(), elsewhere=(place(tokens=LOW_ENTROPY_TOKENS - 1),)))
    assert told(fate) == ("stale", "low_entropy")
    assert fate.candidates == (str(THERE),)
    assert fate.at is None


def test_an_aspect_is_followed_by_the_body_last_seen() -> None:
    known = replace(scene(anchor("signature"), absent(), elsewhere=(place(body="later"),)), follow_by=digest("later"))
    assert resolve(known).at == THERE


# ── edited ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("aspect", "reason"), [("body", "body_edited"), ("signature", "signature_edited"), ("quote", "quote_gone")]
)
def test_an_edit_is_stale_by_aspect(aspect: Aspect, reason: str) -> None:
    fate = resolve(scene(anchor(aspect), sighting(symbol("edited", signature="edited"))))
    assert (told(fate), fate.at) == (("stale", reason), HOME)


def test_an_edit_names_where_exactly_the_old_body_lives() -> None:
    fate = resolve(scene(anchor(), sighting(symbol("edited")), elsewhere=(place(),)))
    assert (told(fate), fate.candidates) == (("stale", "body_edited"), (str(THERE),))


def test_an_edit_is_judged_at_the_first_slot_that_exists() -> None:
    fate = resolve(scene(anchor(), absent(AWAY), sighting(symbol("edited"))))
    assert fate.at == HOME


def test_lost_code_with_a_clear_successor_is_moved_and_edited() -> None:
    fate = resolve(replace(scene(anchor(), absent()), successors=(THERE,)))
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), (str(THERE),))


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_of_equal_content_or_equal_normal_form_is_fresh() -> None:
    assert resolve(scene(file_anchor(), file_sighting("content"))).name == "fresh"
    assert resolve(scene(file_anchor(), file_sighting("reformatted", normal="content"))).name == "fresh"


def test_a_file_where_both_differ_is_edited() -> None:
    assert told(resolve(scene(file_anchor(), file_sighting("other")))) == ("stale", "file_edited")


@pytest.mark.parametrize(
    ("size", "count", "expected"),
    [
        (LOW_ENTROPY_BYTES, 1, ("followed", "")),
        (LOW_ENTROPY_BYTES, 2, ("stale", "ambiguous_anchor")),
        (LOW_ENTROPY_BYTES - 1, 1, ("stale", "low_entropy")),
    ],
)
def test_a_lost_file_is_followed_by_its_content_alone(size: int, count: int, expected: tuple[str, str]) -> None:
    places = tuple(place(Slot(f"moved/{number}.txt")) for number in range(count))
    assert told(resolve(scene(file_anchor(size=size), absent(Slot(HOME.path)), elsewhere=places))) == expected


# ── unknown, and gone ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_parse_error_inside_the_symbol_is_unknown() -> None:
    today = replace(symbol("half typed"), damaged=True)
    assert told(resolve(scene(anchor(), sighting(today, damaged=True)))) == ("unknown", "parse_error")


def test_a_parse_error_that_was_there_when_anchored_hides_no_edit() -> None:
    today = replace(symbol("edited"), damaged=True)
    of = replace(anchor(), damaged=True, file_damaged=True)
    assert told(resolve(scene(of, sighting(today, damaged=True)))) == ("stale", "body_edited")


@pytest.mark.parametrize("elsewhere", [(), (place(),), (place(), place(AWAY))])
def test_a_new_parse_error_in_the_file_of_an_empty_slot_stops_every_conclusion(elsewhere: tuple[()]) -> None:
    assert told(resolve(scene(anchor(), sighting(damaged=True), elsewhere=elsewhere))) == ("unknown", "parse_error")


def test_an_old_parse_error_in_the_file_does_not_stop_a_follow() -> None:
    of = replace(anchor(), file_damaged=True)
    assert resolve(scene(of, sighting(damaged=True), elsewhere=(place(),))).name == "followed"


@pytest.mark.parametrize(
    ("file", "reason"), [("unreadable", "unreadable"), ("unparsed", "unreadable"), ("pending", "pending")]
)
def test_what_cannot_be_looked_into_is_unknown(file: str, reason: str) -> None:
    view = Sighting(HOME, file)  # type: ignore[arg-type]  # the parametrised word is one of FileView
    assert told(resolve(scene(anchor(), view, elsewhere=(place(),)))) == ("unknown", reason)


def test_an_unsearched_tree_is_pending_and_says_what_it_wants() -> None:
    lost = scene(anchor(), absent(), elsewhere=None)
    assert told(resolve(lost)) == ("unknown", "pending")
    assert wants(lost) == "elsewhere"
    assert is_empty(lost)


def test_another_recipe_without_proof_is_unknown() -> None:
    known = replace(scene(anchor(), sighting(symbol("other"))), stamp=None)
    assert told(resolve(known)) == ("unknown", "epoch")


def test_another_recipe_with_equal_text_is_fresh() -> None:
    today = replace(symbol("other hash"), raw=symbol().raw)
    assert resolve(replace(scene(anchor(), sighting(today)), stamp=None)).name == "fresh"


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("elsewhere", ("unknown", "other_branch")),
        ("never", ("unknown", "uncommitted")),
        ("committed", ("gone", "anchor_deleted")),
        ("none", ("gone", "anchor_deleted")),
    ],
)
def test_what_is_found_nowhere_depends_on_where_it_was_seen(origin: Origin, expected: tuple[str, str]) -> None:
    assert told(resolve(replace(scene(anchor(), absent()), past=Past(origin, "c0ffee")))) == expected


def test_another_branch_is_named_by_its_commit() -> None:
    assert resolve(replace(scene(anchor(), absent()), past=Past("elsewhere", "c0ffee"))).detail == "c0ffee"


# ── laws ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_aspects = st.sampled_from(["body", "signature", "exists", "quote"])
_symbols = st.builds(
    lambda body, disambiguator, damaged: replace(symbol(body), disambiguator=disambiguator, damaged=damaged),
    st.sampled_from(["body", "other"]),
    st.sampled_from(["", "#2", "(int a)"]),
    st.booleans(),
)
_sightings = st.one_of(
    st.builds(absent, st.sampled_from([HOME, AWAY])),
    st.builds(
        lambda found, at, damaged: sighting(*found, at=at, damaged=damaged),
        st.lists(_symbols, max_size=3),
        st.sampled_from([HOME, AWAY]),
        st.booleans(),
    ),
)
_scenes = st.builds(
    lambda aspect, seen, elsewhere, successors, past: replace(
        scene(anchor(aspect), *seen, elsewhere=elsewhere), successors=successors, past=past
    ),
    _aspects,
    st.lists(_sightings, min_size=1, max_size=2),
    st.one_of(st.none(), st.lists(st.builds(place, st.sampled_from([THERE, AWAY])), max_size=2).map(tuple)),
    st.one_of(st.none(), st.just(()), st.just((THERE,))),
    st.one_of(st.none(), st.builds(Past, st.sampled_from(["committed", "elsewhere", "never", "none"]))),
)


@given(_scenes)
def test_resolving_twice_gives_one_answer(any_scene: Scene) -> None:
    assert resolve(any_scene) == resolve(any_scene)


@given(_scenes)
def test_only_what_was_looked_up_completely_is_gone_or_followed_away(any_scene: Scene) -> None:
    fate = resolve(any_scene)
    if fate.name == "gone":
        assert any_scene.elsewhere == ()
        assert any_scene.past is not None
    if fate.name == "followed" and fate.at == THERE:
        assert any_scene.elsewhere is not None
        assert len(any_scene.elsewhere) == 1


@given(_scenes)
def test_a_well_fate_says_where(any_scene: Scene) -> None:
    fate = resolve(any_scene)
    assert (fate.at is not None) or fate.name not in ("fresh", "followed")


@given(_scenes)
def test_an_edited_body_is_never_well(any_scene: Scene) -> None:
    """Wrong active: a body anchor whose hash no slot and no other place holds."""
    nowhere = all(
        found.symbol is None or found.symbol.body != digest("body")
        for one in any_scene.sightings
        for found in one.found
    )
    if any_scene.anchor.aspect == "body" and nowhere and not any_scene.elsewhere:
        assert resolve(any_scene).name not in ("fresh", "followed")
