"""Repositories of any size, made from a seed: files in six languages, every function unlike every other.

What the size benches (lag, load, scale) run on. Nothing here imports anchormem.
"""

import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")
GIT = (*IDENTITY, "-c", "gc.auto=0")  # git's own tidying in the background would be measured too
VERBS = (
    "settle",
    "merge",
    "rank",
    "drain",
    "verify",
    "route",
    "encode",
    "replay",
    "prune",
    "audit",
    "resolve",
    "charge",
)
NOUNS = ("invoice", "ledger", "batch", "session", "token", "cursor", "tenant", "shipment", "webhook", "quota", "report")
REASONS = (
    "the gateway refuses more rows, measured under load",
    "a retry after a timeout doubled the charge once",
    "the vendor's clock runs a minute behind ours",
    "older clients send the field without a unit",
    "two workers raced here and one write was lost",
    "the cache answered for another tenant before",
    "auditors ask for the original order of entries",
    "a cursor must outlive the transaction it came from",
    "rounding happens once, at the end, never per line",
    "the nightly import takes longer than its lease",
)

PYTHON = '''def {name}(rows, limit={a}):
    """What {name} does."""
    total = {b}
    for row in rows:
        if row.amount > {c} and not row.closed:
            total += row.amount * {d}
            row.mark("{name}-{a}")
    return min(total, limit)
'''
TYPESCRIPT = """export function {name}(rows: Row[], limit = {a}): number {{
  let total = {b};
  for (const row of rows) {{
    if (row.amount > {c} && !row.closed) {{
      total += row.amount * {d};
      row.mark("{name}-{a}");
    }}
  }}
  return Math.min(total, limit);
}}
"""
GO = """func {name}(rows []Row, limit int) int {{
	total := {b}
	for _, row := range rows {{
		if row.Amount > {c} && !row.Closed {{
			total += row.Amount * {d}
			row.Mark("{name}-{a}")
		}}
	}}
	return min(total, limit+{a})
}}
"""
JAVA = """    static int {name}(List<Row> rows, int limit) {{
        int total = {b};
        for (Row row : rows) {{
            if (row.amount() > {c} && !row.closed()) {{
                total += row.amount() * {d};
                row.mark("{name}-{a}");
            }}
        }}
        return Math.min(total, limit + {a});
    }}
"""


@dataclass(frozen=True)
class Tongue:
    """How a language of the bench wraps its functions."""

    suffix: str
    head: str
    function: str
    foot: str = ""


TONGUES = (
    Tongue(".py", '"""Made by the bench."""\n\n', PYTHON),
    Tongue(".ts", 'import {{ Row }} from "./row";\n\n', TYPESCRIPT),
    Tongue(".go", "package made\n\n", GO),
    Tongue(".java", "final class {module} {{\n", JAVA, "}}\n"),
)

# What an edit does to the text of one function; each changes what the code means.
EDITS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("a number", lambda text: text.replace(" > ", " > 1", 1)),
    ("an operator", lambda text: text.replace(" > ", " >= ", 1)),
    ("a text", lambda text: text.replace('ark("', 'ark("x', 1)),
    ("a negation", lambda text: text.replace("not row", "row", 1).replace("!row", "row", 1)),
    ("a name", lambda text: text.replace("total", "amount_so_far")),
    ("a call", lambda text: text.replace("min(", "max(", 1)),
    ("a line less", lambda text: "".join(line for line in text.splitlines(keepends=True) if "ark(" not in line)),
    ("a line twice", lambda text: "".join(line * (1 + ("ark(" in line)) for line in text.splitlines(keepends=True))),
)


@dataclass(frozen=True)
class Made:
    """One function: its file, its name as an anchor says it, and its text as it stands in the file."""

    path: str
    symbol: str
    text: str


def functions(rng: random.Random, tongue: Tongue, module: str, count: int, serial: int) -> list[tuple[str, str]]:
    found = []
    for number in range(count):
        name = f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}_{serial}_{number}"
        values = {letter: rng.randrange(10, 10**6) for letter in "abcd"}
        text = tongue.function.format(name=name, **values)
        found.append((f"{module}.{name}" if tongue.suffix == ".java" else name, text))
    return found


def build(root: Path, files: int, *, seed: int = 1, anchored: int = 200, large: int = 100) -> list[Made]:
    """A committed repository of `files` files; one function of each of `anchored` files, the first `large` of them
    15 KB long, the others of ordinary size like all the rest (about 1 KB).
    """
    rng = random.Random(seed)
    step = max(1, files // anchored)
    found: list[Made] = []
    for serial in range(files):
        folder = root / f"area{serial % 40:02}" / f"part{serial // 40 % 25:02}"
        folder.mkdir(parents=True, exist_ok=True)
        if serial % 10 == 9:  # a tenth of every repository is text and settings
            kind, text = (
                (".md", f"# Part {serial}\n\nNotes.\n") if serial % 20 == 9 else (".json", f'{{"n": {serial}}}\n')
            )
            (folder / f"file{serial}{kind}").write_text(text)
            continue
        tongue, module = TONGUES[(serial + serial // 10) % len(TONGUES)], f"Module{serial}"
        wanted = serial % step == 0 and len(found) < anchored
        count = 50 if wanted and len(found) < large else rng.choice((1, 2, 3, 4))
        made = functions(rng, tongue, module, count, serial)
        body = "\n".join(text for _, text in made)
        path = folder / f"{module}{tongue.suffix}"
        path.write_text(tongue.head.format(module=module) + body + tongue.foot.format())
        if wanted:
            symbol, text = made[count // 2]
            found.append(Made(path.relative_to(root).as_posix(), symbol, text))
    git(root, "init", "-qb", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "made")
    return found


def note(rng: random.Random, made: Made) -> str:
    """What an engineer might have written about it."""
    verb, noun = rng.choice(VERBS), rng.choice(NOUNS)
    return f"{verb} the {noun} before the {rng.choice(NOUNS)} in {made.symbol}: {rng.choice(REASONS)}"


def question(rng: random.Random) -> str:
    return f"why do we {rng.choice(VERBS)} the {rng.choice(NOUNS)} when {rng.choice(REASONS).rsplit(' ', 3)[0]}"


def rewrite(root: Path, made: Made, change: Callable[[str], str]) -> None:
    """Changes the one function in its file."""
    path = root / made.path
    text = path.read_text()
    assert made.text in text, made.path
    changed = change(made.text)
    assert changed != made.text, made.symbol
    path.write_text(text.replace(made.text, changed, 1))


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *GIT, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout
