"""Clones whose git was told to merge exports by our command: the one we stand in, and every one that is known here.

What is committed stays: it belongs to the project, not to this machine.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from anchormem.agents.install import Told
from anchormem.errors import AnchormemError
from anchormem.project import driver
from anchormem.project.data import data_directory
from anchormem.project.root import Root, find_root
from anchormem.store import repositories

SHARED = ".anchormem"


def leave(here: Path, *, dry_run: bool) -> Iterator[Told]:
    """Takes the driver out of each; `here` may be relative to the working directory. Told only where it was.

    A clone that cannot be changed stops none of the others.
    """
    for root in _with_driver(here):
        held = driver.section(root)
        where = f"the merge driver, of the git configuration of {root.path}"
        if dry_run:
            yield Told("plan", where, "\n".join(f"-{line}" for line in held.splitlines()))
            continue
        try:
            driver.take_out(root)
        except AnchormemError as error:
            yield Told("fail", error.message, f"git config --remove-section merge.{driver.NAME}, in {root.path}")
            continue
        yield Told("done", f"taken out: {where}")
        if (root.path / SHARED).is_dir():
            yield Told("kept", f"{root.path / SHARED}", "it is the project's; git rm -r takes it out for everybody")


def _with_driver(here: Path) -> list[Root]:
    """One of the checkouts of each clone that has it, the one we stand in first."""
    known = [Path(path) for store in repositories.every(data_directory()) for path, _ in store.checkouts]
    found: dict[Path, Root] = {}
    for place in (here, *known):
        with suppress(AnchormemError, OSError):
            root = find_root(place)
            if root.common_dir is not None and driver.section(root):
                found.setdefault(root.common_dir, root)
    return list(found.values())
