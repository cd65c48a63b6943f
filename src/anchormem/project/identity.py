"""Whose memories these are: the identity of a repository and of a checkout, and their keys as directory names.

Origin is read from the repository's own configuration file by a small parser: that starts no process, follows no
include, and works without git. Knows nothing of the store's layout.
"""

import hashlib
import os
import re
import unicodedata
from pathlib import Path
from urllib.parse import unquote

from anchormem.project.root import Root, common_dir_of, repository_at

CONFIG_BYTES = 1024 * 1024
ORIGIN_HOPS = 8  # clones of clones of clones
SLUG_LENGTH = 40
HASH_LENGTH = 12

SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
SCP_FORM = re.compile(r"(?:[^@/:]*@)?(\[[^\]/]+\]|[^/:\[\]]+):(.*)", re.DOTALL)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def repository_identity(root: Root) -> str:
    """`host/path` of origin, lower-cased, without scheme, user, port and `.git`; an origin that is a local path
    resolves to that repository's identity. Without origin the git common directory (of a usual clone the folder that
    holds `.git`), outside git the real path.
    """
    if root.common_dir is None:
        return str(root.path)
    return _identity_of(root.common_dir, 0)


def normalised_origin(url: str) -> str | None:
    """`host/path` of a remote URL; None when it names a local path. `git@h:o/r.git`, `ssh://git@h:22/o/r` → `h/o/r`."""
    url = url.strip()
    with_scheme = SCHEME.fullmatch(url)
    if with_scheme:
        if with_scheme[1].lower() == "file":
            return None
        authority, _, path = with_scheme[2].partition("/")
        host = re.sub(r":\d*$", "", authority.rpartition("@")[2])
        return _joined(host, unquote(path))
    scp_form = SCP_FORM.fullmatch(url)
    if scp_form and not DRIVE.match(url):
        return _joined(scp_form[1], scp_form[2])
    return None


def origin_url(common_dir: Path) -> str:
    """The first `remote.origin.url` of a repository's own configuration file, "" without one."""
    try:
        with (common_dir / "config").open("rb") as opened:
            text = opened.read(CONFIG_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    section = ("", "")
    for line in re.sub(r"\\\r?\n", "", text).splitlines():
        rest = line.strip()
        head = SECTION.match(rest)
        if head:
            section = (head[1].lower(), re.sub(r"\\(.)", r"\1", head[2] or ""))
            rest = rest[head.end() :].strip()
        name, equals, value = rest.partition("=")
        if section == ("remote", "origin") and name.strip().lower() == "url" and equals:
            return _config_value(value)
    return ""


def repository_key(identity: str) -> str:
    """A readable directory name, slug and short hash: distinct for `a-b` and `a.b`, for `é` and `è`."""
    parts = [part for part in re.split(r"[/\\]", identity) if part]
    return _key("-".join(parts[-2:]), identity)


def checkout_key(root: Root) -> str:
    """The key of this working tree: slug and short hash of its real path."""
    return _key(root.path.name, str(root.path))


def _identity_of(common_dir: Path, hops: int) -> str:
    own = str(common_dir.parent if common_dir.name == ".git" else common_dir)
    url = origin_url(common_dir)
    if not url or hops == ORIGIN_HOPS:
        return own
    remote = normalised_origin(url)
    if remote is not None:
        return remote
    place = _local_path(url, common_dir)
    elsewhere = _common_dir_at(place)
    if elsewhere is None:
        # Gone or out of reach: what it would answer itself, were it without an origin.
        return str(place.parent if place.name == ".git" else place)
    return own if elsewhere == common_dir else _identity_of(elsewhere, hops + 1)


def _local_path(url: str, common_dir: Path) -> Path:
    with_scheme = SCHEME.fullmatch(url)
    path = unquote(with_scheme[2].removeprefix("localhost")) if with_scheme else url
    start = common_dir.parent if common_dir.name == ".git" else common_dir
    return Path(os.path.realpath(start / path))


def _common_dir_at(place: Path) -> Path | None:
    """The common directory of the repository at a path: a work tree or a bare one; with `.git` added, as git tries."""
    for candidate in (place, place.with_name(f"{place.name}.git")):
        try:
            checkout = repository_at(candidate)
            if checkout is not None:
                return checkout.common_dir
            if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir():
                return common_dir_of(candidate)
        except (OSError, ValueError):
            continue
    return None


def _joined(host: str, path: str) -> str:
    path = re.sub(r"/+", "/", path).strip("/")
    path = path[:-4] if path.lower().endswith(".git") else path
    return f"{host}/{path.strip('/')}".lower()


def _config_value(raw: str) -> str:
    """A value of a git configuration line: quotes and escapes resolved, a trailing comment dropped."""
    out: list[str] = []
    quoted = False
    characters = iter(raw.strip())
    for character in characters:
        if character == '"':
            quoted = not quoted
        elif character == "\\":
            following = next(characters, "")
            out.append({"n": "\n", "t": "\t", "b": "\b"}.get(following, following))
        elif character in "#;" and not quoted:
            break
        else:
            out.append(character)
    return "".join(out).strip()


def _key(readable: str, whole: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", readable).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[-SLUG_LENGTH:].strip("-") or "root"
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:HASH_LENGTH]
    return f"{slug}-{digest}"
