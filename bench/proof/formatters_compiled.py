"""clang-format, gofmt, rustfmt and google-java-format: how they are had, their options, and what they may change."""

import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

from proof.compiled_sources import crates, files_under, go_modules, java_sources, maven_jar, npm_package, wheel
from proof.formatter import Flip, Formatter, HandWritten, Hunk, Rewriting, argv_of
from proof.loosen import loosened

CLANG_FORMAT = "clang-format==22.1.8"
GOOGLE_JAVA_FORMAT = "com.google.googlejavaformat:google-java-format:1.28.0:jar:all-deps"
CRATES = {
    "clap_builder": "4",
    "indexmap": "2",
    "itertools": "0.13",
    "regex": "1",
    "serde_json": "1",
    "syn": "2",
    "tokio": "1",
    "cxx": "1",
    "lz4-sys": "1",
    "libz-sys": "1",
    "zstd-sys": "2",
}
MODULES = (
    "github.com/gin-gonic/gin@v1.9.1",
    "github.com/spf13/cobra@v1.8.0",
    "github.com/stretchr/testify@v1.9.0",
    "golang.org/x/tools@v0.20.0",
)
JARS = (
    "com.google.guava:guava:33.2.0-jre:jar:sources",
    "com.fasterxml.jackson.core:jackson-databind:2.17.0:jar:sources",
    "org.apache.commons:commons-lang3:3.14.0:jar:sources",
)
WHEELS = ("pybind11==2.13.6", "nanobind==2.4.0")
NODE = ("node-addon-api@8.3.0", "nan@2.22.0", "hiredis@0.5.0", "node-expat@2.4.1")

STYLES = ("--style=LLVM", "--style=WebKit", "--style=Google", "--style=Mozilla")
RUSTFMT = (
    "--edition 2021 --config max_width=60",
    "--edition 2021 --config max_width=140,use_small_heuristics=Max,hard_tabs=true",
    "--edition 2021 --config use_small_heuristics=Off,match_block_trailing_comma=true,newline_style=Windows",
    "--edition 2021 --config fn_params_layout=Vertical,force_explicit_abi=false,match_arm_leading_pipes=Always",
    "--edition 2021 --config remove_nested_parens=false,reorder_imports=false,merge_derives=false,tab_spaces=2",
)
EACH_RUST = 'for f; do rustfmt {} < "$f" > "$f.new" && mv "$f.new" "$f"; done'  # a file named drags its modules in


def clang_format(cache: Path, options: str) -> list[str] | str:
    beside = Path(sys.executable).parent
    tool = shutil.which("clang-format", path=os.pathsep.join((str(beside), os.environ.get("PATH", ""))))
    if tool is None:
        folder = wheel(cache, CLANG_FORMAT)
        if isinstance(folder, str):
            return folder
        fetched = folder / "clang_format" / "data" / "bin" / "clang-format"
        fetched.chmod(0o755)
        tool = str(fetched)
    return argv_of(tool, options, "-i")


def gofmt(_cache: Path, options: str) -> list[str] | str:
    return argv_of("gofmt", options, "-w") if shutil.which("gofmt") else "gofmt is not installed"


def rustfmt(_cache: Path, options: str) -> list[str] | str:
    if shutil.which("rustfmt") is None:
        return "rustfmt is not installed"
    return ["sh", "-c", EACH_RUST.format(options), "rustfmt"]


def google_java_format(cache: Path, options: str) -> list[str] | str:
    if shutil.which("java") is None:
        return "java is not installed"
    jar = maven_jar(cache, GOOGLE_JAVA_FORMAT)
    return jar if isinstance(jar, str) else argv_of("java", options, "-jar", str(jar), "--replace")


def c_files(cache: Path) -> list[Path] | str:
    folder = crates(cache, CRATES)
    return [*files_under(folder, ".c"), *node_files(cache, ".c")] or str(folder)


def cpp_files(cache: Path) -> list[Path] | str:
    wheels = [file for name in WHEELS for file in files_under(wheel(cache, name), ".h", ".hpp", ".cpp")]
    return [*wheels, *node_files(cache, ".cc", ".hpp")] or "neither PyPI nor npm could be reached"


def node_files(cache: Path, *suffixes: str) -> list[Path]:
    return [file for name in NODE for file in files_under(npm_package(cache, name), *suffixes)]


def rust_files(cache: Path) -> list[Path] | str:
    folder = crates(cache, CRATES)
    return folder if isinstance(folder, str) else files_under(folder, ".rs")


def java_files(cache: Path) -> list[Path] | str:
    folders = [java_sources(cache, jar) for jar in JARS]
    return [file for folder in folders for file in files_under(folder, ".java")] or str(folders[0])


def go_files(cache: Path) -> list[Path] | str:
    """Published Go is formatted already: its tokens are laid out anew first."""
    modules = go_modules(cache, MODULES)
    if isinstance(modules, str):
        return modules
    made = cache / "go" / "loose"
    for folder in modules if not made.exists() else ():
        for file in files_under(folder, ".go"):
            loose = made / folder.name / "_".join(file.relative_to(folder).parts)
            loose.parent.mkdir(parents=True, exist_ok=True)
            loose.write_text(loosened(file.read_text("utf-8")), "utf-8")
    return sorted(made.rglob("*.go"))


# ── what tokens they change ─────────────────────────────────────────────────────────────────────────────────────────

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"].*?[>\"])", re.MULTILINE)
IMPORT = re.compile(r"^import\s+(.*?)\s*;", re.MULTILINE)
USING = re.compile(r"\busing\s+([\w:]+)\s*;")
USE = re.compile(r"\buse\s+[^;]*;")
GO_PATH = re.compile(r'"([\w./-]+)"')
WORDS = re.compile(r"\w+")
MACRO = re.compile(r"\b\w+!\s*\w*\s*[(\[{]")
DERIVE = re.compile(r"#\s*\[\s*derive\s*\(([^()]*)\)\s*\]")
CLOSERS = frozenset({")", "]", "}"})


MACRO_WORD = re.compile(r"^[A-Z]{3,}_")


def both(hunk: Hunk) -> tuple[str, ...]:
    return hunk.before + hunk.after


def includes_sorted(hunk: Hunk, flip: Flip) -> bool:
    told = all(said == "#include" or said[:1] in {'"', "<"} for said in both(hunk))
    return told and bool(both(hunk)) and set(INCLUDE.findall(flip.before)) == set(INCLUDE.findall(flip.after))


def using_sorted(hunk: Hunk, flip: Flip) -> bool:
    names = set(WORDS.findall(" ".join(USING.findall(flip.before))))
    told = all(token in names or token in {"using", "::", ";"} for token in both(hunk))
    return told and bool(both(hunk)) and sorted(USING.findall(flip.before)) == sorted(USING.findall(flip.after))


def imports_sorted(hunk: Hunk, flip: Flip) -> bool:
    """Sorted, and without those that nothing uses."""
    names = set(WORDS.findall(" ".join(IMPORT.findall(flip.before))))
    told = all(token in names or token in {"import", "static", ".", "*", ";"} for token in both(hunk))
    return told and bool(both(hunk)) and set(IMPORT.findall(flip.before)) >= set(IMPORT.findall(flip.after))


def uses_sorted(hunk: Hunk, flip: Flip) -> bool:
    words = [Counter(WORDS.findall(" ".join(USE.findall(text)))) for text in (flip.before, flip.after)]
    told = all(token in words[0] or token in {"::", "{", "}", ",", ";", "*"} for token in both(hunk))
    return told and bool(both(hunk)) and words[0] == words[1]


JOINTS = re.compile(r'["+\s]')


def string_broken(hunk: Hunk, flip: Flip) -> bool:
    """One literal as a sum of literals, or the other way round: equal but for quotes, `+` and the blanks around it."""
    whole = [JOINTS.sub("", text) for text in (flip.before, flip.after)]
    sides = [JOINTS.sub("", "".join(side)) for side in (hunk.before, hunk.after)]
    is_text = any(" " in token for token in both(hunk)) or set(both(hunk)) <= {'"', "+"}
    return is_text and sides[0] in whole[1] and sides[1] in whole[0] and "+" in flip.after


def comma_in_macro(hunk: Hunk, flip: Flip) -> bool:
    return (
        both(hunk) == (",",) and hunk.behind[:1] != () and hunk.behind[0] in CLOSERS and bool(MACRO.search(flip.before))
    )


def sign_apart(hunk: Hunk, flip: Flip) -> bool:
    """`sizeof(x) -1` as `sizeof(x) - 1`: the parser takes the first for a cast of −1."""
    before, after = ("".join(side).replace(" ", "") for side in (hunk.before, hunk.after))
    return before == after and before[:1] in {"-", "+"} and "sizeof" in flip.before


def go_imports_sorted(hunk: Hunk, flip: Flip) -> bool:
    lists = [sorted(GO_PATH.findall(text)) for text in (flip.before, flip.after)]
    return flip.what == "file" and lists[0] == lists[1] and set(both(hunk)) <= {*GO_PATH.findall(flip.before), '"'}


def text_indented(hunk: Hunk, _flip: Flip) -> bool:
    """Lines of a literal that is continued: the same but for the blanks they begin with."""
    before, after = ([line.strip() for line in "".join(side).split("\n")] for side in (hunk.before, hunk.after))
    return before == after and any(before)


def derives_merged(_hunk: Hunk, flip: Flip) -> bool:
    """`#[derive(A)] #[derive(B)]` as one: nothing else of the attributes before the definition differs."""
    lists = [DERIVE.findall(text) for text in (flip.before, flip.after)]
    rest = ["".join(DERIVE.sub("", text).split()).replace(",", "") for text in (flip.before, flip.after)]
    names = [sorted(WORDS.findall(" ".join(found))) for found in lists]
    return len(lists[0]) > len(lists[1]) > 0 and names[0] == names[1] and rest[0] == rest[1]


def macro_before_function(hunk: Hunk, flip: Flip) -> bool:
    """A word that only the preprocessor knows: whose the head of the next function is goes by where lines end."""
    head = "".join(hunk.before + hunk.after)
    return flip.language == "c" and MACRO_WORD.search(head) is not None and head.endswith("){")


def function_named_by_macro(hunk: Hunk, flip: Flip) -> bool:
    """No token differs; `NAME(f)(int a)` is a call or a declaration, by its lines."""
    return flip.language == "c" and not both(hunk) and re.search(r"\b[A-Z]{3,}\(\w+\)\s*\(", flip.before) is not None


def types_left_out(hunk: Hunk, flip: Flip) -> bool:
    """`[][]T{[]T{…}}` becomes `[][]T{{…}}`."""
    return flip.options == "-s" and not hunk.after and hunk.behind[:1] == ("{",) and hunk.ahead[-1:] != ()


def pipe_in_macro(hunk: Hunk, flip: Flip) -> bool:
    """In the body of a macro there are only tokens: no telling which `|` begins a pattern."""
    is_first = hunk.ahead[-1:] != () and (hunk.ahead[-1] in {"{", ","} or hunk.ahead[-1] in CLOSERS)
    return both(hunk) == ("|",) and is_first and "macro_rules!" in flip.before


EXCEPTIONS: tuple[Rewriting, ...] = (
    Rewriting("clang-format", "includes sorted", "their order is what the preprocessor reads", includes_sorted),
    Rewriting("clang-format", "using declarations sorted", "declarations are code in order", using_sorted),
    Rewriting("clang-format", "sign apart from its number", "`-1` is one token, `- 1` are two", sign_apart),
    Rewriting("gofmt", "imports sorted", "their order is that of initialisation", go_imports_sorted),
    Rewriting("google-java-format", "imports sorted", "and those that nothing uses are dropped", imports_sorted),
    Rewriting(
        "google-java-format clang-format", "long string broken", "one literal becomes a sum of several", string_broken
    ),
    Rewriting("clang-format", "macro before a function", "the grammar loses its way there", macro_before_function),
    Rewriting("clang-format", "function named by a macro", "the grammar takes it for a call", function_named_by_macro),
    Rewriting("gofmt", "types left out of literals", "`-s` drops tokens that the type around says", types_left_out),
    Rewriting("rustfmt", "use declarations sorted", "declarations are code in order", uses_sorted),
    Rewriting("rustfmt", "lines of text indented", "blanks in a literal count", text_indented),
    Rewriting("rustfmt", "derives merged", "two attributes become one", derives_merged),
    Rewriting("rustfmt", "first | of a pattern in a macro", "a macro's body is tokens", pipe_in_macro),
    Rewriting("rustfmt", "comma in a macro call", "a macro may see the last comma of its tokens", comma_in_macro),
)

FORMATTERS: tuple[Formatter, ...] = (
    Formatter("clang-format", "c", STYLES, clang_format, c_files, (60_000, 2_000_000)),
    Formatter("clang-format", "cpp", STYLES, clang_format, cpp_files, (60_000, 2_000_000)),
    Formatter("gofmt", "go", ("", "-s"), gofmt, go_files, (60_000, 3_000_000)),
    Formatter("google-java-format", "java", ("", "--aosp"), google_java_format, java_files, (60_000, 2_000_000)),
    Formatter("rustfmt", "rust", RUSTFMT, rustfmt, rust_files, (60_000, 1_500_000)),
)
BY_HAND: tuple[HandWritten, ...] = ()
