"""What one note becomes: its body, its kind, and the origin by which it is known again. Pure.

The origin depends on the words of the note and on the path of its file alone, so that every machine gives the same.
"""

import re
from dataclasses import dataclass
from unicodedata import normalize

from anchormem.model import MemoryKind
from anchormem.syntax.facts import raw_digest
from anchormem.syntax.notes import Note

ORIGIN_PATH_BYTES = 200  # of the 256 that an origin may take

# By a word of the innermost heading that holds one, in English, Portuguese, Chinese or Japanese; the title of a
# document says only what all of it is about.
_KINDS: tuple[tuple[MemoryKind, re.Pattern[str]], ...] = (
    (
        "decision",
        re.compile(r"\b(?:decisions?|decided|rationale|decis(?:ão|ões))\b|决策|决定|決定|判断理由", re.IGNORECASE),
    ),
    (
        "insight",
        re.compile(
            r"\b(?:gotchas?|pitfalls?|lessons?|learnings?|learned|caveats?|quirks?|lições|aprendizados?|armadilhas?)\b"
            r"|教训|经验|陷阱|踩坑|注意事项|教訓|学び|知見|落とし穴|注意点",
            re.IGNORECASE,
        ),
    ),
    (
        "intent",
        re.compile(
            r"\b(?:roadmap|to-?dos?|backlog|plans?|planned|future|next steps?|próximos passos|pendências)\b"
            r"|下一步|计划|待办|路线图|次のステップ|今後|予定|計画",
            re.IGNORECASE,
        ),
    ),
)
_TASK = re.compile(r"\[([ xX])\]\s")  # a box to tick says itself whether it is still to be done


@dataclass(frozen=True, slots=True)
class Noted:
    """`prefix`: the part of `body` that its headings make, with what parts it from the text."""

    line: int
    prefix: str
    body: str
    kind: MemoryKind
    origin: str
    named: tuple[str, ...]


def noted(note: Note, path: str, kind: MemoryKind | None) -> Noted:
    """`path`: of the notes, from the root; the bare name of a file outside. `kind` None: as the headings tell."""
    name = path.rpartition("/")[2]
    headings = [heading for heading in note.headings if name not in heading]  # `# CLAUDE.md` tells nothing
    parted = "\n" if note.text.startswith(("```", "~~~", " ")) else " "  # code begins a line
    prefix = f"{' > '.join(headings)}:{parted}" if headings else ""
    body = f"{prefix}{note.text}"
    return Noted(note.line, prefix, body, kind or _kind(headings, note.text), origin(path, body), note.named)


def beginning(path: str) -> str:
    """What the origins of all notes of one file begin with."""
    told = normalize("NFC", path).encode()[-ORIGIN_PATH_BYTES:].decode("utf-8", "ignore")
    return f"note:{told}#"


def origin(path: str, body: str) -> str:
    """Blanks and line ends do not count, so that a note wrapped anew is the same note."""
    words = "".join(normalize("NFC", body).split())
    return f"{beginning(path)}{raw_digest(words.encode('utf-8', 'replace')).hex()[:16]}"


def _kind(headings: list[str], text: str) -> MemoryKind:
    if task := _TASK.match(text):
        return "intent" if task[1] == " " else "fact"
    for heading in reversed(headings[1:] or headings):
        for kind, words in _KINDS:
            if words.search(heading):
                return kind
    return "fact"
