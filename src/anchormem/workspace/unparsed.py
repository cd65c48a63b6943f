"""Why a file has no symbols, and what to do about it: one answer for anchors and for map. Knows no symbol."""

from dataclasses import dataclass
from posixpath import basename, splitext

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.project import decoding, disk
from anchormem.project.config import FILE_NAME
from anchormem.workspace.look import HEAD_BYTES, meant
from anchormem.workspace.session import Workspace


@dataclass(frozen=True, slots=True)
class Unparsed:
    """`why`: what is said after the name of the file. `remedy`: what would give it symbols, "" when nothing does."""

    why: str
    remedy: str = ""


def of(ws: Workspace, path: str) -> Unparsed:
    """Why the file at a gated path has no symbols, as it is on disk now."""
    found = disk.read(ws.root, path)
    if isinstance(found, disk.Unread):
        return unread(found.reason)
    return of_bytes(path, found.data, languages.language_of(path, found.data[:HEAD_BYTES], ws.config.extensions))


def unread(reason: disk.Failure) -> Unparsed:
    """Why a file is not even read."""
    match reason:
        case "too_large":
            return Unparsed("it is over 8 MB, and such files are not indexed")
        case "unreadable":
            return Unparsed("it cannot be read", "check its permissions")
        case "not_regular":
            return Unparsed("it is a link or no ordinary file", "name the file that it leads to")
    return Unparsed("it is not there")


def of_bytes(path: str, data: bytes, language: str | None) -> Unparsed:
    """The first of the hurdles on the way to symbols that this content does not get over."""
    if not decoding.is_text(data):
        return Unparsed("it is binary")
    if len(data) > decoding.MAX_PARSE_BYTES:
        return Unparsed(f"it has {len(data) >> 10} KB, and files over 512 KB are not parsed", "split it")
    if decoding.for_parsing(data) is None:
        return Unparsed("it is not UTF-8 and names no encoding", "save it as UTF-8, or name its encoding at its top")
    if language is None:
        suffix = splitext(path)[1]
        known = f'if it is in a known language, {FILE_NAME} takes {{"extensions": {{"{suffix}": "python"}}}}'
        return Unparsed(f"there is no grammar for {suffix or basename(path)} files", known if suffix else "")
    try:
        for name in meant(language):
            languages.load(name)
    except GrammarMissing:
        return Unparsed(f"the grammar of {language} is not installed", "anchormem doctor")
    return Unparsed("the grammar gives up on it: too deep, too crowded or too broken", "split it")
