"""Where anchormem keeps its own files. Creates nothing."""

from pathlib import Path

from anchormem.project.root import Root


def data_directory(root: Root | None = None) -> Path:
    """`$ANCHORMEM_DATA_DIR`, else the platform's user data directory; absolute. Refused when it lies inside `root`."""
    raise NotImplementedError
