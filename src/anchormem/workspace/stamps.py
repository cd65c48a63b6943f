"""The stamps of a checkout's index: what was true when it was last looked at and last swept, as one value.

Derived; losing them costs a sweep. Knows nothing of files and fates.
"""

from dataclasses import dataclass, replace

from anchormem import languages
from anchormem.project import config
from anchormem.store import files
from anchormem.store.db import Store
from anchormem.workspace.session import Workspace

NAMED_DIRTY = 200  # paths kept by name; more only make the list longer than anybody reads


@dataclass(frozen=True, slots=True)
class Stamps:
    """`git`, `head`: at the last look. `swept_git`, `indexed_at`, `sweep_ms`: of the last complete sweep.

    `facts`: the facts.db that holds what it parsed; `symbols`: how many, while `dirty` is empty and it is not `open`.
    `recipe`: what its facts depend on beside the files. `open`: a sweep began and did not end. `left`: files it has not
    reached yet. `dirty`: files found changed since the last complete sweep.
    """

    git: str = ""
    head: str = ""
    swept_git: str = ""
    indexed_at: int = 0
    sweep_ms: int = 0
    facts: str = ""
    symbols: int = 0
    recipe: str = ""
    open: bool = False
    left: int = 0
    dirty: tuple[str, ...] = ()


def read(store: Store) -> Stamps:
    """As stored; defaults for what is not."""
    known = files.stamps(store)
    return Stamps(
        git=known.get("git", ""),
        head=known.get("head", ""),
        swept_git=known.get("swept_git", ""),
        indexed_at=int(known.get("indexed_at", "0")),
        sweep_ms=int(known.get("sweep_ms", "0")),
        facts=known.get("facts", ""),
        symbols=int(known.get("symbols", "0")),
        recipe=known.get("recipe", ""),
        open=bool(known.get("open")),
        left=int(known.get("left", "0")),
        dirty=tuple(known["dirty"].split("\0")) if known.get("dirty") else (),
    )


def write(store: Store, before: Stamps, after: Stamps) -> None:
    """Stores what differs. Joins a `deriving` that is open."""
    if after != before:
        old, new = _texts(before), _texts(after)
        files.put_stamps(store, {name: text for name, text in new.items() if old[name] != text})


def _texts(stamps: Stamps) -> dict[str, str]:
    return {
        "git": stamps.git,
        "head": stamps.head,
        "swept_git": stamps.swept_git,
        "indexed_at": str(stamps.indexed_at or ""),
        "sweep_ms": str(stamps.sweep_ms or ""),
        "facts": stamps.facts,
        "symbols": str(stamps.symbols or ""),
        "recipe": stamps.recipe,
        "open": "1" if stamps.open else "",
        "left": str(stamps.left or ""),
        "dirty": "\0".join(stamps.dirty),
    }


def soiled(stamps: Stamps, paths: set[str]) -> Stamps:
    """With these files among the changed ones."""
    return replace(stamps, dirty=tuple(sorted({*stamps.dirty, *paths})[:NAMED_DIRTY]))


def recipe(ws: Workspace) -> str:
    """Changes when grammars, recipes or the project's suffixes do: then every file's facts are looked for again."""
    epochs = " ".join(f"{name}={languages.epoch(name)}" for name in languages.names())
    return f"{epochs} {sorted(ws.config.extensions.items())}"


def reload_config(ws: Workspace) -> None:
    """Reads the project's settings again when their file changed."""
    if config.stamp(ws.root) != ws.config.stamp:
        ws.config = config.load(ws.root)
