"""Black, Ruff and Prettier: how they are had, their options, and what they may change."""

import importlib.util
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from proof.compiled_sources import files_under, npm_package, ran, wheel
from proof.formatter import Flip, Formatter, HandWritten, Hunk, Rewriting, argv_of

Fetch = Callable[[Path, str], Path | str]

PYTHON = ("django==5.2.5", "sympy==1.13.3", "pydantic==2.11.7", "rich==14.0.0")
SCRIPTS = ("three@0.187.0", "@wordpress/block-editor@18.0.0")
TYPED = ("rxjs@7.8.2", "zod@4.6.7", "@wordpress/components@41.0.0", "@reduxjs/toolkit@2.15.0")
MARKUP = ("@wordpress/components@41.0.0",)
PRETTIER = "prettier@3.10.1"
FIXTURES = Path(__file__).parents[2] / "tests" / "languages" / "fixtures"  # every construct of the language

BLACK = (
    "--line-length 40",
    "--line-length 200 --skip-string-normalization --skip-magic-trailing-comma",
    "--line-length 88",
    "--line-length 88 --skip-magic-trailing-comma --target-version py313",
    "--line-length 40 --skip-string-normalization --target-version py313",
)
RUFF = (
    "line-length=40 format.quote-style='single'",
    "line-length=200 format.skip-magic-trailing-comma=true",
    "line-length=88",
    "line-length=88 format.quote-style='preserve' format.docstring-code-format=true",
    "line-length=40 format.indent-style='tab' target-version='py313'",
)
# The defaults are: semicolons, double quotes, trailing commas everywhere, two blanks, parentheses, 80 columns.
PRETTIER_OPTIONS = (
    "--print-width 40 --tab-width 4 --trailing-comma none --arrow-parens avoid",
    "--print-width 140 --no-semi --single-quote --jsx-single-quote --use-tabs --bracket-same-line",
    "",
    "--trailing-comma es5 --quote-props consistent --object-wrap collapse",
    "--no-semi --print-width 40 --quote-props preserve --no-bracket-spacing --experimental-operator-position start",
    "--print-width 140 --experimental-ternaries --single-attribute-per-line",
)


def from_packages(fetch: Fetch, wanted: tuple[str, ...], *suffixes: str) -> Callable[[Path], list[Path] | str]:
    def sources(cache: Path) -> list[Path] | str:
        cache.mkdir(parents=True, exist_ok=True)
        folders = [fetch(cache, name) for name in wanted]
        files = [file for folder in folders for file in files_under(folder, *suffixes) if is_written(file)]
        reasons = [folder for folder in folders if isinstance(folder, str)]
        return [*files, *files_under(FIXTURES, *suffixes)] if files else "; ".join(reasons)

    return sources


def is_written(file: Path) -> bool:
    """Not what a build tool wrote."""
    return not {"dist", "build", "build-module", "build-types"} & set(file.parts)


def black(_cache: Path, options: str) -> list[str] | str:
    if importlib.util.find_spec("black") is None:
        return "Black is not installed: pip install anchormem[bench]"
    return argv_of(sys.executable, options, "-m", "black", "--quiet", "--fast", "--no-cache")


def ruff(_cache: Path, options: str) -> list[str] | str:
    tool = shutil.which("ruff") or str(Path(sys.executable).with_name("ruff"))
    if not Path(tool).exists():
        return "Ruff is not installed: pip install anchormem[dev]"
    settings = [word for option in options.split() for word in ("--config", option)]
    return [tool, "format", "--quiet", "--isolated", "--no-cache", *settings]


def prettier(cache: Path, options: str) -> list[str] | str:
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "npm is not installed"
    folder = cache / "prettier"
    tool = folder / "node_modules" / "prettier" / "bin" / "prettier.cjs"
    if not tool.exists():
        folder.mkdir(parents=True, exist_ok=True)
        wrong = ran(["npm", "install", "--silent", "--no-audit", "--prefix", str(folder), PRETTIER], folder)
        if wrong:
            return wrong
    return argv_of("node", options, str(tool), "--write", "--no-config", "--no-editorconfig", "--log-level", "error")


STYLED = re.compile(r"\b(?:css|styled|keyframes|createGlobalStyle|injectGlobal|html|graphql|gql|markdown|md)\b[^`]*`")


LAYOUT_OF_CSS = re.compile(r"\s+|;|'|\"")
OWN_STRING = re.compile(r"(['\"])(?:.*\1)?", re.DOTALL)  # of the script, not a quote that CSS holds


def is_embedded(hunk: Hunk, flip: Flip) -> bool:
    """Text of a template literal where a tag calls it another language, and only blanks, quotes and `;` differ."""
    before, after = (LAYOUT_OF_CSS.sub("", "".join(side)) for side in (hunk.before, hunk.after))
    between = hunk.ahead[-1:] == ("}",) and hunk.behind[:1] == ("${",)
    quoted = not between and any(OWN_STRING.fullmatch(token) for token in (*hunk.before, *hunk.after))
    return before == after and not quoted and STYLED.search(flip.before) is not None


INDEX_SIGNATURE = re.compile(r"[^;,{\s][ \t]*\n\s*(?:readonly )?\[[\w$]+: ")


def is_unread(hunk: Hunk, flip: Flip) -> bool:
    """Equal tokens, and a line without a semicolon before an index signature."""
    bare = "--no-semi" in flip.options and INDEX_SIGNATURE.search(flip.after) is not None
    return bare and not hunk.before and not hunk.after


AHEAD = re.compile(r"^\s*;[(\[`+/-]", re.MULTILINE)


def semicolon_ahead(hunk: Hunk, flip: Flip) -> bool:
    added = (hunk.before, hunk.after) == ((), (";",))
    return added and "--no-semi" in flip.options and AHEAD.search(flip.after) is not None


FORMATTERS: tuple[Formatter, ...] = (
    Formatter("Black", "python", BLACK, black, from_packages(wheel, PYTHON, ".py")),
    Formatter("Ruff", "python", RUFF, ruff, from_packages(wheel, PYTHON, ".py")),
    Formatter("Prettier", "javascript", PRETTIER_OPTIONS, prettier, from_packages(npm_package, SCRIPTS, ".js", ".jsx")),
    Formatter("Prettier", "typescript", PRETTIER_OPTIONS, prettier, from_packages(npm_package, TYPED, ".ts")),
    Formatter("Prettier", "tsx", PRETTIER_OPTIONS, prettier, from_packages(npm_package, MARKUP, ".tsx")),
)
BY_HAND: tuple[HandWritten, ...] = ()
EXCEPTIONS: tuple[Rewriting, ...] = (
    Rewriting(
        "Prettier",
        "embedded language",
        "the text of a template literal tagged css, html, graphql… is laid out anew; it is a string, its blanks count",
        is_embedded,
    ),
    Rewriting(
        "Prettier",
        "index signature without semicolon",
        "`a: string` and `[key: string]: b` on the next line: the grammar takes the bracket for an index of the type, "
        "which is a parse error; the memory is unknown, never stale",
        is_unread,
    ),
    Rewriting(
        "Prettier",
        "semicolon ahead of a bracket",
        "a line that begins with a bracket gets a `;` before it, which is an empty statement after a declaration",
        semicolon_ahead,
    ),
)
