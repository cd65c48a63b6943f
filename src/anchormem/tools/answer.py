"""The text of a reply: `{"data": …, "meta": …}`, or `{"error": …}`, as compact JSON.

Knows nothing of who reads it.
"""

from anchormem.errors import AnchormemError
from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import compact
from anchormem.text.secrets import guarded


def success(reply: Reply) -> str:
    return reply.text or compact({"data": reply.data, "meta": reply.meta})


def failure(error: AnchormemError, given: object = ()) -> str:
    """`given`: the words or arguments of the call, any JSON value; see `secrets.guarded`."""
    return compact({"error": error_fields(guarded(error, given))})


def error_fields(error: AnchormemError) -> JsonObject:
    """`code`, what happened, and what to do."""
    return {"code": error.code, "message": error.message, "hint": error.hint}
