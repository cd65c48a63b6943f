"""What the recall bench is made of: enough of everything, and no question without the memory that answers it."""

from collections import Counter

from recall.corpus import GROUPS, HALVES, notes, questions, relevant

KNOWN = notes()


def test_the_memories_are_as_many_and_as_mixed_as_promised() -> None:
    assert len(KNOWN) >= 300
    assert len({note.id for note in KNOWN}) == len({note.body for note in KNOWN}) == len(KNOWN)
    assert sum(1 for note in KNOWN if note.was) >= 30
    assert sum(1 for note in KNOWN if not note.at) >= 20
    assert sum(1 for note in KNOWN if any("\u4e00" <= character <= "\u9fff" for character in note.body)) >= 40
    assert max(Counter(note.at.split("::")[0] for note in KNOWN if note.at).values()) >= 5


def test_the_questions_are_as_many_as_promised_half_of_them_only_reported() -> None:
    asked = {half: questions(half) for half in HALVES}
    assert len(asked["reported"]) == len(asked["tuning"]) >= 50
    assert not {one.ask for one in asked["reported"]} & {one.ask for one in asked["tuning"]}
    groups = Counter(one.group for half in HALVES for one in asked[half])
    assert set(groups) == set(GROUPS)
    assert groups["chinese"] >= 20 <= groups["identifier"]
    assert groups["unanswerable"] >= 10


def test_every_wanted_memory_is_there_and_no_question_is_put_in_its_words() -> None:
    bodies = {note.id: note.body.lower() for note in KNOWN}
    for one in (one for half in HALVES for one in questions(half)):
        assert bool(one.wants) == (one.group != "unanswerable")
        assert set(one.wants) <= relevant(one, KNOWN)
        if one.group != "identifier":  # a name is a name
            assert not any(one.ask.lower().strip("? ") in bodies[wanted] for wanted in one.wants)
