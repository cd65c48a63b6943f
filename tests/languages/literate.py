"""Reads the literate cases of a language, `<name>.md` beside this file.

`## file`, `## body`, `## signature`, `## doc`, `## symbols` say what the fenced blocks below are about; `## body A.f`
of which symbol (else the first), `## body f|g` of which on either side. The paragraph before a block names the case.
In a block a line `≡` stands between two texts that must be equal, a line `≢` between two that must differ; three and
more texts are compared with the first.
Under `## symbols` a line `→` stands between the source and its symbols, one a line: `kind qualified@disambiguator`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```\w*$")
SIGN = re.compile(r"^(≡|≢|→)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    language: str
    title: str
    aspect: str
    of: str
    left: str
    sign: str
    right: str

    def __str__(self) -> str:
        return f"{self.language}: {self.aspect} {self.title} {self.sign}"


def cases(path: Path) -> list[Case]:
    aspect, of, title = "file", "", ""
    found: list[Case] = []
    block: list[str] | None = None
    for line in path.read_text(encoding="utf-8").splitlines():
        if FENCE.match(line):
            if block is not None:
                found += split(path.stem, title, aspect, of, "\n".join(block) + "\n")
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
        elif line.startswith("## "):
            aspect, _, of = line[3:].strip().partition(" ")
        elif line.strip():
            title = line.strip().rstrip(".:")
    return found


def split(language: str, title: str, aspect: str, of: str, text: str) -> list[Case]:
    pieces = SIGN.split(text)
    first, rest = pieces[0], pieces[1:]
    if not rest:
        raise ValueError(f"{language}: a block without ≡, ≢ or →: {title}")
    return [
        Case(language, title, aspect, of, first, sign, second.removeprefix("\n"))
        for sign, second in zip(rest[::2], rest[1::2], strict=True)
    ]
