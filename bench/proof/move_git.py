"""What git does to code in the proof of moves: every language at once in a repository of its own.

As in `move_acts`; a `yield` of a tree says whose fates are meant, where it is not the repository's own.
"""

from collections.abc import Callable, Iterator, Sequence

from proof.move_acts import conflict, neighbours, three
from proof.move_ground import Scene, Tree

GitAct = Callable[[Tree, Sequence[Scene]], Iterator[Tree | None]]

FOLDER_FILES = 200


def branch_switched(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """Anchored on a branch with a new function and an edited one; away, and back."""
    for scene in scenes:
        scene.write("main", scene.function("first", 1), scene.function("settle", 9))
    tree.commit()
    tree.git("checkout", "-qb", "feature")
    for scene in scenes:
        three(scene)
        neighbours(scene)
        scene.write("new", scene.function("born", 4))
        scene.anchor("new file", "new", "born")
    yield None
    tree.git("checkout", "-q", "main")
    yield None
    tree.git("checkout", "-q", "feature")
    yield None


def stashed(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """Anchored to code that no commit holds yet."""
    for scene in scenes:
        scene.write("main", scene.function("first", 1), scene.function("settle", 9))
    tree.commit()
    for scene in scenes:
        three(scene)
        neighbours(scene)
    yield None
    tree.git("stash", "-q")
    yield None
    tree.git("stash", "pop", "-q")
    yield None


def rebase_stopped(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """A rebase that stops on a conflict in every file; given up; and again, and brought to its end."""
    for scene in scenes:
        three(scene)
    tree.commit("base")
    tree.git("checkout", "-qb", "feature")
    for scene in scenes:
        scene.replace("main", str(scene.number), str(scene.number + 5))
    tree.commit("ours")
    for scene in scenes:
        scene.write("later", scene.function("later", 4))
        scene.anchor("later", "later", "later")
        neighbours(scene)
    yield None
    tree.git("checkout", "-q", "main")
    for scene in scenes:
        scene.replace("main", str(scene.number), str(scene.number + 6))
    tree.commit("theirs")
    tree.git("checkout", "-q", "feature")
    stop(tree)
    yield None
    tree.git("rebase", "--abort")
    yield None
    stop(tree)
    yield None
    tree.git("checkout", "-q", "--theirs", ".")  # of a rebase: the side that is being replayed
    tree.git("add", "-A")
    tree.git("rebase", "--continue")
    yield None


def stop(tree: Tree) -> None:
    tree.git("rebase", "main", check=False)
    assert (tree.root / ".git" / "rebase-merge").is_dir(), "the rebase did not stop"


def merge_in_the_work_tree(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """Markers that somebody left behind and even committed: still no code, and no edit either."""
    for scene in scenes:
        three(scene)
        neighbours(scene)
    yield None
    for scene in scenes:
        text = scene.tree.read(scene.path("main"))
        scene.tree.write(scene.path("main"), conflict(text, str(scene.number)))
    tree.commit()
    yield None
    tree.git("revert", "--no-edit", "HEAD")
    yield None


def worktree(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """Edited and moved in a second work tree: fates there are its own, and here nothing happens."""
    for scene in scenes:
        three(scene)
        neighbours(scene)
    yield None
    other = Tree(tree.root.parent / f"{tree.root.name}-other")
    tree.git("worktree", "add", "-q", "-b", "other", str(other.root))
    homes = [dict(scene.now) for scene in scenes]
    for scene in scenes:
        path, text = scene.path("main"), scene.tree.read(scene.path("main"))
        other.write(path, text.replace(str(scene.number), str(scene.number + 7)))
        other.move(path, scene.path("moved"))
        scene.now |= {"before": scene.at("moved", "first"), "after": scene.at("moved", "last")}
        scene.now["settle"] = scene.at("moved", "settle")
    yield other
    for scene, home in zip(scenes, homes, strict=True):
        scene.now |= home
    yield None


def never_committed(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    for scene in scenes:
        scene.write("other", scene.function("third", 3))
    tree.commit()
    for scene in scenes:
        three(scene)
    yield None
    for scene in scenes:
        scene.delete("main")
    yield None
    for scene in scenes:
        three(scene)
    yield None


def deletion_committed(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    for scene in scenes:
        three(scene)
    yield None
    for scene in scenes:
        scene.write("main", scene.function("first", 1), scene.function("last", 2))
    tree.commit()
    yield None
    tree.git("revert", "--no-edit", "HEAD")
    yield None


def renamed_in_a_commit(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """`git mv` with an edit, committed: git says where the file went."""
    for scene in scenes:
        three(scene)
        neighbours(scene)
    yield None
    for scene in scenes:
        (tree.root / scene.path("deep/renamed")).parent.mkdir(parents=True, exist_ok=True)
        tree.git("mv", scene.path("main"), scene.path("deep/renamed"))
        scene.replace("deep/renamed", str(scene.number), str(scene.number + 7))
        scene.now |= {"before": scene.at("deep/renamed", "first"), "after": scene.at("deep/renamed", "last")}
        scene.now["settle"] = scene.at("deep/renamed", "settle")
    tree.commit()
    yield None


def folder_moved(tree: Tree, scenes: Sequence[Scene]) -> Iterator[Tree | None]:
    """A folder of two hundred files; a function of every scene's first file is anchored, and a tenth of the others."""
    each = -(-FOLDER_FILES // len(scenes))
    for scene in scenes:
        for number in range(each):
            scene.write(f"many/file{number}", filler(scene, number))
            if number % 10 == 0:
                scene.anchor(f"file {number}", f"many/file{number}", f"filler{number}")
    yield None
    for scene in scenes:
        tree.move(f"{scene.folder}/many", f"moved/{scene.folder}/all")
        scene.now = {
            role: place.replace(f"{scene.folder}/many", f"moved/{scene.folder}/all", 1)
            for role, place in scene.now.items()
        }
    yield None


def filler(scene: Scene, number: int) -> str:
    """No two alike."""
    return scene.sample.part("function", {"NAME": f"filler{number}", "NUMBER": f"{scene.number}{number:03}"})
