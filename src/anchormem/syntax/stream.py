"""The normalised form of one file as flat lists, in which every definition is a range. Knows not how it comes about."""

from dataclasses import dataclass, field

from anchormem.syntax.frames import Frame


@dataclass(slots=True)
class Stream:
    """The normalised form. Token i is `texts[i]`, in the source from `starts[i]` to `end(i)`."""

    codes: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    respelled: dict[int, int] = field(default_factory=dict)  # token → its end, where that is not start + length
    owns: dict[int, Frame] = field(default_factory=dict)  # token → the definition whose own name it is
    textual: set[int] = field(default_factory=set)  # tokens that hold text: strings and their segments, atoms
    closed: list[Frame] = field(default_factory=list)  # inner before outer
    top: list[Frame] = field(default_factory=list)
    error_bytes: int = 0

    def leaf(self, code: int, text: bytes, start: int, end: int) -> None:
        self.codes.append(code)
        self.texts.append(text)
        self.starts.append(start)
        if end - start != len(text):
            self.respelled[len(self.texts) - 1] = end

    def end(self, token: int) -> int:
        return self.respelled.get(token) or self.starts[token] + len(self.texts[token])
