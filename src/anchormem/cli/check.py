"""`anchormem check`: for CI and pre-commit. 1: the change leaves something stale. 2: it could not be told."""

from collections.abc import Iterator, Mapping, Sequence

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import start
from anchormem.cli.render import counted, fields, items
from anchormem.cli.screen import on_one_line, paint, plain, say
from anchormem.errors import AnchormemError, UsageError
from anchormem.tools.answer import success
from anchormem.workspace.check import INDEX, check

ABOUT = (
    "Compares two states that git holds. Without options what is staged with HEAD; with --base what HEAD holds with "
    "where it left that commit; with both what is staged with that. Edits that are not staged are never judged: "
    "anchormem affected looks at those."
)
_SHOWN_BODY = 200  # characters
_UNSTAGED = "nothing is staged, and other edits are not judged here: git add them, or anchormem affected"
_NOTHING = "nothing to judge, as no decision and no verified fact is anchored here"
_WAYS = "change the code, or renew what it changed: anchormem verify, then anchormem export, committed with the code"


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("--base", metavar="REF", default="", help="compare with where HEAD left this branch or commit")
    parser.add_argument("--staged", action="store_true", help="judge what is staged, as without any option")
    parser.add_argument("--format", choices=("text", "json", "github"), default="text")
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    wanted = {"staged": options.staged, **({"base": options.base} if options.base else {})}
    try:
        reply = check(start(options), wanted)
    except AnchormemError as error:
        raise UsageError(error.message, error.hint) from error  # neither clean nor stale: it could not be told
    data = fields(reply.data)
    findings = [fields(finding) for finding in items(data.get("findings"))]
    warnings = items(reply.meta.get("warnings"))
    if options.json or options.format == "json":
        say(success(reply))
    elif options.format == "github":
        say(*(f"::warning title=anchormem::{_data(one)}" for one in warnings), *map(_annotation, findings))
        say(*_sum(data, findings))
    else:
        say(*_text(data, findings), *(paint(str(one), "yellow") for one in warnings))
    return int(bool(findings))


def _text(data: Mapping[str, object], findings: list[Mapping[str, object]]) -> Iterator[str]:
    for finding in findings:
        yield f"{paint('stale', 'red')}  {paint(str(finding.get('id')), 'bold')}  {_at(finding)}  {_reason(finding)}"
        yield f"       {plain(_body(finding))}"
    if findings:
        yield _WAYS
    yield from (paint(line, "dim") for line in _sum(data, findings))


def _sum(data: Mapping[str, object], findings: Sequence[object]) -> Iterator[str]:
    """Nothing where there was nothing to judge by: a warning says so."""
    if data.get("store") or data.get("export") != "none":
        what = counted(data.get("checked", 0), "decision or verified fact", "decisions and verified facts")
        how = f"{what}, {f'{len(findings)} would be stale' if findings else 'all hold'}"
        yield plain(f"{_compared(data)}: {how if data.get('checked') else _NOTHING}")
        if not data.get("changed_files"):
            yield _UNSTAGED if data.get("head") == INDEX else "no file differs between them"


def _compared(data: Mapping[str, object]) -> str:
    """The two sides in words: `HEAD compared with where it left origin/main`."""
    base, is_staged = str(data.get("base")), data.get("head") == INDEX
    now, it = ("what is staged", "HEAD") if is_staged else ("HEAD", "it")
    return f"{now} compared with {base if base == 'HEAD' else f'where {it} left {base}'}"


def _annotation(finding: Mapping[str, object]) -> str:
    """A GitHub workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions."""
    place = f"file={_property(finding.get('path', ''))},line={_property(finding.get('line') or 1)}"
    title = _property(f"stale {finding.get('kind', 'memory')} {finding.get('id', '')}")
    return f"::error {place},title={title}::{_data(f'{_reason(finding)}: {_body(finding)}')}"


def _data(value: object) -> str:
    return plain(str(value)).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _at(finding: Mapping[str, object]) -> str:
    return on_one_line(str(finding.get("at") or finding.get("path") or ""))


def _reason(finding: Mapping[str, object]) -> str:
    return plain(str(finding.get("reason", "")))


def _body(finding: Mapping[str, object]) -> str:
    return " ".join(str(finding.get("body", "")).split())[:_SHOWN_BODY]
