"""Arguments of a use case, read with their types. They were checked before; this is where `object` ends.

Knows nothing of what the arguments mean.
"""

from collections.abc import Mapping

from anchormem.errors import UsageError

Args = Mapping[str, object]


def text(args: Args, name: str, default: str = "") -> str:
    value = args.get(name)
    return value if isinstance(value, str) else default


def texts(args: Args, name: str) -> tuple[str, ...]:
    """A list of texts; one bare text counts as a list of one. Repetitions are dropped, the order stays."""
    value = args.get(name)
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list | tuple):
        return ()
    return tuple(dict.fromkeys(element for element in value if isinstance(element, str) and element))


def whole(args: Args, name: str, default: int) -> int:
    value = args.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def number(args: Args, name: str) -> float | None:
    value = args.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def flag(args: Args, name: str, *, default: bool = False) -> bool:
    value = args.get(name)
    return value if isinstance(value, bool) else default


def choice(args: Args, name: str) -> bool | None:
    """True, False, or None where nothing was said."""
    value = args.get(name)
    return value if isinstance(value, bool) else None


def mapping(args: Args, name: str) -> Mapping[str, object] | None:
    value = args.get(name)
    return value if isinstance(value, Mapping) else None


def several(args: Args, name: str) -> tuple[str | Mapping[str, object], ...] | None:
    """A list of texts or objects; None where nothing was said."""
    value = args.get(name)
    if value is None:
        return None
    if isinstance(value, str | Mapping):
        return (value,)
    if not isinstance(value, list | tuple):
        raise UsageError(f"{name} cannot be read", f"{name} takes a list")
    return tuple(element for element in value if isinstance(element, str | Mapping))
