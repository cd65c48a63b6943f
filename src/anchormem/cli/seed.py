"""`anchormem seed`: notes that are kept already become memories. 1: some of them were refused."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import opened, show
from anchormem.cli.render import counted, fields, items
from anchormem.cli.screen import on_one_line, paint, plain, progress
from anchormem.tools.tool import KINDS
from anchormem.workspace.seed import ANCHORS, seed

_WHY = {"near_duplicate": "already said by", "secret": "looks like a secret, rule", "too_long": "over 65,536 bytes"}
_LEFT = {"html": "HTML", "links": "links, images or an inclusion alone", "one_word": "one word is no claim"}
_SHOWN = 20  # lines named


def add_arguments(parser: Parser) -> None:
    parser.add_argument("file", help="Markdown: each list item, paragraph and table row becomes a memory")
    shown = "what stands in backticks becomes an anchor: files and symbols (auto, the default), files alone, or nothing"
    parser.add_argument("--anchor", choices=ANCHORS, default="auto", help=shown)
    parser.add_argument(
        "--kind", choices=KINDS, default="", help="of all of them (default: as their headings tell, else fact)"
    )
    parser.add_argument("--force", action="store_true", help="store what is nearly said already, too")
    parser.add_argument("--dry-run", action="store_true", help="show what would be stored; store nothing")
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    said = {name: getattr(options, name) for name in ("anchor", "kind", "force", "dry_run")}
    with opened(options) as ws:
        here, at_root = Path.cwd() / options.file, ws.root.path / options.file
        file = at_root if at_root.exists() and not here.exists() else here
        reply = seed(ws, file, {**said, "progress": progress("indexing")})
    show(options, reply, _told)
    return int(bool(fields(reply.data).get("refused")))


def _told(data: object) -> Iterator[str]:
    told = fields(data)
    for one in map(fields, items(told.get("stored"))):
        yield from _stored(one)
    for one in map(fields, items(told.get("refused"))):
        why = f"{_WHY.get(str(one.get('why')), '')} {plain(str(one.get('of', '')))}".rstrip()
        yield f"line {one.get('line')}  {paint('refused', 'red')}: {why}"
        yield from (f"  {plain(str(body))}" for body in [one.get("body")] if body)
    yield from _left_out(told)
    yield _sum(told)


def _left_out(told: Mapping[str, object]) -> Iterator[str]:
    """Lines that are no notes, so that nobody takes them for known."""
    lines: dict[str, list[str]] = {}
    for one in map(fields, items(told.get("left_out"))):
        lines.setdefault(str(one.get("why")), []).append(str(one.get("line")))
    for why, found in lines.items():
        shown = ", ".join(found[:_SHOWN]) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
        yield f"{'line' if len(found) == 1 else 'lines'} {shown}  {paint('left out', 'yellow')}: {_LEFT.get(why, why)}"


def _stored(one: Mapping[str, object]) -> Iterator[str]:
    yield f"line {one.get('line')}  {paint(str(one.get('id')), 'bold')}  {paint(str(one.get('kind')), 'dim')}"
    yield f"  {plain(str(one.get('body')))}"
    if anchors := items(one.get("anchors")):
        yield f"  {paint('anchors', 'cyan')}: {', '.join(on_one_line(str(anchor)) for anchor in anchors)}"
    for other in map(fields, items(one.get("possible_conflicts"))):
        yield f"  {paint('perhaps against', 'yellow')} {other.get('id')}: {plain(str(other.get('hint')))}"


def _sum(told: Mapping[str, object]) -> str:
    stored, refused = len(items(told.get("stored"))), len(items(told.get("refused")))
    verb = "would be stored" if told.get("dry_run") else "stored"
    said = [f"{counted(told.get('notes', 0), 'note')} in {on_one_line(str(told.get('file')))}", f"{stored} {verb}"]
    said += [f"{told['unchanged']} known"] if told.get("unchanged") else []
    said += [f"{refused} refused"] if refused else []
    said += [f"{left} left out"] if (left := len(items(told.get("left_out")))) else []
    said += ["private: the file is not the repository's"] if told.get("private") else []
    return paint(" · ".join(said), "dim")
