"""Everything known of one content under one language: symbols with their hashes, references, imports, inheritance.

One parse, one query, one walk. A pure function of the folded bytes: it never raises on any input. Knows no path.
"""

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.model import Digest, FileFacts, Inheritance
from anchormem.syntax.folding import content_digest, raw_digest
from anchormem.syntax.parsed import Parsed, parse
from anchormem.syntax.symbols import symbols_of
from anchormem.syntax.withheld import withheld

__all__ = ["content_digest", "facts_of", "raw_digest"]

ON_DEMAND = "key"  # found in the anchored file when asked for (`sections`): one lock file has thousands


def facts_of(source: bytes, language: str | None) -> FileFacts:
    """The facts of `source`. `language` None, unknown to the pack, or a text over 512 KB: a file anchor only."""
    try:
        parsed = parse(source, language)
    except GrammarMissing:
        parsed = None
    if parsed is None:
        return FileFacts(content_digest(source), None, "", None, 0)
    symbols = tuple(symbol for symbol, _ in symbols_of(parsed) if symbol.kind != ON_DEMAND)
    plan = parsed.plan
    found = FileFacts(
        content=content_digest(source),
        language=parsed.language,
        epoch=languages.epoch(parsed.language),
        normal=normal_digest(parsed),
        error_bytes=parsed.stream.error_bytes or int(parsed.root.has_error),
        symbols=symbols,
        references=tuple(plan.references),
        imports=tuple(plan.imports),
        inheritance=tuple(Inheritance(base.frame.qualified, base.base, base.rel, base.line) for base in plan.bases),
    )
    return withheld(found)


def normal_digest(parsed: Parsed) -> Digest | None:
    """The normalised hash of the whole file; None where it does not parse."""
    if parsed.root.has_error:
        return None
    stream = parsed.stream
    whole = parsed.printer.whole((0, len(stream.codes)), (0, len(stream.texts)), stream.top)
    return whole.digest()
