"""The table of administrative operations: name → function and the arguments it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anchormem.model import Reply
from anchormem.workspace import admin_acts, admin_index, admin_ledger, admin_proof, admin_read, transfer
from anchormem.workspace.session import Workspace

Operation = Callable[[Workspace, Mapping[str, object]], Reply]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation. `takes`: the argument names it understands; any other is refused by the caller."""

    name: str
    run: Operation
    takes: tuple[str, ...]
    needs: tuple[str, ...] = ()


OPS: tuple[Op, ...] = (
    Op("index", admin_index.index, ("full",)),
    Op("status", admin_index.status, ()),
    Op("get", admin_read.get, ("ids",), ("ids",)),
    Op("list", admin_read.list_memories, ("kinds", "status", "source", "path", "text", "limit", "offset")),
    Op("history", admin_read.history, ("ids", "restore_revision", "limit", "offset"), ("ids",)),
    Op("forget", admin_acts.forget, ("ids",), ("ids",)),
    Op("archive", admin_acts.archive, ("ids",), ("ids",)),
    Op("restore", admin_acts.restore, ("ids",), ("ids",)),
    Op("reverify", admin_proof.reverify, ("ids", "command", "output", "exit_code"), ("ids", "command", "output")),
    Op("confirm", admin_proof.confirm, ("ids",), ("ids",)),
    Op("reanchor", admin_proof.reanchor, ("ids", "anchors"), ("ids", "anchors")),
    Op("unlink", admin_acts.unlink, ("ids", "target", "rel"), ("ids", "target", "rel")),
    Op("consolidate", admin_read.consolidate, ("limit",)),
    Op("export", transfer.export, ("path",)),
    Op("import", transfer.import_shared, ("path",)),
    Op("ledger", admin_ledger.ledger, ()),
    Op("ledger_reset", admin_ledger.ledger_reset, ()),
    Op("gc", admin_index.gc, ("dry_run",)),
)
BY_NAME: Mapping[str, Op] = {op.name: op for op in OPS}
