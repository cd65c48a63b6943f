"""The text of a reply: `{"data": …, "meta": …}`, or `{"error": …}`, as compact JSON.

Knows nothing of who reads it.
"""

from anchormem.errors import AnchormemError
from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import compact


def success(reply: Reply) -> str:
    return compact({"data": reply.data, "meta": reply.meta})


def failure(error: AnchormemError) -> str:
    return compact({"error": error_fields(error)})


def error_fields(error: AnchormemError) -> JsonObject:
    """`code`, `message` and, when there is something to do, `hint`."""
    fields: JsonObject = {"code": error.code, "message": error.message}
    return {**fields, "hint": error.hint} if error.hint else fields
