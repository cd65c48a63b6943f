"""What a resolving pass asks for late is in the store as well as what it asked for at once."""

from pathlib import Path

from anchormem.workspace.ground import Ground
from anchormem.workspace.session import close, open_workspace
from anchormem.workspace.sweep import sweep


def test_stored_facts_of_a_path_named_later_are_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def drain(queue):\n    return queue.pop()\n")
    ws = open_workspace(tmp_path)
    sweep(ws)
    ground = Ground(ws, ())
    assert [symbol.qualified for symbol in ground.symbols("a.py", "drain")] == ["drain"]
    assert ground.parsed == []
    close(ws)
