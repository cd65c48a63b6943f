"""The path of the data directory, for processes that may cost a few milliseconds in all.

Neither pathlib nor, where it can be avoided, platformdirs. Looks at no disk and knows no project.
"""

# ruff: noqa: PTH111, PTH117, PTH118  # pathlib costs more to import than hook and status line may
import os
import sys

VARIABLE = "ANCHORMEM_DATA_DIR"


def named() -> str:
    """`$ANCHORMEM_DATA_DIR` with its `~` spelled out, else the platform's user data directory. Not resolved."""
    said = os.environ.get(VARIABLE, "").strip()
    return os.path.expanduser(said) if said else _of_platform()


def _of_platform() -> str:
    """What platformdirs says, worked out here on an ordinary Linux, where that saves importing it."""
    home, shared = os.environ.get("HOME", ""), os.environ.get("XDG_DATA_HOME", "").strip()
    plain = sys.platform == "linux" and "ANDROID_DATA" not in os.environ
    if plain and os.path.isabs(home) and (not shared or os.path.isabs(shared)):
        return os.path.join(shared or os.path.join(home, ".local", "share"), "anchormem")
    import platformdirs  # noqa: PLC0415 — see above

    return platformdirs.user_data_dir("anchormem", appauthor=False)
