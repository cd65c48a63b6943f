"""What is done to code in the proof of moves: each act sets its scene up, and then goes a stage at every `yield`.

The first `yield` ends the setting up: what is written by then is committed and anchored. What the fates must be is no
business of an act: `move_table`. It only says where the code is now, because it has put it there.
"""

from collections.abc import Callable, Iterator

from proof.move_ground import Scene

Act = Callable[[Scene], Iterator[None]]


def three(scene: Scene, *others: str) -> None:
    """The usual file: one function before the anchored one, one after it."""
    scene.write("main", scene.function("first", 1), scene.function(), scene.function("last", 2), *others)
    scene.anchor("settle", "main", "settle")


def neighbours(scene: Scene) -> None:
    scene.anchor("before", "main", "first")
    scene.anchor("after", "main", "last")


# ── in the file ─────────────────────────────────────────────────────────────────────────────────────────────────────


def reordered(scene: Scene) -> Iterator[None]:
    three(scene)
    neighbours(scene)
    yield
    scene.write("main", scene.function("last", 2), scene.function(), scene.function("first", 1))
    yield


def function_renamed(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.rename("main", "settle", "balance")
    scene.now["settle"] = scene.at("main", "balance")
    yield
    scene.rename("main", "balance", "settle")
    scene.now["settle"] = scene.at("main", "settle")
    yield


def class_renamed(scene: Scene) -> Iterator[None]:
    """The class, its constructor, a method of it: where the constructor bears the name of the class, that one too."""
    scene.write("main", scene.function("first", 1), scene.type("Ledger"))
    parts = ("TYPE", *scene.sample.members)
    for part in parts:
        scene.anchor(part, "main", part.replace("TYPE", "Ledger"))
    yield
    scene.rename("main", "Ledger", "Journal")
    scene.now |= {part: scene.at("main", part.replace("TYPE", "Journal")) for part in parts}
    yield


def moved_to_another_class(scene: Scene) -> Iterator[None]:
    scene.write("main", scene.box("Ledger", scene.method("settle", "Ledger")), scene.box("Journal"))
    scene.anchor("settle", "main", "Ledger.settle")
    yield
    scene.write("main", scene.box("Ledger"), scene.box("Journal", scene.method("settle", "Journal")))
    scene.now["settle"] = scene.at("main", "Journal.settle")
    yield


def new_function_under_the_old_name(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.write("main", scene.function("balance"), scene.function("settle", 3), scene.function("last", 2))
    scene.now["settle"] = scene.at("main", "balance")
    yield


def names_exchanged(scene: Scene) -> Iterator[None]:
    scene.write("main", scene.function("settle"), scene.function("balance", 3))
    scene.anchor("settle", "main", "settle")
    scene.anchor("balance", "main", "balance")
    yield
    scene.write("main", scene.function("balance"), scene.function("settle", 3))
    scene.now |= {"settle": scene.at("main", "balance"), "balance": scene.at("main", "settle")}
    yield


def edited_and_undone(scene: Scene) -> Iterator[None]:
    three(scene)
    neighbours(scene)
    yield
    edit(scene, "main")
    yield
    unedit(scene, "main")
    yield


def edit(scene: Scene, name: str) -> None:
    scene.replace(name, str(scene.number), str(scene.number + 7))
    scene.changed["settle"] = f"{scene.number} → {scene.number + 7}"


def unedit(scene: Scene, name: str) -> None:
    scene.replace(name, str(scene.number + 7), str(scene.number))
    scene.changed.clear()


def renamed_and_edited(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.rename("main", "settle", "balance")
    scene.replace("main", str(scene.number), str(scene.number + 7))
    scene.now["settle"] = scene.at("main", "balance")
    yield


def renamed_then_edited(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.rename("main", "settle", "balance")
    scene.now["settle"] = scene.at("main", "balance")
    yield
    edit(scene, "main")
    yield
    unedit(scene, "main")
    yield


# ── to another file ─────────────────────────────────────────────────────────────────────────────────────────────────


def two_files(scene: Scene) -> None:
    three(scene)
    scene.write("other", scene.function("third", 3))


def take_out(scene: Scene) -> None:
    scene.write("main", scene.function("first", 1), scene.function("last", 2))


def moved_to_another_file(scene: Scene) -> Iterator[None]:
    two_files(scene)
    yield
    take_out(scene)
    scene.write("other", scene.function("third", 3), scene.function())
    scene.now["settle"] = scene.at("other", "settle")
    yield


def moved_then_edited(scene: Scene) -> Iterator[None]:
    yield from moved_to_another_file(scene)
    edit(scene, "other")
    yield
    unedit(scene, "other")
    yield


def moved_and_renamed(scene: Scene) -> Iterator[None]:
    two_files(scene)
    yield
    take_out(scene)
    scene.write("other", scene.function("balance"), scene.function("third", 3))
    scene.now["settle"] = scene.at("other", "balance")
    yield


def extracted(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    take_out(scene)
    scene.write("new", scene.function())
    scene.now["settle"] = scene.at("new", "settle")
    yield


def copied_then_removed(scene: Scene) -> Iterator[None]:
    """As an agent moves code that writes the new file, looks, and then takes the old code away."""
    three(scene)
    yield
    scene.write("new", scene.function())
    yield
    take_out(scene)
    scene.now["settle"] = scene.at("new", "settle")
    yield


def moved_to_two_places(scene: Scene) -> Iterator[None]:
    two_files(scene)
    yield
    take_out(scene)
    scene.write("other", scene.function("third", 3), scene.function())
    scene.write("new", scene.function())
    scene.now["settle"] = scene.at("other", "settle")
    yield


def deleted_beside_a_twin(scene: Scene) -> Iterator[None]:
    three(scene)
    scene.write("other", scene.function("third", 3), scene.function("balance"))
    yield
    take_out(scene)
    scene.now["settle"] = scene.at("other", "balance")
    yield
    three(scene)
    yield


def one_of_two_equal(scene: Scene) -> Iterator[None]:
    scene.write("main", scene.function("settle"), scene.function("balance"))
    scene.anchor("settle", "main", "settle")
    scene.anchor("balance", "main", "balance")
    yield
    scene.write("main", scene.function("settle", 7), scene.function("balance"))
    scene.changed["settle"] = f"{scene.number} → {scene.number + 7}"
    yield
    scene.write("main", scene.function("cleared"), scene.function("balance"))
    scene.changed.clear()
    scene.now["settle"] = scene.at("main", "cleared")
    yield


def deleted(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    take_out(scene)
    yield
    three(scene)
    yield


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def file_renamed(scene: Scene) -> Iterator[None]:
    three(scene)
    neighbours(scene)
    yield
    scene.move("main", "deep/renamed")
    move_all(scene, "deep/renamed")
    yield


def move_all(scene: Scene, name: str) -> None:
    for role, symbol in (("settle", "settle"), ("before", "first"), ("after", "last")):
        scene.now[role] = scene.at(name, symbol)


def file_renamed_and_edited_beside(scene: Scene) -> Iterator[None]:
    three(scene)
    neighbours(scene)
    yield
    scene.move("main", "renamed")
    scene.replace("renamed", str(scene.number + 2), str(scene.number + 8))
    move_all(scene, "renamed")
    yield


def file_renamed_and_edited(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.move("main", "renamed")
    scene.replace("renamed", str(scene.number), str(scene.number + 7))
    scene.now["settle"] = scene.at("renamed", "settle")
    yield


def whole_file(scene: Scene) -> Iterator[None]:
    three(scene)
    scene.anchors.clear()
    scene.anchor("file", "main")
    yield
    scene.replace("main", str(scene.number), str(scene.number + 7))
    yield
    three(scene)
    scene.anchors.pop("settle")
    scene.move("main", "deep/renamed")
    scene.now["file"] = scene.at("deep/renamed")
    yield
    scene.move("deep/renamed", "again")
    scene.replace("again", str(scene.number), str(scene.number + 7))
    scene.now["file"] = scene.at("again")
    yield


# ── too small ───────────────────────────────────────────────────────────────────────────────────────────────────────


def trivial_renamed(scene: Scene) -> Iterator[None]:
    scene.write("main", scene.tiny("ready"), scene.function("last", 2))
    scene.anchor("ready", "main", "ready")
    yield
    scene.write("main", scene.tiny("done"), scene.function("last", 2))
    scene.now["ready"] = scene.at("main", "done")
    yield
    scene.write("main", scene.tiny("ready"), scene.function("last", 2))
    scene.now["ready"] = scene.at("main", "ready")
    yield


def trivial_moved(scene: Scene) -> Iterator[None]:
    scene.write("main", scene.tiny("ready"), scene.function("last", 2))
    scene.anchor("ready", "main", "ready")
    yield
    scene.write("main", scene.function("last", 2))
    scene.write("new", scene.tiny("ready"))
    scene.now["ready"] = scene.at("new", "ready")
    yield


# ── half-typed ──────────────────────────────────────────────────────────────────────────────────────────────────────


def half_typed(spoil: Callable[[str, str], str]) -> Act:
    """The line with the scene's number spoilt; then typed to its end."""

    def act(scene: Scene) -> Iterator[None]:
        three(scene)
        neighbours(scene)
        yield
        scene.tree.write(scene.path("main"), spoil(scene.tree.read(scene.path("main")), str(scene.number)))
        yield
        three(scene)
        yield

    return act


def open_bracket(text: str, number: str) -> str:
    return text.replace(number, f"{number} + (")


def open_string(text: str, number: str) -> str:
    return text.replace(number, f'"{number}')


def conflict(text: str, number: str) -> str:
    line = next(line for line in text.splitlines(keepends=True) if number in line)
    theirs = line.replace(number, f"{number}9")
    return text.replace(line, f"<<<<<<< HEAD\n{line}=======\n{theirs}>>>>>>> theirs\n")


def conflict_over_a_whole(scene: Scene) -> Iterator[None]:
    """Both sides of a conflict hold the function whole."""
    three(scene)
    neighbours(scene)
    yield
    ours, theirs = scene.function(), scene.function("settle", 7)
    marked = f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> theirs\n"
    scene.write("main", scene.function("first", 1), marked, scene.function("last", 2))
    yield
    three(scene)
    yield


def lost_in_a_half_typed_file(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    take_out(scene)
    scene.replace("main", str(scene.number + 2), f"{scene.number + 2} + (")
    yield
    take_out(scene)
    scene.write("new", scene.function())
    scene.now["settle"] = scene.at("new", "settle")
    yield


def broken_beside(scene: Scene) -> Iterator[None]:
    three(scene)
    yield
    scene.replace("main", str(scene.number + 1), f"{scene.number + 1} + (")
    yield
    three(scene)
    yield


# ── aspects ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def aspects(scene: Scene) -> Iterator[None]:
    two_files(scene)
    scene.anchors.clear()
    scene.anchor("signature", "main", "settle", aspect="signature")
    scene.anchor("exists", "main", "settle", aspect="exists")
    scene.anchor("quote", "main", "settle", quote='"none"')
    yield
    scene.replace("main", str(scene.number), str(scene.number + 7))
    yield
    take_out(scene)
    scene.write("other", scene.function("third", 3), scene.function("balance", 7))
    scene.now |= dict.fromkeys(("signature", "exists", "quote"), scene.at("other", "balance"))
    yield
    scene.replace("other", f"{scene.number + 7}", f"{scene.number + 6}")
    scene.rename("other", "none", "some")
    yield
