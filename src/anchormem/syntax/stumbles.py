"""C and C++ that only the preprocessor can read: macros among the words of a declaration, lines that are a macro alone.

To a parser `API int f(void)` is one word too many, and it takes what follows for something else. Such words are hidden
from it, and read by the walk all the same. What is hidden is told by the words around it alone, never by whether the
file parses. Works on bytes alone.
"""

import re
from collections.abc import Iterator
from typing import Final

# A macro by its looks.
UPPER: Final = rb"[A-Z_][A-Z0-9_]{2,}\b"
ARGUMENTS: Final = rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
NAME: Final = rb"[A-Za-z_~]\w*"
SCOPED: Final = rb"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*(?:<[^;{}()]{0,200}>)?"
NO_TYPE: Final = (
    rb"(?!(?:alignas|and|asm|break|case|catch|class|co_await|co_return|co_yield|compl|concept|const|continue|default|delete"
    rb"|do|else|enum|explicit|export|extern|final|for|friend|goto|if|import|inline|long|module|mutable|namespace|new|noexcept"
    rb"|not|operator|or|override|private|protected|public|register|requires|return|short|signed|sizeof|static|struct|switch"
    rb"|template|thread_local|throw|try|typedef|typename|union|unsigned|using|virtual|volatile|while|xor|constexpr|consteval"
    rb"|constinit|restrict|auto|alignof|decltype|typeof|__\w+|_[A-Z]\w+)\b)"
)
BUILT_IN: Final = rb"(?:void|char|int|float|double|bool)\b"
STARTS_TYPE: Final = (
    rb"(?:void|char|int|float|double|bool|long|short|unsigned|signed|struct|union|enum|static|extern|inline|_Bool)\b"
)

HIDDEN: Final = (
    # API int f(…), API const char *name = …
    re.compile(
        rb"(?<![\w.>#])(?P<macro>" + UPPER + rb")(?=(?:\s+(?:const|volatile|static|inline|extern))*\s+"
        + NO_TYPE + SCOPED + rb"(?:\s+const)?(?:\s+|\s*[*&]+\s*)(?:const\s+)?"
        + rb"(?!(?:const|volatile|operator)\b)(?:\w+::)*" + NAME + rb"\s*[(\[;={,:])"
    ),
    # local int f(…), z_const char *name
    re.compile(
        rb"(?<![\w.>#])(?P<macro>" + NO_TYPE + rb"(?!" + BUILT_IN + rb")[A-Za-z_]\w*)(?=\s+" + STARTS_TYPE + rb")"
    ),
    # int API f(…), struct state FAR *name
    re.compile(
        rb"(?<![\w.>#])(?:" + NO_TYPE + rb")\w+(?<![0-9])[\s]+(?P<macro>" + UPPER
        + rb"(?:\s*\*\s*" + UPPER + rb")*)(?=\s+" + NAME + rb"\s*\(|\s*\*+\s*(?:const\s+)?" + NAME + rb"\s*[;,=)\[])"
    ),
    re.compile(rb"\w\s*[*&]+\s*(?P<macro>" + UPPER + rb")(?=\s+" + NAME + rb"\s*\()"),
    # class API Name {
    re.compile(
        rb"\b(?:class|struct|union)\s+(?P<macro>" + UPPER + rb"(?:" + ARGUMENTS + rb")?)(?=\s+" + NAME
        + rb"\s*(?:final\s*)?[:{])"
    ),
    # int x __attribute__((unused)) = 1;
    re.compile(rb"(?<=[\w\]])\s*(?P<macro>\b__attribute(?:__)?\s*" + ARGUMENTS + rb")(?=\s*[;=,])"),
)  # fmt: skip
LONE: Final = re.compile(
    rb"^[ \t]*(?P<macro>(?P<name>" + UPPER + rb")(?P<arguments>[ \t]*" + ARGUMENTS + rb")?)[ \t]*$", re.MULTILINE
)
BLOCK: Final = re.compile(rb"BEGIN|END|NAMESPACE|DECLS")  # a line that opens or closes something
BEFORE_LINE: Final = frozenset(b";{}:>")
WORD: Final = re.compile(rb"\w")
MACROS: Final = re.compile(rb"\b" + UPPER)


def hidden(clean: bytes) -> Iterator[tuple[int, int]]:
    """What to hide of a source in which comments, literals and directives are blank already."""
    for pattern in HIDDEN:
        for found in pattern.finditer(clean):
            start, end = found.span("macro")
            if b"*" in found["macro"]:
                yield from ((start + each.start(), start + each.end()) for each in MACROS.finditer(found["macro"]))
            else:
                yield start, end
    for found in LONE.finditer(clean):
        if stands_alone(clean, found):
            yield found.span("macro")


def stands_alone(clean: bytes, found: re.Match[bytes]) -> bool:
    """Whether a line that is nothing but a macro is a statement or declaration of its own."""
    before, after = clean[: found.start()].rstrip()[-1:], clean[found.end() : found.end() + 4000].lstrip()[:1]
    if before and before[0] not in BEFORE_LINE:
        return False
    if BLOCK.search(found["name"]):
        return after not in {b"{", b"(", b"="}
    return found["arguments"] is not None and (
        not after or after in {b"}", b"[", b"~"} or WORD.match(after) is not None
    )
