"""Another language pack in the place of ours, which carries no grammar and has no network to fetch one."""

from pathlib import Path

from journeys.conftest import Desk
from server.wire import Pipes

CODE = "def send(rows, limit=50):\n    kept = [row for row in rows if row.due < limit]\n    return sorted(kept)\n"
PACK = (
    'def get_language(name):\n    raise LookupError(f"Language {name!r} is not downloaded and there is no network")\n'
)


def stand_in(folder: Path) -> Path:
    package = folder / "tree_sitter_language_pack"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PACK)
    told = folder / "tree_sitter_language_pack-1.4.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: tree-sitter-language-pack\nVersion: 1.4.0\n")
    return folder


def test_without_grammars_symbols_are_refused_loudly_files_are_offered_and_old_anchors_are_not_stale(
    repository: Path, tmp_path: Path
) -> None:
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        desk = Desk(repository, pipes)
        desk.write("jobs.py", CODE)
        desk.commit()
        symbol, file = desk.remember("jobs.py::send"), desk.remember("jobs.py")
    with Pipes(repository, env={"PYTHONPATH": str(stand_in(tmp_path / "pack"))}) as pipes:
        pipes.shake_hands()
        desk = Desk(repository, pipes)
        assert desk.fate(symbol).split(":")[0] in ("fresh", "unknown")
        assert desk.fate(file) == "fresh"
        error = desk.error("remember", kind="fact", body="send keeps rows", anchors=["jobs.py::send"])
        said = f"{error['message']} {error.get('hint', '')}"
        assert "grammar" in said
        assert "file" in said
        assert desk.remember("jobs.py", body="jobs sends rows")
        desk.write("jobs.py", CODE.replace("50", "60"))
        assert desk.fate(symbol).startswith("unknown")
    desk.write("jobs.py", CODE)
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        assert Desk(repository, pipes).fate(symbol) == "fresh"
