"""Notes as projects really keep them, each with the memories that become of them.

The notes in `cases/` are ours; how they are built was seen in public CLAUDE.md, AGENTS.md and MEMORY.md files, memory
banks and decision records: SEEN_IN says where, of the others it is no longer known. `<name>.md` is seeded as the file
that SEEDED_AS names, `<name>.txt` holds what is stored: for each memory a line `line kind`, its anchors a line each
after an arrow, its body.
"""

from pathlib import Path

import pytest

from anchormem.model import Memory
from anchormem.store import listing
from anchormem.workspace.binding import printed
from anchormem.workspace.seed import seed
from anchormem.workspace.session import Workspace
from workspace.seed.conftest import write

CASES = Path(__file__).parent / "cases"
SEEDED_AS = {
    "systemPatterns": "memory-bank/systemPatterns.md",
    "activeContext": "memory-bank/activeContext.md",
    "0001-record": "docs/adr/0001-record.md",
    "0007-batches": "docs/adr/0007-batches.md",
}
SEEN_IN = {  # case → file of a public repository
    "0001-record.adr": "Altinn/altinn-authentication docs/adr/0001-record-architecture-decisions.md",
    "0007-batches.adr": "AdoptOpenJDK/openjdk-api-v3 docs/adr/0001-record-architecture-decisions.md",
    "AGENTS.layout": "bradhoekstra/gke-mcp AGENTS.md",
    "AGENTS.process": "bradfrost/atomic-design AGENTS.md",
    "CLAUDE.checklist": "0-k/netto CLAUDE.md",
    "CLAUDE.tokens": "0-don/InvoiceShelf CLAUDE.md",
    "MEMORY.chinese": "accbd472/gufa-quant-pro MEMORY.md",
    "MEMORY.index": "1246691721/claude-memory MEMORY.md",
    "MEMORY.wrapped": "0xdengdeng/CodexMonitor MEMORY.md",
    "activeContext.bold": "20010811yu/web memory-bank/activeContext.md",
    "activeContext.japanese": "31103/tanshu3 memory-bank/activeContext.md",
    "activeContext.nested": "0xBigBoss/vibe-station memory-bank/activeContext.md",
}


def names() -> list[str]:
    return sorted(path.stem for path in CASES.glob("*.md"))


def target(name: str) -> str:
    first = name.partition(".")[0]
    return SEEDED_AS.get(first, f"{first}.md")


def seeded(ws: Workspace, name: str, data: bytes) -> dict[str, Memory]:
    """What is stored, by the line where each note begins, in order."""
    reply = seed(ws, write(ws.root.path, target(name), data), {"force": True})
    assert isinstance(reply.data, dict)
    assert "refused" not in reply.data
    stored = {memory.id: memory for memory in listing.everything(ws.store)}
    assert len(reply.data["stored"]) == reply.data["notes"]
    return {f"{one['line']}.{one['id']}": stored[one["id"]] for one in reply.data["stored"]}


def shown(memories: dict[str, Memory]) -> str:
    return "".join(
        "\n".join([f"{line.partition('.')[0]} {one.kind}", *(f"→ {printed(a)}" for a in one.anchors), one.body, "", ""])
        for line, one in memories.items()
    )


def test_there_are_enough_of_them() -> None:
    assert len(SEEN_IN.keys() & set(names())) == len(SEEN_IN) >= 12
    assert {path.stem for path in CASES.glob("*.txt")} == set(names())


@pytest.mark.parametrize("name", names())
def test_notes_become_the_memories_beside_them(shared: Workspace, name: str) -> None:
    memories = seeded(shared, name, (CASES / f"{name}.md").read_bytes())
    assert shown(memories) == (CASES / f"{name}.txt").read_text("utf-8")
    assert {(one.source, one.confidence, one.by, one.private) for one in memories.values()} == {
        ("mined", 0.5, "human", False)
    }


@pytest.mark.parametrize("name", ["CLAUDE.japanese", "systemPatterns.rationale"])
def test_line_ends_of_windows_make_the_same_memories(ws: Workspace, name: str) -> None:
    data = (CASES / f"{name}.md").read_bytes()
    memories = seeded(ws, name, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert shown(memories) == (CASES / f"{name}.txt").read_text("utf-8")
    reply = seed(ws, write(ws.root.path, target(name), data), {})
    assert isinstance(reply.data, dict)
    assert reply.data["unchanged"] == reply.data["notes"] == len(memories)
