"""The text of a reply: `{"data": …, "meta": …}`, or `{"error": …}`, as compact JSON.

Knows nothing of who reads it.
"""

from collections.abc import Iterator, Mapping

from anchormem.errors import AnchormemError, SecretFound
from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import compact
from anchormem.text import secrets


def success(reply: Reply) -> str:
    return compact({"data": reply.data, "meta": reply.meta})


def failure(error: AnchormemError, given: object = ()) -> str:
    """`given`: the words or arguments of the call, any JSON value; see `guarded`."""
    return compact({"error": error_fields(guarded(error, given))})


def error_fields(error: AnchormemError) -> JsonObject:
    """`code`, what happened, and what to do."""
    return {"code": error.code, "message": error.message, "hint": error.hint}


def guarded(error: AnchormemError, given: object) -> AnchormemError:
    """The error; where what was given holds a secret, one of the same kind that repeats nothing of it."""
    if isinstance(error, SecretFound):
        return error
    found = next(filter(None, map(secrets.find, texts(given))), None)
    if found is None:
        return error
    return type(error)(
        f"refused, and not said why: the call holds what looks like a secret (rule {found.rule})",
        "take the value out and call again",
    )


def texts(given: object) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        for key, member in given.items():
            yield str(key)
            yield from texts(member)
    elif isinstance(given, list | tuple):
        for element in given:
            yield from texts(element)
