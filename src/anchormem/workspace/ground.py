"""What one resolving pass reads, each file once: states and facts of the index, sources from the disk.

Knows nothing of anchors and fates.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from anchormem import languages
from anchormem.model import FileFacts, FileState, Slot, Symbol
from anchormem.project import disk
from anchormem.reason.scene import FileView
from anchormem.store import files
from anchormem.syntax import sections
from anchormem.syntax.folding import fold
from anchormem.workspace.look import Look, choose, look, parse, same_content, stored
from anchormem.workspace.session import Workspace


class Ground:
    """States and facts of some paths, fetched at once; whatever else is asked for is read when it is asked for.

    `parsed`: facts that were in no store yet, to be kept by whoever writes. `withheld`: files, and folders of whole
    submodules, that belong to the project and are not checked out here. `seen`: looks that count instead of what the
    index says.
    """

    def __init__(
        self,
        ws: Workspace,
        paths: Iterable[str],
        parsed: Iterable[FileFacts] = (),
        withheld: frozenset[str] = frozenset(),
        seen: Iterable[Look] = (),
    ) -> None:
        self._ws = ws
        self._withheld = withheld
        self._states: dict[str, FileState | None] = {}
        self._facts: dict[str, FileFacts | None] = {}
        self._looks: dict[str, Look] = {one.path: one for one in seen}
        self._given: Mapping[str, FileState | None] = {path: one.state for path, one in self._looks.items()}
        self._at_hand = {(facts.content, facts.language or ""): facts for facts in parsed}
        self.parsed: list[FileFacts] = []
        self.fetch(paths)

    def fetch(self, paths: Iterable[str]) -> None:
        """States and facts of these paths, in two questions to the store."""
        wanted = {path for path in paths if path not in self._states}
        states = {**files.get(self._ws.store, wanted), **self._given}
        lacking = (state for state in states.values() if state is not None and choose(state, self._at_hand) is None)
        known = stored(self._ws.store, lacking) | self._at_hand
        for path in wanted:
            state = self._states[path] = states.get(path)
            if state is not None and (facts := choose(state, known)) is not None:
                self._facts[path] = facts

    def state(self, path: str) -> FileState | None:
        """As this checkout last saw it; None: unknown, or no such file."""
        if path not in self._states:
            self.fetch((path,))
        return self._states[path]

    def view(self, path: str) -> tuple[FileView, str]:
        """What may be concluded from the file, and why not more."""
        state = self.state(path)
        if state is None and disk.stat(self._ws.root, path) is not None:
            return "pending", ""
        if state is None:
            withheld = not self._withheld.isdisjoint((path, *map(str, PurePosixPath(path).parents)))
            return ("unreadable", "not checked out here") if withheld else ("absent", "")
        if state.status in ("too_large", "unreadable"):
            return "unreadable", state.status
        if self._changed_meanwhile(path, state):
            return "pending", "changed while it was looked at"
        if self.facts(path) is None:
            return "unparsed", "binary" if state.status == "binary" else "no symbols can be read"
        return "present", ""

    def _changed_meanwhile(self, path: str, state: FileState) -> bool:
        """A source that had to be read again no longer holds what the index says."""
        seen = self._looks.get(path)
        return seen is not None and not same_content(seen.state, state)

    def facts(self, path: str) -> FileFacts | None:
        """Facts under today's recipe, parsed now where no store has them; None where nothing can be parsed."""
        state = self.state(path)  # stored facts come along
        if path not in self._facts:
            self._facts[path] = self._parse(path, state)
        return self._facts[path]

    def _parse(self, path: str, state: FileState | None) -> FileFacts | None:
        if state is None or state.language is None:
            return None
        seen = self._look(path)
        found = parse(seen) if same_content(seen.state, state) else None
        if found is None:
            return None
        self.parsed.append(found[1])
        return found[1]

    def source(self, path: str) -> bytes | None:
        """The file's text for the parser, when it still holds what the index says."""
        seen, state = self._look(path), self.state(path)
        return seen.source if state is not None and same_content(seen.state, state) else None

    def _look(self, path: str) -> Look:
        if path not in self._looks:
            self._looks[path] = look(self._ws.root, path, self._ws.config.extensions, self._ws.now() * 1_000_000)
        return self._looks[path]

    def symbols(self, path: str, qualified: str) -> Sequence[Symbol]:
        """Everything of that qualified name, twins included; keys of configuration files are looked for on demand."""
        facts = self.facts(path)
        if facts is None:
            return ()
        found = [symbol for symbol in facts.symbols if symbol.qualified == qualified]
        if not found and not facts.symbols and (source := self.source(path)) is not None:
            key = sections.find_key(source, facts.language, qualified)
            return () if key is None else (key,)
        return found

    def language(self, path: str) -> str | None:
        """The language of the file, or the one its name promises where there is none."""
        state = self.state(path)
        if state is not None:
            return state.language
        return languages.language_of(path, b"", self._ws.config.extensions)

    def symbol(self, at: Slot) -> Symbol | None:
        """The very symbol of a slot, told from its twins."""
        if not at.qualified:
            return None
        found = self.symbols(at.path, at.qualified)
        return next((one for one in found if one.disambiguator == at.disambiguator), None)

    def text(self, at: Slot) -> str | None:
        """The code at a slot; of a file anchor the whole file."""
        source = self.source(at.path)
        symbol = self.symbol(at)
        if source is None or (symbol is None and at.qualified):
            return None
        return text_of(source, symbol)


def text_of(source: bytes, symbol: Symbol | None) -> str:
    """The text of a symbol (None: of the file), line ends folded."""
    folded = fold(source)
    span = folded[symbol.start_byte : symbol.end_byte] if symbol is not None else folded
    return span.decode("utf-8", "replace")
