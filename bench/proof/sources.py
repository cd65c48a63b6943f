"""Real code of every language, from the registry that carries it, by its ordinary client, kept in the cache.

What cannot be had is told with its reason; nothing raises. `quick`: the first, smaller packages alone.
"""

import importlib.util
import subprocess
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from proof.compiled_sources import crates, files_under, go_modules, java_sources, npm_package, ran, wheel

Fetch = Callable[[Path], Path | list[Path] | str]


@dataclass(frozen=True, slots=True)
class Package:
    """Where some sources come from. `fetch` gives the folders, or why there are none."""

    name: str
    suffixes: tuple[str, ...]
    fetch: Fetch


@dataclass(frozen=True, slots=True)
class Found:
    files: tuple[Path, ...]
    note: str  # the packages, and what could not be had


def installed(name: str) -> Package:
    """A package of this environment."""

    def fetch(_cache: Path) -> Path | str:
        spec = importlib.util.find_spec(name)
        return Path(spec.origin).parent if spec is not None and spec.origin else f"{name} is not installed"

    return Package(name, (".py",), fetch)


def pip(wanted: str, *suffixes: str) -> Package:
    return Package(wanted, suffixes, lambda cache: wheel(cache, wanted))


def npm(wanted: str, *suffixes: str) -> Package:
    return Package(wanted, suffixes, lambda cache: npm_package(cache, wanted))


def crate(name: str, version: str, *suffixes: str) -> Package:
    return Package(f"{name} {version}", suffixes, lambda cache: crates(cache / name, {name: version}))


def go(module: str) -> Package:
    return Package(module, (".go",), lambda cache: go_modules(cache, (module,)))


def maven(artifact: str) -> Package:
    return Package(artifact.split(":")[1], (".java",), lambda cache: java_sources(cache, artifact))


def debian(name: str, *suffixes: str) -> Package:
    return Package(name, suffixes, lambda cache: debian_package(cache, name))


def debian_package(cache: Path, name: str) -> Path | str:
    """What a Debian package holds, unpacked and not installed."""
    folder = cache / "debian" / name
    if folder.exists():
        return folder
    waiting = folder.with_name(f"{name}.deb")
    waiting.mkdir(parents=True, exist_ok=True)
    subprocess.run(["chmod", "a+rwx", str(waiting)], check=False)  # apt downloads as a user of its own
    wrong = ran(["apt-get", "download", name], waiting)
    if wrong and (not_listed := ran(["apt-get", "-qq", "update"], waiting)):
        return not_listed
    wrong = wrong and ran(["apt-get", "download", name], waiting)
    found = next(waiting.glob("*.deb"), None)
    if found is None:
        return wrong or f"no package {name}"
    return ran(["dpkg-deb", "-x", str(found), str(folder)], waiting) or folder


PACKAGES: Final[Mapping[str, tuple[Package, ...]]] = {
    "python": (installed("hypothesis"), pip("django==5.2.5", ".py"), pip("sympy==1.13.3", ".py")),
    "javascript": (npm("express@4.19.2", ".js"), npm("preact@10.22.0", ".js", ".jsx"), npm("three@0.187.0", ".js")),
    "typescript": (npm("rxjs@7.8.2", ".ts"), npm("zod@4.6.7", ".ts"), npm("preact@10.22.0", ".ts")),
    "tsx": (npm("@wordpress/components@41.0.0", ".tsx"),),
    "php": (debian("php-twig", ".php"), debian("php-symfony-console", ".php")),
    "ruby": (debian("ruby-rack", ".rb"), debian("ruby-sinatra", ".rb"), debian("ruby-activesupport", ".rb")),
    "bash": (debian("bash-completion", "", ".sh", ".bash"), debian("debootstrap", "")),
    "csharp": (npm("com.cysharp.unitask@2.2.5", ".cs"), npm("com.neuecc.unirx@7.1.0", ".cs")),
    "c": (npm("hiredis@0.5.0", ".c"), crate("libz-sys", "1", ".c"), crate("zstd-sys", "2", ".c")),
    "cpp": (npm("nan@2.22.0", ".h", ".cpp"), pip("pybind11==2.13.6", ".h"), pip("nanobind==2.4.0", ".cpp", ".h")),
    "java": (
        maven("org.apache.commons:commons-lang3:3.14.0:jar:sources"),
        maven("com.fasterxml.jackson.core:jackson-databind:2.17.0:jar:sources"),
    ),
    "go": (
        go("github.com/spf13/cobra@v1.8.0"),
        go("github.com/gin-gonic/gin@v1.9.1"),
        go("golang.org/x/tools@v0.20.0"),
    ),
    "rust": (crate("itertools", "0.13", ".rs"), crate("indexmap", "2", ".rs"), crate("regex", "1", ".rs")),
}  # fmt: skip


def sources_of(language: str, cache: Path, *, quick: bool) -> Found:
    """The files of a language's packages; in a hurry, of the first that can be had."""
    files: list[Path] = []
    told: list[str] = []
    for package in PACKAGES[language]:
        if quick and files:
            break
        cache.mkdir(parents=True, exist_ok=True)
        folders = package.fetch(cache)
        if isinstance(folders, str):
            told.append(f"{package.name} not had: {folders}")
            continue
        found = [file for folder in as_list(folders) for file in files_under(folder, *package.suffixes)]
        files += [file for file in found if is_code(file, language)]
        told.append(package.name)
    return Found(tuple(files), ", ".join(told))


def all_sources(languages: Iterable[str], cache: Path, *, quick: bool) -> dict[str, Found]:
    """Of several languages at once: registries answer slowly."""
    wanted = list(languages)
    with ThreadPoolExecutor(len(wanted)) as pool:
        return dict(zip(wanted, pool.map(lambda name: sources_of(name, cache, quick=quick), wanted), strict=True))


def as_list(folders: Path | list[Path]) -> list[Path]:
    return [folders] if isinstance(folders, Path) else folders


def is_code(file: Path, language: str) -> bool:
    """Not a declaration file, nor what a build tool wrote; a file without suffix only when it is a shell script."""
    if ".d." in file.name or {"dist", "build", "min"} & set(file.parts):
        return False
    if language != "bash" or file.suffix:
        return True
    return "completions" in file.parts or file.read_bytes()[:40].startswith(b"#!")
