"""Which store is whose, found without git."""

import subprocess
import sys
from pathlib import Path

import pytest

from anchormem.store import glance, marks, repositories
from anchormem.store.db import open_store
from anchormem.store.marks import Checkout
from anchormem.store.repositories import Located, locate

NOW = 1_764_500_000_000


def place(data: Path, identity: str, root: str, common_dir: str = "", *, write: bool = True) -> Located:
    key = identity.replace("/", "-").encode("ascii", "replace").decode()
    return locate(
        data,
        identity=identity,
        key=key,
        root=root,
        checkout_key="c" + root[-1],
        common_dir=common_dir,
        now=NOW,
        write=write,
    )


def find(data: Path, directory: str) -> Located | None:
    """As hook and status line look it up."""
    found = glance.find(str(data), directory)
    return None if found is None else Located(Path(found[0]), found[1], found[2])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_one_identity_has_one_store_from_any_checkout(data: Path) -> None:
    first = place(data, "host/a", "/w/a", "/w/a/.git")
    assert first == Located(data / "host-a", "/w/a", "ca")
    assert place(data, "host/a", "/w/b", "/w/a/.git") == Located(data / "host-a", "/w/b", "cb")
    assert place(data, "host/x", "/w/x", "/w/x/.git").directory == data / "host-x"


def test_a_changed_or_gained_remote_adopts_the_store(data: Path) -> None:
    place(data, "/w/a", "/w/a", "/w/a/.git")
    gained = place(data, "host/a", "/w/a", "/w/a/.git")
    assert (gained.directory, gained.adopted) == (data / "-w-a", True)
    changed = place(data, "other/a", "/w/a", "/w/a/.git")
    assert (changed.directory, changed.adopted) == (data / "-w-a", True)
    assert place(data, "host/a", "/w/clone", "/w/clone/.git").directory == data / "-w-a"
    [store] = repositories.every(data)
    assert store.identities == ("/w/a", "host/a", "other/a")


def test_nothing_is_adopted_on_less_than_path_and_git_directory(data: Path) -> None:
    place(data, "host/a", "/w/a", "/w/a/.git")
    place(data, "plain", "/w/p")
    assert not place(data, "host/fork", "/w/a", "/elsewhere/.git").adopted
    assert not place(data, "host/fork2", "/w/b", "/w/a/.git").adopted
    assert not place(data, "plain2", "/w/p").adopted


def test_nothing_is_adopted_when_two_stores_claim_the_place(data: Path) -> None:
    place(data, "host/b", "/w/b", "/w/b/.git")
    place(data, "host/a", "/w/a", "/w/a/.git")
    place(data, "host/b", "/w/a", "/w/a/.git")
    assert not place(data, "host/new", "/w/a", "/w/a/.git").adopted


def test_looking_writes_nothing(data: Path) -> None:
    assert place(data, "host/a", "/w/a", write=False) == Located(data / "host-a", "/w/a", "ca")
    assert not data.exists()
    assert find(data, "/w/a") is None
    assert repositories.every(data) == []
    assert not data.exists()


def test_the_hook_finds_the_store_of_the_nearest_recorded_directory(data: Path, tmp_path: Path) -> None:
    root = tmp_path / "w" / "a"
    nested = root / "vendor" / "inner"
    (nested / ".git").mkdir(parents=True)
    (root / "src" / "deep").mkdir(parents=True)
    place(data, "host/a", str(root))
    key = "ca"
    assert find(data, str(root)) == Located(data / "host-a", str(root), key)
    assert find(data, str(root / "src" / "deep")) == Located(data / "host-a", str(root), key)
    assert find(data, str(nested)) is None
    assert find(data, str(tmp_path)) is None


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_a_broken_map_is_made_anew_from_the_stores(data: Path, content: bytes) -> None:
    found = place(data, "/w/a", "/w/a", "/w/a/.git")
    with open_store(found.directory, found.checkout_key) as store:
        marks.record(store, Checkout("/w/a", "ca", "/w/a/.git", NOW), "/w/a")
    (data / "map.db").write_bytes(content)
    assert find(data, "/w/a") is None
    if content:
        assert place(data, "host/a", "/w/a", "/w/a/.git") == Located(data / "-w-a", "/w/a", "ca", adopted=True)
    else:
        assert repositories.rebuild(data) == 1
    assert find(data, "/w/a") == Located(data / "-w-a", "/w/a", "ca")


def test_odd_paths_are_found_again(data: Path) -> None:
    first = place(data, "/w/\udce9 ö", "/w/\udce9 ö", "/w/\udce9 ö/.git")
    assert place(data, "host/a", "/w/\udce9 ö", "/w/\udce9 ö/.git").directory == first.directory
    [store] = repositories.every(data)
    assert store.identities == ("/w/\udce9 ö", "host/a")
    assert find(data, "/w/\udce9 ö") is None


def test_a_vanished_checkout_is_taken_out(data: Path) -> None:
    found = place(data, "host/a", "/w/a")
    open_store(found.directory, found.checkout_key).close()
    place(data, "host/a", "/w/b")
    assert (found.directory / "checkouts" / "ca.db").exists()
    assert repositories.forget_checkout(data, "/w/a")
    assert not repositories.forget_checkout(data, "/w/a")
    assert not (found.directory / "checkouts" / "ca.db").exists()
    [store] = repositories.every(data)
    assert (store.checkouts, store.exists) == ((("/w/b", "cb"),), True)


def test_many_processes_agree(data: Path) -> None:
    script = """
import sys
from pathlib import Path
from anchormem.store.repositories import locate
for number in range(20):
    print(locate(Path(sys.argv[1]), identity=f"host/{number}", key=f"k{number}", root=f"/w/{number}", checkout_key="c",
                 common_dir="", now=1).directory.name)
"""
    command = [sys.executable, "-c", script, str(data)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {each.communicate(timeout=120)[0] for each in runs}
    assert answers == {"".join(f"k{number}\n" for number in range(20))}
    assert len(repositories.every(data)) == 20
