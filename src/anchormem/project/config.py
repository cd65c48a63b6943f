"""`.anchormem.json`: the project's own settings. Whatever is wrong with it gives defaults and a warning, no error.

Knows which language names may be meant, nothing else about languages.
"""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from anchormem.model import Stat
from anchormem.project import disk
from anchormem.project.root import Root

FILE_NAME = ".anchormem.json"
MAX_BYTES = 64 * 1024
KEYS = ("extensions", "auto_import")
MAX_WARNINGS = 10

SHORT_NAMES = {
    "js": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "py": "python",
    "rs": "rust",
    "rb": "ruby",
    "cs": "csharp",
    "sh": "bash",
    "c++": "cpp",
    "c#": "csharp",
    "md": "markdown",
    "yml": "yaml",
}


@dataclass(frozen=True, slots=True)
class Config:
    """`extensions`: suffix with its dot (`.blade.php`) → language name. `stamp`: None without a file."""

    extensions: Mapping[str, str] = field(default_factory=dict)
    auto_import: bool = True
    warnings: tuple[str, ...] = ()
    stamp: Stat | None = None


def load(root: Root) -> Config:
    """The settings now. Never raises."""
    found = disk.read(root, FILE_NAME, MAX_BYTES)
    if isinstance(found, disk.Unread):
        return Config() if found.reason == "missing" else Config(warnings=(_unread(found),), stamp=found.stat)
    try:
        given = json.loads(found.data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as failure:
        return Config(warnings=(f"{FILE_NAME} is not valid JSON, defaults are used: {failure}",), stamp=found.stat)
    if not isinstance(given, dict):
        return Config(warnings=(f"{FILE_NAME} must hold a JSON object, defaults are used",), stamp=found.stat)
    return replace(_checked(given), stamp=found.stat)


def stamp(root: Root) -> Stat | None:
    """Compare with `Config.stamp` to see cheaply that a reload is due."""
    return disk.stat(root, FILE_NAME)


def _unread(found: disk.Unread) -> str:
    if found.reason == "too_large":
        return f"{FILE_NAME} is larger than {MAX_BYTES // 1024} KB, defaults are used"
    return f"{FILE_NAME} cannot be read ({found.reason.replace('_', ' ')}), defaults are used"


def _checked(given: Mapping[str, object]) -> Config:
    warnings = [_unknown_key(key) for key in given if key not in KEYS]
    auto_import = given.get("auto_import", True)
    if not isinstance(auto_import, bool):
        warnings.append(f"{FILE_NAME}: auto_import must be true or false, true is used")
        auto_import = True
    extensions = _extensions(given.get("extensions", {}), warnings)
    if len(warnings) > MAX_WARNINGS:
        warnings[MAX_WARNINGS:] = [f"{FILE_NAME}: {len(warnings) - MAX_WARNINGS} more problems"]
    return Config(extensions, auto_import, tuple(warnings))


def _extensions(given: object, warnings: list[str]) -> dict[str, str]:
    if not isinstance(given, dict):
        warnings.append(f"{FILE_NAME}: extensions must be an object of suffix and language, none are used")
        return {}
    found: dict[str, str] = {}
    for suffix, wanted in given.items():
        language = _language(wanted)
        if language is None:
            warnings.append(f"{FILE_NAME}: {_shown(suffix)} names no known language ({_shown(wanted)}), it is not used")
        elif not suffix.strip(".") or "/" in suffix or "\\" in suffix:
            warnings.append(f"{FILE_NAME}: {_shown(suffix)} is no file suffix, it is not used")
        else:
            found[suffix if suffix.startswith(".") else f".{suffix}"] = language
    return found


def _language(wanted: object) -> str | None:
    from anchormem.languages import names  # noqa: PLC0415  most projects configure no extension

    if not isinstance(wanted, str):
        return None
    language = SHORT_NAMES.get(wanted.lower(), wanted.lower())
    return language if language in names() else None


def _unknown_key(key: str) -> str:
    near = difflib.get_close_matches(key, KEYS, 1)
    meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(KEYS)}"
    return f"{FILE_NAME}: unknown key {_shown(key)}, {meant}"


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}…"  # noqa: PLR2004  a warning is one line
