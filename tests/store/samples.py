"""Values to put into a store, every field of them unlike its default."""

from hashlib import blake2b

from anchormem.model import (
    Anchor,
    Evidence,
    FileFacts,
    FileState,
    Import,
    Inheritance,
    Link,
    Memory,
    Reference,
    Slot,
    Stat,
    Symbol,
)


def digest(seed: object) -> bytes:
    return blake2b(repr(seed).encode(), digest_size=16).digest()


def anchor(path: str = "src/queue.py", qualified: str = "ScanQueue.seed", body: object = "body") -> Anchor:
    """A plain anchor on a symbol."""
    return Anchor(
        slot=Slot(path, qualified),
        aspect="body",
        epoch="1.python",
        body=digest(body),
        signature=digest("signature"),
        raw=digest("raw"),
        tokens=40,
        kind="method",
        text="def seed(self):\n    return 50\n",
        slots=(Slot(path, qualified),),
    )


def full_anchor() -> Anchor:
    """An anchor without a default value in it, but for the row id."""
    return Anchor(
        slot=Slot("src/ö b.py", "Klass.méthode", "(int a, String b)"),
        aspect="quote",
        epoch="1.python",
        body=digest(1),
        signature=digest(2),
        doc=digest(3),
        raw=digest(4),
        normal=digest(5),
        tokens=7,
        kind="method",
        quote='limit = "50"',
        quote_tokens=("limit", "=", '"50"', "\ud83d"),
        quote_count=2,
        damaged=True,
        file_damaged=True,
        commit="0123456789abcdef0123456789abcdef01234567",
        dirty=True,
        text='def méthode(a):\n    limit = "50"  # \udc80\n',
        slots=(Slot("src/ö b.py", "Klass.méthode", "(int a, String b)"), Slot("lib/b.py", "Klass.other")),
        twins=(Slot("src/twin.py", "Klass.méthode"),),
    )


def memory(memory_id: str = "m000000001", body: str = "The batch size is 50", **fields: object) -> Memory:
    """A plain memory with one anchor."""
    values: dict[str, object] = {
        "id": memory_id,
        "kind": "fact",
        "body": body,
        "source": "explicit",
        "confidence": 0.8,
        "created_at": 1_000,
        "updated_at": 1_000,
        "anchors": (anchor(),),
    }
    return Memory(**(values | fields))  # type: ignore[arg-type]  # a test's shorthand, checked by the dataclass in use


def full_memory(memory_id: str = "z000000001") -> Memory:
    """A memory without a default value in it, but for the marks of being dead."""
    return Memory(
        id=memory_id,
        kind="decision",
        body="Größe der Stapel: 50 \x00 \udc80 批处理",
        source="verified",
        confidence=0.95,
        created_at=1_700_000_000_000,
        updated_at=1_700_000_000_001,
        by="human",
        client="claude-code",
        session="session-1",
        origin="seed:README.md#3",
        private=True,
        archived=True,
        imported=True,
        evidence=Evidence(
            "pytest -q tests/test_queue.py", "3 passed", digest("out"), 3, 1_700_000_000_002, approved=False
        ),
        links=(Link("y000000001", "supports"), Link("x000000001", "contradicts")),
        anchors=(full_anchor(), anchor()),
    )


def symbol(qualified: str, body: object = None, **fields: object) -> Symbol:
    """A symbol of a line of its own; its body hash is of the name unless another is given."""
    values: dict[str, object] = {
        "name": qualified.rpartition(".")[2],
        "qualified": qualified,
        "disambiguator": "",
        "kind": "function",
        "start_byte": 0,
        "end_byte": 10,
        "start_line": 1,
        "end_line": 2,
        "body": digest(qualified if body is None else body),
        "signature": digest((qualified, "signature")),
        "doc": None,
        "raw": digest((qualified, "raw")),
        "tokens": 12,
        "head": f"def {qualified}()",
    }
    return Symbol(**(values | fields))  # type: ignore[arg-type]  # as above


def facts(content: object, *symbols: Symbol, language: str | None = "python", epoch: str = "1.python") -> FileFacts:
    """Facts with a reference, an import and a base for each symbol."""
    return FileFacts(
        content=digest(content),
        language=language,
        epoch=epoch,
        normal=digest((content, "normal")),
        error_bytes=0,
        symbols=symbols,
        references=tuple(
            Reference("put", "self.store", number, each.qualified) for number, each in enumerate(symbols, start=1)
        ),
        imports=(Import("..pkg.queue", ("ScanQueue", "seed"), 1),),
        inheritance=tuple(Inheritance(each.qualified, "base.Worker", "extends", 1) for each in symbols),
    )


def state(path: str, content: object = None, language: str | None = "python") -> FileState:
    """A file as last seen; its content hash is of the path unless another is given."""
    return FileState(path, Stat(1, 100, 2, 3), 4, digest(path if content is None else content), language)
