"""What the formatters of PHP, Ruby, Bash and C# change beyond the tables, by name, and how each is told."""

import re
from dataclasses import replace

from proof.formatter import Flip, Hunk, Rewriting

FIXER = "PHP-CS-Fixer"
COMPARISONS = frozenset({"===", "!==", "==", "!=", "<", ">", "<=", ">="})
DEFAULT_NULL = 8  # tokens between a type and the `null` its parameter defaults to
MEMBER = re.compile(r"\bfunction\s+&?\s*(\w+)|\bconst\s+(\w+)|\bcase\s+(\w+)|(\$\w+)\s*[=;]")
PHP_USE = re.compile(r"^\s*use\s+[^;{(]*(?:\{[^}]*\})?\s*;", re.MULTILINE)
RUBY_LINES = re.compile(r"<<[~-]|/[a-z]*x|%r.*x", re.DOTALL)
CSHARP_USING = re.compile(r"^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.=<>, ]+?)\s*;", re.MULTILINE)
WORDS = re.compile(r"\w+")
MODIFIERS = frozenset(
    {"public", "private", "protected", "internal", "static", "readonly", "override", "virtual", "abstract", "sealed"}
    | {"async", "new", "unsafe", "extern", "partial", "volatile", "required"}
)


def told(hunk: Hunk) -> tuple[str, ...]:
    return hunk.before + hunk.after


def yoda(hunk: Hunk, flip: Flip) -> bool:
    """An operand and its comparison go to the other side: the operand is still there, with a comparison before it."""
    said = hunk.before or hunk.after
    if (hunk.before and hunk.after) or not said or not COMPARISONS & {said[0], said[-1]}:
        return False
    words = set(WORDS.findall(" ".join(said)))
    return all(words <= set(WORDS.findall(text)) for text in (flip.before, flip.after))


def moved_step(hunk: Hunk, flip: Flip) -> bool:
    """`$a++;` is `++$a;` where nothing takes its value."""
    return set(told(hunk)) in ({"++"}, {"--"}) and all(
        flip.before.count(step) == flip.after.count(step) for step in ("++", "--")
    )


def echoed(hunk: Hunk, flip: Flip) -> bool:
    written_out = " ".join(told(hunk)).split() == ["<?=", "<?php", "echo"]
    return written_out and flip.before.count("<?=") > flip.after.count("<?=")


def ended_by_tag(hunk: Hunk, _flip: Flip) -> bool:
    return told(hunk) == (";",) and hunk.behind[:1] == ("?>",)


def traits_apart(hunk: Hunk, _flip: Flip) -> bool:
    return (hunk.before, "".join(hunk.after)) == ((",",), ";use")


def said_nullable(hunk: Hunk, _flip: Flip) -> bool:
    return not hunk.before and hunk.after[:1] == ("?",) and "null" in hunk.behind[:DEFAULT_NULL]


def global_name(hunk: Hunk, flip: Flip) -> bool:
    """A name gets the backslash it was found by anyway, or loses it to an import."""
    name = hunk.behind[0] if hunk.behind else ""
    full = re.compile(rf"\\{re.escape(name)}\b")
    return bool(name) and set(told(hunk)) <= {"\\", "?"} and any(map(full.search, (flip.before, flip.after)))


def visibility_said(hunk: Hunk, _flip: Flip) -> bool:
    return (hunk.before, hunk.after) == ((), ("public",)) and hunk.behind[:1] == ("const",)


def null_dropped(hunk: Hunk, _flip: Flip) -> bool:
    """`private $a = null;` without what it is anyway."""
    return (hunk.before, hunk.after) == (("=", "null"), ()) and hunk.behind[:1] == (";",)


def else_dropped(hunk: Hunk, flip: Flip) -> bool:
    """No `else` after what always leaves: the word goes, and its braces."""
    fewer = flip.before.count("else") > flip.after.count("else")
    return fewer and not hunk.after and hunk.before in {("else", "{"), ("}",)}


def parentheses_added(hunk: Hunk, flip: Flip) -> bool:
    return not hunk.before and hunk.after in {("(",), (")",)} and flip.before.count("(") < flip.after.count("(")


def braced(hunk: Hunk, flip: Flip) -> bool:
    """Tokens are equal but for braces around a variable in a string or a member."""
    bare = ("".join(side).translate({123: None, 125: None}) for side in (hunk.before, hunk.after))
    return len(set(bare)) == 1 and flip.before.count("}") < flip.after.count("}")


def members_in_order(_hunk: Hunk, flip: Flip) -> bool:
    """The members of a class are the same in another order. Each is judged by itself as well."""
    before, after = (["".join(found) for found in MEMBER.findall(text)] for text in (flip.before, flip.after))
    return before != after and sorted(before) == sorted(after)


def php_imports(hunk: Hunk, flip: Flip) -> bool:
    return flip.what == "file" and in_statements(hunk, flip, PHP_USE)


def usings_in_order(hunk: Hunk, flip: Flip) -> bool:
    before, after = (sorted(CSHARP_USING.findall(text)) for text in (flip.before, flip.after))
    return before == after and in_statements(hunk, flip, CSHARP_USING)


def in_statements(hunk: Hunk, flip: Flip, statement: re.Pattern[str]) -> bool:
    """Whether every word of the difference stands in such statements."""
    found = " ".join(m[0] for text in (flip.before, flip.after) for m in statement.finditer(text))
    return bool(told(hunk)) and set(WORDS.findall(" ".join(told(hunk)))) <= set(WORDS.findall(found))


def conditional_include(hunk: Hunk, _flip: Flip) -> bool:
    return (hunk.before, hunk.after) in {(("require",), ("include",)), (("require_once",), ("include_once",))}


def same_lines(hunk: Hunk) -> bool:
    """Text that is the same but for the blanks before and behind its lines."""
    before, after = ([line.strip() for line in "".join(side).split("\n")] for side in (hunk.before, hunk.after))
    return bool(told(hunk)) and before == after and len(before) > 1


def indented_text(hunk: Hunk, flip: Flip) -> bool:
    return RUBY_LINES.search(flip.before) is not None and same_lines(squiggly(hunk))


def squiggly(hunk: Hunk) -> Hunk:
    """With `<<-` for `<<~`: a here-document that is to be indented needs the other opener."""
    before, after = (tuple(token.replace("<<~", "<<-") for token in side) for side in (hunk.before, hunk.after))
    return replace(hunk, before=before, after=after)


def quoted_backslash(hunk: Hunk, _flip: Flip) -> bool:
    """The same text here; with another letter behind the backslash it would be another."""
    before, after = "".join(hunk.before), "".join(hunk.after)
    one, other = (side[1:-1].replace('\\"', '"').replace("\\'", "'") for side in (before, after))
    return (before[:1] + after[:1] in {"\"'", "'\""} or '\\"' in before) and one == other and "\\" in before + after


def indented_raw(hunk: Hunk, flip: Flip) -> bool:
    return '"""' in flip.before and same_lines(hunk)


def indented_html(hunk: Hunk, flip: Flip) -> bool:
    return ("?>" in flip.before or "<<<" in flip.before) and same_lines(hunk)


def modifiers_in_order(hunk: Hunk, flip: Flip) -> bool:
    """`readonly static` is `static readonly`: as many of each."""
    words = set(told(hunk))
    return bool(words) and words <= MODIFIERS and all(flip.before.count(w) == flip.after.count(w) for w in words)


def second_mark(hunk: Hunk, _flip: Flip) -> bool:
    return told(hunk) == ("\ufeff",)


def blanks_in_subscript(hunk: Hunk, _flip: Flip) -> bool:
    """`${a[i-1]}` is `${a[i - 1]}`; the grammar takes the first for a word."""
    sides = {"".join(side).replace(" ", "") for side in (hunk.before, hunk.after)}
    return bool(told(hunk)) and len(sides) == 1 and hunk.ahead[-1:] == ("[",)


def blanks_in_pattern(hunk: Hunk, _flip: Flip) -> bool:
    """`@(a|b)` in a `case`: the grammar takes the inner `|` for one between patterns, and so does shfmt."""
    sides = {"".join(side).replace(" ", "") for side in (hunk.before, hunk.after)}
    return len(sides) == 1 and "|" in "".join(told(hunk)) and "@" in "".join(told(hunk))


def names_imported(hunk: Hunk, _flip: Flip) -> bool:
    """`Events\\Done` becomes `Done`, or its alias."""
    plain = all(re.fullmatch(r"[\\\w]+", token) for token in "".join(told(hunk)).split())
    return plain and "\\" in "".join(hunk.before) and "\\" not in "".join(hunk.after)


def pattern_closed(hunk: Hunk, _flip: Flip) -> bool:
    return ("".join(hunk.before), "".join(hunk.after)) in {("}", "/}"), ("/}", "//}")}


def glued_line(hunk: Hunk, flip: Flip) -> bool:
    """A continued line right behind a word: the grammar glues the next word to it, no token differs."""
    return not told(hunk) and re.search(r"\S\\\n\s", flip.before) is not None


EXCEPTIONS: tuple[Rewriting, ...] = (
    Rewriting(
        FIXER,
        "conditions the other way round",
        "`$a === null` becomes `null === $a`: operands are evaluated in another order",
        yoda,
    ),
    Rewriting(FIXER, "steps before", "`$a++` becomes `++$a`: the value of the expression differs", moved_step),
    Rewriting(f"phpcbf {FIXER}", "echo tags", "`<?=` becomes `<?php echo`: other tokens", echoed),
    Rewriting(
        f"phpcbf {FIXER}", "a use for each trait", "`use A, B;` becomes `use A; use B;`: a statement more", traits_apart
    ),
    Rewriting(FIXER, "visibility of constants", "`const A` becomes `public const A`: a token more", visibility_said),
    Rewriting(FIXER, "null that is the default", "`$a = null;` of a property becomes `$a;`", null_dropped),
    Rewriting(FIXER, "no else after a return", "`else {` and its brace go: another tree", else_dropped),
    Rewriting("phpcbf", "parentheses around operands", "`$a = $b ?? c` becomes `$a = ($b ?? c)`", parentheses_added),
    Rewriting(
        f"Prettier-PHP phpcbf {FIXER}",
        "no semicolon before ?>",
        "`<?= $a; ?>` becomes `<?= $a ?>`: the tag ends the statement, and a token goes",
        ended_by_tag,
    ),
    Rewriting(
        FIXER,
        "nullable types said",
        "`A $a = null` becomes `?A $a = null`: the declared type is another token, and deprecated without it",
        said_nullable,
    ),
    Rewriting(
        FIXER,
        "global names qualified",
        "`Exception` becomes `\\Exception`: the same only where the namespace has no class of that name",
        global_name,
    ),
    Rewriting(FIXER, "names imported", "`A\\B` becomes `B` and a `use` of it: other tokens", names_imported),
    Rewriting(
        FIXER,
        "imports sorted",
        "`use` statements change order or go: which names a file has is its code",
        php_imports,
    ),
    Rewriting(
        FIXER,
        "members in order",
        "methods, constants and properties of a class change places; the order of members counts",
        members_in_order,
    ),
    Rewriting(
        FIXER,
        "variables in braces",
        '`"$a"` becomes `"{$a}"`: two tokens more, and `"$a[b]"` is not `"{$a[b]}"`',
        braced,
    ),
    Rewriting(
        "phpcbf",
        "text indented",
        "blanks in HTML and here-documents change, and the page with them",
        indented_html,
    ),
    Rewriting(
        "phpcbf",
        "include for require",
        "a `require` in a condition becomes `include`, which fails otherwise",
        conditional_include,
    ),
    Rewriting(
        "RuboCop",
        "lines of text indented",
        "lines of here-documents and of `/x` patterns are moved: blanks in them count",
        indented_text,
    ),
    Rewriting(
        "RuboCop", "quotes around a backslash", "whether both quotes say the same is more than tokens", quoted_backslash
    ),
    Rewriting("CSharpier", "usings in order", "`using` directives are sorted: the order counts", usings_in_order),
    Rewriting(
        "CSharpier",
        "raw strings indented",
        "lines of a raw string move with its closing quotes; blanks in strings count",
        indented_raw,
    ),
    Rewriting("CSharpier", "modifiers in order", "`readonly static` becomes `static readonly`", modifiers_in_order),
    Rewriting("CSharpier", "second byte order mark", "a second mark at the start is a token, and goes", second_mark),
    Rewriting(
        "shfmt", "blanks in subscripts", "`a[i-1]` becomes `a[i - 1]`: blanks count in words", blanks_in_subscript
    ),
    Rewriting("shfmt", "blanks in a pattern", "`@(a|b)` becomes `@(a | b)`: another pattern", blanks_in_pattern),
    Rewriting("shfmt", "patterns closed", "`${a/b}` becomes `${a/b/}`: a token more", pattern_closed),
    Rewriting(
        "shfmt", "lines continued right behind a word", "the kind of the word differs for the grammar", glued_line
    ),
)
