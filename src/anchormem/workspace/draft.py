"""What a caller wants remembered, read from arguments and checked as far as that needs neither code nor store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from anchormem.errors import Refused, UsageError
from anchormem.model import Evidence, Link, MemoryKind, Relation, Source
from anchormem.syntax.facts import raw_digest
from anchormem.text import secrets
from anchormem.workspace import given
from anchormem.workspace.binding import Given

KINDS: Mapping[str, MemoryKind] = {kind: kind for kind in get_args(MemoryKind)}
RELATIONS: Mapping[str, Relation] = {rel: rel for rel in get_args(Relation)}
SOURCES: Mapping[str, Source] = {"explicit": "explicit", "mined": "mined"}

MAX_BODY = 65_536
MAX_ORIGIN = 256
MAX_COMMAND = 4096
KEPT_OUTPUT = 4096
MAX_TEXT = 1_048_576  # characters of any one text; all of it is searched for secrets


@dataclass(frozen=True, slots=True)
class Draft:
    """None: nothing was said about it. `supersedes` and link targets are as typed, not looked up yet."""

    kind: MemoryKind | None
    body: str
    anchors: tuple[Given, ...] | None
    evidence: Evidence | None
    links: tuple[Link, ...] | None
    supersedes: tuple[str, ...]
    source: Source | None
    confidence: float | None
    private: bool | None
    origin: str
    force: bool
    by: str


def read(args: Mapping[str, object], now: int) -> Draft:
    """The draft. Secrets are refused before any other message could repeat a value."""
    refuse_secrets(args)
    links = given.several(args, "links")
    pairs = None if links is None else tuple(_link(one) for one in links)
    superseded = [link.target for link in pairs or () if link.rel == "supersedes"]
    return Draft(
        kind=_kind(given.text(args, "kind")),
        body=_body(given.text(args, "body")),
        anchors=given.several(args, "anchors"),
        evidence=evidence(given.mapping(args, "evidence"), now),
        links=None if pairs is None else tuple(link for link in pairs if link.rel != "supersedes"),
        supersedes=tuple(dict.fromkeys(filter(None, (given.text(args, "supersedes"), *superseded)))),
        source=SOURCES.get(given.text(args, "source")),
        confidence=given.number(args, "confidence"),
        private=given.choice(args, "private"),
        origin=_origin(given.text(args, "origin")),
        force=given.flag(args, "force"),
        by=given.text(args, "by", "agent"),
    )


def refuse_secrets(args: Mapping[str, object]) -> None:
    """Every text of a call is looked at, so that no later message can repeat a secret."""
    fields: dict[str, str] = {}
    for name, value in args.items():
        _collect(fields, name, value)
    for name, text in fields.items():
        if len(text) > MAX_TEXT:
            raise UsageError(
                f"{name} has {len(text):,} characters; a text takes up to {MAX_TEXT:,}",
                "give the part that proves it, such as the last lines of the output",
            )
    secrets.check(fields)


def _collect(fields: dict[str, str], name: str, value: object) -> None:
    if isinstance(value, str):
        fields[name] = value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            _collect(fields, f"{name}.{key}", member)
    elif isinstance(value, list | tuple):
        for position, member in enumerate(value):
            _collect(fields, f"{name}[{position}]", member)


def evidence(said: Mapping[str, object] | None, now: int) -> Evidence | None:
    """Evidence to keep. Refused: no command, no output, a failure."""
    if said is None:
        return None
    return proof(given.text(said, "command"), given.text(said, "output"), given.whole(said, "exit_code", 0), now)


def proof(command: str, output: str, exit_code: int, now: int) -> Evidence:
    """A command that succeeded and said something: the digest of all it said, the beginning of it as text."""
    if not command.strip():
        raise Refused("evidence without a command proves nothing", "give the command that was run")
    if len(command.encode()) > MAX_COMMAND:
        raise UsageError(f"the evidence command is over {MAX_COMMAND:,} bytes", "put it into a script and name that")
    if not output.strip():
        raise Refused("evidence without output proves nothing", "run a command that prints what it found")
    if exit_code != 0:
        raise Refused(f"the evidence command failed with exit code {exit_code}", "only a success is evidence")
    kept = output.encode()[:KEPT_OUTPUT].decode("utf-8", "ignore")
    return Evidence(command.strip(), kept, raw_digest(output.encode()), exit_code, now)


def is_forged(held: Evidence) -> bool:
    """Whether its digest is not that of its output, as no program writes it. Of a long output the rest is unknown."""
    output = held.output.encode("utf-8", "surrogatepass")
    is_whole = 0 < len(output) <= KEPT_OUTPUT - 4
    return is_whole and raw_digest(output) != held.digest


def _kind(name: str) -> MemoryKind | None:
    if name and name not in KINDS:
        raise UsageError(f"no kind {name[:40]!r}", f"kind is one of: {', '.join(KINDS)}")
    return KINDS.get(name)


def _body(body: str) -> str:
    if body and not body.strip():
        raise UsageError("the body is blank", "say in one or two sentences what is to be remembered")
    if len(body.encode()) > MAX_BODY:
        raise UsageError(f"the body has {len(body.encode()):,} bytes", f"body takes 1 to {MAX_BODY:,} bytes")
    return body


def _origin(origin: str) -> str:
    if len(origin.encode()) > MAX_ORIGIN:
        raise UsageError(f"the origin has {len(origin.encode())} bytes", f"origin takes up to {MAX_ORIGIN} bytes")
    return origin


def _link(said: str | Mapping[str, object]) -> Link:
    target = given.text(said, "target") if isinstance(said, Mapping) else ""
    rel = given.text(said, "rel") if isinstance(said, Mapping) else ""
    if not target or rel not in RELATIONS:
        raise UsageError("a link cannot be read", f"links take {{target: id, rel: {' | '.join(RELATIONS)}}}")
    return Link(target, RELATIONS[rel])
