"""Black, Ruff and Prettier: how they are had, their options, and what they may change."""

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from proof.formatter import Formatter, HandWritten, Rewriting, argv_of

PYTHON = ("django==5.2.5", "sympy==1.13.3")
SCRIPTS = ("three@0.187.0", "@wordpress/block-editor@18.0.0")
TYPED = ("rxjs@7.8.2", "zod@4.6.7", "@wordpress/components@41.0.0", "@reduxjs/toolkit@2.15.0")
MARKUP = ("@wordpress/components@41.0.0",)
PRETTIER = "prettier@3.10.1"

BLACK = (
    "--line-length 40",
    "--line-length 200 --skip-string-normalization --skip-magic-trailing-comma",
    "--line-length 88",
    "--line-length 88 --skip-magic-trailing-comma --target-version py313",
    "--line-length 40 --skip-string-normalization --target-version py313",
)
RUFF = (
    "line-length=40 format.quote-style='single'",
    "line-length=200 format.skip-magic-trailing-comma=true",
    "line-length=88",
    "line-length=88 format.quote-style='preserve' format.docstring-code-format=true",
    "line-length=40 format.indent-style='tab' target-version='py313'",
)
# The defaults are: semicolons, double quotes, trailing commas everywhere, two blanks, parentheses, 80 columns.
PRETTIER_OPTIONS = (
    "--print-width 40 --tab-width 4 --trailing-comma none --arrow-parens avoid",
    "--print-width 140 --no-semi --single-quote --jsx-single-quote --use-tabs --bracket-same-line",
    "",
    "--trailing-comma es5 --quote-props consistent --object-wrap collapse",
    "--no-semi --print-width 40 --quote-props preserve --no-bracket-spacing --experimental-operator-position start",
    "--print-width 140 --experimental-ternaries --single-attribute-per-line",
)


def pip_package(cache: Path, wanted: str) -> Path | None:
    folder = cache / wanted.replace("==", "-")
    if not folder.exists():
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", wanted, "-d", cache],
            check=True,
        )
        name = wanted.replace("==", "-")
        wheel = next(cache.glob(f"{name}-*.whl"))
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


def npm_package(cache: Path, wanted: str) -> Path | None:
    folder = cache / wanted.lstrip("@").replace("/", "-").replace("@", "-")
    if not folder.exists():
        subprocess.run(["npm", "pack", "--silent", wanted], cwd=cache, check=True, capture_output=True)
        with tarfile.open(folder.with_name(folder.name + ".tgz")) as archive:
            archive.extractall(folder, filter="data")
    return folder


def from_packages(
    fetch: Callable[[Path, str], Path | None], wanted: tuple[str, ...], *suffixes: str
) -> Callable[[Path], list[Path] | str]:
    def sources(cache: Path) -> list[Path] | str:
        cache.mkdir(parents=True, exist_ok=True)
        folders = [folder for name in wanted if (folder := fetch(cache, name))]
        return [
            file
            for folder in folders
            for file in sorted(folder.rglob("*"))
            if file.suffix in suffixes and file.is_file() and "dist" not in file.parts and "build" not in file.parts
        ]

    return sources


def black(_cache: Path, options: str) -> list[str] | str:
    if importlib.util.find_spec("black") is None:
        return "Black is not installed: pip install anchormem[bench]"
    return argv_of(sys.executable, options, "-m", "black", "--quiet", "--fast", "--no-cache")


def ruff(_cache: Path, options: str) -> list[str] | str:
    tool = shutil.which("ruff") or str(Path(sys.executable).with_name("ruff"))
    if not Path(tool).exists():
        return "Ruff is not installed: pip install anchormem[dev]"
    settings = [word for option in options.split() for word in ("--config", option)]
    return [tool, "format", "--quiet", "--isolated", "--no-cache", *settings]


def prettier(cache: Path, options: str) -> list[str] | str:
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "npm is not installed"
    folder = cache / "prettier"
    tool = folder / "node_modules" / "prettier" / "bin" / "prettier.cjs"
    if not tool.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", PRETTIER], cwd=folder, check=True)
    return argv_of("node", options, str(tool), "--write", "--no-config", "--no-editorconfig", "--log-level", "error")


FORMATTERS: tuple[Formatter, ...] = (
    Formatter("Black", "python", BLACK, black, from_packages(pip_package, PYTHON, ".py")),
    Formatter("Ruff", "python", RUFF, ruff, from_packages(pip_package, PYTHON, ".py")),
    Formatter("Prettier", "javascript", PRETTIER_OPTIONS, prettier, from_packages(npm_package, SCRIPTS, ".js", ".jsx")),
    Formatter("Prettier", "typescript", PRETTIER_OPTIONS, prettier, from_packages(npm_package, TYPED, ".ts")),
    Formatter("Prettier", "tsx", PRETTIER_OPTIONS, prettier, from_packages(npm_package, MARKUP, ".tsx")),
)
BY_HAND: tuple[HandWritten, ...] = ()
EXCEPTIONS: tuple[Rewriting, ...] = ()
