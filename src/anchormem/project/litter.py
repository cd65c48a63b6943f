"""Names of folders and files that a project does not mean when it says "my code". Pure: looks at paths only."""

# Skipped unless git tracks them.
FOLDERS = frozenset(
    [
        "node_modules",
        "vendor",
        "target",
        "dist",
        "build",
        "venv",
        ".venv",
        "virtualenv",
        "__pycache__",
        "site-packages",
        "__pypackages__",
        ".eggs",
        ".next",
        ".nuxt",
        ".svelte-kit",
        "Pods",
        ".gradle",
        "bower_components",
        "coverage",
        "htmlcov",
        ".terraform",
        ".hg",
        ".svn",
        ".bzr",
        ".cache",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
        ".tox",
        ".nox",
        ".ipynb_checkpoints",
        ".direnv",
        ".nyc_output",
        ".parcel-cache",
        ".turbo",
        ".sass-cache",
        ".serverless",
        ".yarn",
        ".pnpm-store",
        ".bundle",
        ".dart_tool",
        ".stack-work",
        ".idea",
        ".vs",
        ".vagrant",
        ".Trash",
        ".fseventsd",
        ".Spotlight-V100",
    ]
)
FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".coverage"})
SUFFIXES = (".pyc", ".pyo", ".swp", ".swo", "~")

# Other people's code even when tracked: anchored and mapped on demand only. `build`, `dist`, `target` and `coverage`
# are not among them: who tracks such a folder means it.
VENDORED_FOLDERS = frozenset(
    [
        "node_modules",
        "vendor",
        "bower_components",
        "Pods",
        "venv",
        ".venv",
        "virtualenv",
        "site-packages",
        "__pypackages__",
        ".yarn",
    ]
)

VIRTUAL_ENVIRONMENT_MARK = "pyvenv.cfg"


def is_litter_folder(parts: list[str]) -> bool:
    return not FOLDERS.isdisjoint(parts)


def is_vendored_folder(parts: list[str]) -> bool:
    return not VENDORED_FOLDERS.isdisjoint(parts)


def is_litter_file(name: str) -> bool:
    return name in FILES or name.endswith(SUFFIXES) or is_minified(name)


def is_minified(name: str) -> bool:
    """`jquery.min.js`, `site.min.css.map`."""
    return ".min." in name
