"""Ignore files with gitignore's syntax: `.anchormemignore` everywhere, `.gitignore` where git is not there to ask.

Patterns are translated by pathspec; which of them decides is settled here, since pathspec alone disagrees with git
when a later pattern takes back an earlier one.
"""

import re
import warnings
from dataclasses import dataclass, field
from typing import NamedTuple

from anchormem.project.disk import Contents, read
from anchormem.project.root import Root

IGNORE_BYTES = 256 * 1024

# Character classes that pathspec leaves to `re`, which does not know them.
POSIX_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": " \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": " \t\n\r\f\v",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern. `whole`: it must match an entry's whole path, else the beginning is enough (`a/**`)."""

    excludes: bool
    folders_only: bool
    pattern: re.Pattern[str]
    whole: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        tried = f"{path}/" if self.folders_only else path
        return bool(self.pattern.fullmatch(tried) if self.whole else self.pattern.search(tried))


class Standing(NamedTuple):
    """What a folder means for what lies in it. `says`: where a path begins for an ignore file with a say there, and its
    patterns; the deepest file first.
    """

    excluded: bool
    says: tuple[tuple[int, tuple[Rule, ...]], ...]


@dataclass(slots=True)
class IgnoreFiles:
    """The ignore files of one name in a project, read as folders are asked about."""

    root: Root
    file_name: str
    holders: frozenset[str] | None = None  # the folders known to hold one; None: look into each
    _folders: dict[str, Standing] = field(default_factory=dict)

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """As in git: nothing below an excluded folder comes back; the deepest file's last matching pattern decides."""
        folder = path.rpartition("/")[0]
        standing = self._folders.get(folder)
        if standing is None:
            standing = self._stand(folder)
        return standing.excluded or _excluded(standing, path, is_folder=is_folder)

    def _stand(self, folder: str) -> Standing:
        """From the top down, without recursion: folders nest deeper than Python calls."""
        standing = self._folders.get("") or Standing(excluded=False, says=self._says("", 0))
        self._folders[""] = standing
        at = folder.find("/") if folder else 0
        while at:
            above = folder if at == -1 else folder[:at]
            known = self._folders.get(above)
            if known is None:
                excluded = standing.excluded or _excluded(standing, above, is_folder=True)
                says = () if excluded else self._says(above, len(above) + 1)
                known = self._folders[above] = Standing(excluded, says + standing.says)
            standing = known
            at = 0 if at == -1 else folder.find("/", at + 1)
        return standing

    def _says(self, folder: str, start: int) -> tuple[tuple[int, tuple[Rule, ...]], ...]:
        if self.holders is not None and folder not in self.holders:
            return ()
        found = read(self.root, f"{folder}/{self.file_name}" if folder else self.file_name, IGNORE_BYTES)
        rules = parse(found.data) if isinstance(found, Contents) else ()
        return ((start, rules),) if rules else ()


def parse(data: bytes) -> tuple[Rule, ...]:
    """The patterns of an ignore file, in order. A line that is no valid pattern is left out, as git does."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    rules = (_rule(line.removesuffix("\r")) for line in text.split("\n"))
    return tuple(rule for rule in rules if rule is not None)


def _rule(line: str) -> Rule | None:
    from pathspec.patterns.gitignore import GitIgnorePatternError  # noqa: PLC0415  70 ms, only if used
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415  likewise

    for name, members in POSIX_CLASSES.items():
        line = line.replace(name, members)
    folders_only = line.rstrip(" ").endswith("/")
    if line.endswith("/**/"):  # the folders below, which pathspec takes for the folder itself
        line = f"{line}*/"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `re` wonders about sets that a person may well write
            translated = GitIgnoreSpecPattern(line)
    except (GitIgnorePatternError, re.error):
        return None
    if translated.include is None or translated.regex is None:
        return None
    pattern: re.Pattern[str] = translated.regex
    whole = "ps_d" in pattern.groupindex and pattern.pattern.startswith("^")
    return Rule(bool(translated.include), folders_only, pattern, whole)


def _excluded(standing: Standing, path: str, *, is_folder: bool) -> bool:
    for start, rules in standing.says:
        for rule in reversed(rules):
            if rule.matches(path[start:], is_folder=is_folder):
                return rule.excludes
    return False
