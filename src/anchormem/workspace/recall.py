"""Recall: what is known that bears on a task, within a budget; or given memories whole.

Check, refresh, one select, resolve, rank, pack, reply; then the receipt, which can never fail a recall.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from posixpath import dirname

from anchormem.errors import BadPath, NotFound
from anchormem.model import JsonObject, Reply
from anchormem.project import paths
from anchormem.reason import folding, pack, rank
from anchormem.reason.envelope import SHOWN_IDS
from anchormem.store import leads
from anchormem.text import terms
from anchormem.text.tokens import BYTES_PER_TOKEN
from anchormem.workspace import given, known, neighbours, receipt, shown, whole
from anchormem.workspace.bearing import Bearing
from anchormem.workspace.figures import envelope
from anchormem.workspace.freshness import refresh
from anchormem.workspace.present import item, seen
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View

BUDGET = 1200
BUDGET_WHOLE = 20_000
LARGE_STORE = 1_000  # memories; below, every word is searched for
TOO_COMMON, ENOUGH_RARE = 4, 3  # a word of every fourth memory is left out where three rarer ones are asked for
NOTHING_ASKED = "nothing was asked: give a task, the files being worked on, or ids"


def recall(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`task` str "", `working_set` list[str] [], `budget_tokens` int|None (None: 1200, with ids 20,000),
    `kinds` list[str] [], `ids` list[str] [], `offset` int 0, `why` bool False.

    data: list of items. Never refuses for a bad working-set path: a warning in meta.
    """
    wanted = given.texts(args, "ids")
    if wanted:
        budget = given.whole(args, "budget_tokens", BUDGET_WHOLE)
        return whole.recall(ws, wanted, budget, given.whole(args, "offset", 0))
    return _for_task(ws, given.text(args, "task"), args)


def _for_task(ws: Workspace, task: str, args: Mapping[str, object]) -> Reply:
    named = given.texts(args, "working_set")
    working, warnings = gated(ws, named)
    if not (task.strip() or named):
        warnings = (NOTHING_ASKED,)
    fresh = refresh(ws, working, quick=True)
    asked = rank.query(task)
    ws.known = held = known.read(ws.store, ws.known, fresh)
    corpus = known.corpus(ws.store, held, asked.terms)
    searched, kinds = terms.fts_expression(_telling(asked, corpus)), given.texts(args, "kinds")
    folders = {dirname(path) for path in working}
    found = leads.chosen(ws.store, searched, near_paths=working, near_folders=folders, kinds=kinds)
    bearings = {one.candidate.id: one for one in known.bearings(ws.store, held, found, fresh)}
    ranking = rank.rank(asked, _candidates(ws, bearings.values(), working), corpus)
    budget = given.whole(args, "budget_tokens", BUDGET)
    best = ranking.items[: _most(budget)]
    read = shown.Shown(ws.store, held, fresh, [bearings[one.candidate.id] for one in best])
    matched = [read.told.get(one.candidate.id, bearings[one.candidate.id]) for one in (*ranking.items, *ranking.weak)]
    more = leads.matching(ws.store, searched, kinds) if len(found) >= leads.MOST else 0
    total = max(len(matched), more)
    make = cache(lambda at: _item(asked, best[at], read.view(at), why=given.flag(args, "why")))
    reply = pack.pack(
        [pack.Unmade(one.candidate.id, read.least(at), partial(make, at)) for at, one in enumerate(best)],
        envelope(ws, fresh, matched, total=total, omitted_reason=ranking.omitted_reason, warnings=warnings),
        budget,
        copies=folding.copies(best),
    )
    receipt.record(ws, task, reply, read.views)
    return reply


def _most(budget_tokens: int) -> int:
    """More items than could ever fit are not worth preparing; the rest is counted and the first of it named."""
    return budget_tokens * BYTES_PER_TOKEN // shown.LEAST_BYTES + SHOWN_IDS


def gated(ws: Workspace, working_set: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The usable paths of a working set, and a warning that names the others."""
    good: list[str] = []
    bad: list[str] = []
    for path in working_set:
        try:
            good.append(paths.gate(ws.root, path, must_exist=True))
        except (BadPath, NotFound):
            bad.append(seen(path)[:80])
    named = ", ".join(bad[:5]) + (" …" if len(bad) > 5 else "")  # noqa: PLR2004 — enough to recognise the mistake
    return tuple(dict.fromkeys(good)), (f"working_set: ignored {len(bad)} unusable: {named}",) if bad else ()


def _candidates(ws: Workspace, found: Iterable[Bearing], working: Sequence[str]) -> list[rank.Candidate]:
    if not working:
        return [one.candidate for one in found]
    imported = neighbours.of(ws, working)
    return [replace(one.candidate, nearness=rank.nearness(one.places, working, imported)) for one in found]


def _telling(asked: rank.Query, corpus: rank.Corpus) -> Sequence[str]:
    """The terms to search by, those that some memory holds. In a large store a word of every fourth memory finds
    nothing that rarer ones do not.
    """
    held = [term for term in asked.terms if term in corpus.frequency]
    if corpus.documents < LARGE_STORE:
        return held
    rare = [term for term in held if corpus.frequency[term] * TOO_COMMON <= corpus.documents]
    return rare if len(rare) >= ENOUGH_RARE else held


def _item(asked: rank.Query, one: rank.Ranked, view: View, *, why: bool) -> JsonObject:
    above = one.relevance >= rank.FLOOR  # else it came by its place alone
    shown = item(view, matched=rank.matched(asked, one.candidate) if above else "")
    return {**shown, "why": {name: round(term, 3) for name, term in one.why.items()}} if why else shown
