"""Real C, C++, Java, Go and Rust from the registries that carry it, by their ordinary clients, kept in the cache.

Every function gives a folder, or the reason why there is none.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

SECONDS = 300  # for one download


def ran(argv: list[str], where: Path) -> str:
    """What went wrong, in a line; nothing when all went well."""
    if shutil.which(argv[0]) is None:
        return f"{argv[0]} is not installed"
    try:
        done = subprocess.run(argv, cwd=where, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"{argv[0]} did not answer"
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return "" if done.returncode == 0 else f"{argv[0]} failed: {said[-1][:160] if said else done.returncode}"


def crates(cache: Path, wanted: dict[str, str]) -> Path | str:
    """The sources of crates and of what they need: name → version."""
    folder = cache / "crates"
    if (folder / "fetched").exists():
        return folder / "vendor"
    folder.mkdir(parents=True, exist_ok=True)
    needs = "".join(f'{name} = "{version}"\n' for name, version in wanted.items())
    package = '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n'
    (folder / "Cargo.toml").write_text(f"{package}[dependencies]\n{needs}")
    (folder / "lib.rs").touch()
    wrong = ran(["cargo", "vendor", "--quiet", "vendor"], folder)
    if not wrong:
        (folder / "fetched").touch()
    return wrong or folder / "vendor"


def go_modules(cache: Path, wanted: tuple[str, ...]) -> list[Path] | str:
    """The sources of `module@version`, one folder each."""
    folder = cache / "go"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "go.mod").write_text("module sources\n\ngo 1.21\n")
    if shutil.which("go") is None:
        return "go is not installed"
    done = subprocess.run(
        ["go", "mod", "download", "-json", *wanted], cwd=folder, capture_output=True, timeout=SECONDS, check=False
    )
    text, found = done.stdout.decode(errors="replace"), []
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        told, at = decoder.raw_decode(text, at)
        found += [Path(told["Dir"])] if "Dir" in told else []
    return found or "no module could be had"


def maven_jar(cache: Path, artifact: str) -> Path | str:
    """`group:name:version:jar:classifier` as a file."""
    _group, name, version, _, classifier = artifact.split(":")
    folder = cache / "maven"
    jar = folder / f"{name}-{version}-{classifier}.jar"
    if not jar.exists():
        folder.mkdir(parents=True, exist_ok=True)
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
        wrong = ran(["mvn", "-q", "-B", goal, f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"], folder)
        if not jar.exists():
            return wrong or f"no {artifact}"
    return jar


def java_sources(cache: Path, artifact: str) -> Path | str:
    jar = maven_jar(cache, artifact)
    if isinstance(jar, str):
        return jar
    folder = jar.with_suffix("")
    if not folder.exists():
        zipfile.ZipFile(jar).extractall(folder)  # noqa: S202 # into the cache, from the registry
    return folder


def wheel(cache: Path, wanted: str) -> Path | str:
    """What a wheel holds: `name==version`."""
    folder = cache / "wheels" / wanted.replace("==", "-")
    if not folder.exists():
        waiting = folder.with_name(folder.name + ".wheel")
        command = ["-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(waiting), wanted]
        waiting.mkdir(parents=True, exist_ok=True)
        wrong = ran([sys.executable, *command], waiting)
        found = next(waiting.glob("*.whl"), None)
        if found is None:
            return wrong or f"no wheel of {wanted}"
        zipfile.ZipFile(found).extractall(folder)  # noqa: S202 # into the cache, from the registry
    return folder


def npm_package(cache: Path, wanted: str) -> Path | str:
    """What an npm package holds: `name@version`."""
    folder = cache / "npm" / wanted
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        wrong = ran(["npm", "pack", "--silent", wanted], folder.parent)
        if wrong:
            return wrong
        packed = wanted.removeprefix("@").replace("/", "-").replace("@", "-")
        with tarfile.open(folder.with_name(f"{packed}.tgz")) as archive:
            archive.extractall(folder, filter="data")
    return folder


def files_under(folder: Path | str, *suffixes: str) -> list[Path]:
    """Files of these suffixes in no folder of tests' data; none where there is no folder."""
    if isinstance(folder, str):
        return []
    return [
        file for file in sorted(folder.rglob("*")) if file.suffix in suffixes and file.is_file() and known(file, folder)
    ]


def known(file: Path, folder: Path) -> bool:
    return not {"testdata", "test-data", "target"} & set(file.relative_to(folder).parts)
