"""`anchormem serve`: the MCP server over stdio."""

from pathlib import Path

from anchormem.cli.options import Options, Parser, add_root


def add_arguments(parser: Parser) -> None:
    add_root(parser)


def run(options: Options) -> int:
    from anchormem.server import serve  # noqa: PLC0415 — `serve --help` must not load it

    serve(Path(options.root) if options.root else None)
    return 0
