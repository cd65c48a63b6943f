"""Ids of memories: made at random, and found by what a caller types. Knows nothing of what is done with them."""

import hashlib
import secrets
from collections.abc import Iterable

from anchormem.errors import NotFound, Refused
from anchormem.model import Memory
from anchormem.store import memories
from anchormem.store.db import Store

LENGTH = 10
_LETTERS = "abcdefghjkmnpqrstvwxyz"  # Crockford's base 32 without i, l, o, u
_ALPHABET = "0123456789" + _LETTERS


def new_id() -> str:
    """Ten lower-case Crockford base-32 characters, the first a letter, so that no id ever reads as a number."""
    return secrets.choice(_LETTERS) + "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH - 1))


def derived(text: str) -> str:
    """An id that is the same on every machine: for what was made from something that others have too."""
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16])
    number, first = divmod(number, len(_LETTERS))
    made = _LETTERS[first]
    for _ in range(LENGTH - 1):
        number, place = divmod(number, len(_ALPHABET))
        made += _ALPHABET[place]
    return made


def find(store: Store, given: str, *, exact: bool = False) -> str:
    """The id that is given or uniquely begun; `exact` for what hides or destroys. NotFound, Refused when ambiguous."""
    wanted = given.strip().lower()
    if not wanted or len(wanted) > LENGTH or not all(letter in _ALPHABET for letter in wanted):
        raise NotFound(f"no memory has the id {given[:40]!r}", "an id has 10 letters and digits, as recall gives it")
    return memories.resolve_prefix(store, wanted, exact_only=exact)


def one(store: Store, given: str, *, exact: bool = False, forgotten: bool = False) -> Memory:
    """The whole memory behind an id. NotFound when it was forgotten, unless those are wanted."""
    memory = memories.one(store, find(store, given, exact=exact))
    if memory.forgotten_at and not forgotten:
        raise NotFound(f"{memory.id} was forgotten", f"admin restore {memory.id} brings it back, for 30 days")
    return memory


def several(store: Store, given: Iterable[str], *, exact: bool = False, forgotten: bool = False) -> list[Memory]:
    """All of them, or the error of the first that is not there."""
    found = [one(store, name, exact=exact, forgotten=forgotten) for name in given]
    return list({memory.id: memory for memory in found}.values())


def only(given: tuple[str, ...], operation: str) -> str:
    """The single id of an operation that takes one."""
    if len(given) != 1:
        raise Refused(f"{operation} takes one id at a time, not {len(given)}", "call it once for each")
    return given[0]
