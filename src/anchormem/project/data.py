"""Where anchormem keeps its own files. Creates nothing."""

import os
from pathlib import Path

from anchormem.errors import Refused
from anchormem.project.place import VARIABLE, named
from anchormem.project.root import Root


def data_directory(root: Root | None = None) -> Path:
    """`$ANCHORMEM_DATA_DIR`, else the platform's user data directory; absolute.

    Refused when it lies inside `root`, or a file is where a directory must be.
    """
    directory = Path(os.path.realpath(named()))
    if root is not None and directory.is_relative_to(root.path):
        raise Refused(
            f"the data directory {directory} lies inside the project {root.path}",
            f"set {VARIABLE} to a directory outside of it",
        )
    blocking = next((place for place in (directory, *directory.parents) if os.path.lexists(place)), directory)
    if os.path.lexists(blocking) and not blocking.is_dir():
        raise Refused(
            f"the data directory {directory} cannot be: {blocking} is no directory",
            f"set {VARIABLE} to a directory, or move that file away",
        )
    return directory
