"""Which of several symbols with one qualified name is which: the disambiguators of a file."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from anchormem.syntax.declarators import parameter_types
from anchormem.syntax.frames import CALLABLE, Frame

DECLARATION: Final = "declaration"


def disambiguators(names: list[tuple[str, Frame]], parameters: Callable[[Frame], str]) -> list[str]:
    """For each (qualified name, definition) in source order what tells it from its twins.

    Alone: nothing. Else its tag (`get`, `static`, a trait); where tags are equal, the parameter list after it; where
    those are equal too, `#2`, `#3` … by order. At most one twin ends without any.
    What C and C++ declare beside its one definition is no twin of that: it is its `declaration`.
    """
    chosen = [""] * len(names)
    by_name: dict[str, list[int]] = {}
    for index, (qualified, _) in enumerate(names):
        by_name.setdefault(qualified, []).append(index)
    for twins in by_name.values():
        if len(twins) > 1:
            tags = tags_of([names[i][1] for i in twins])
            told = [(tag, parameters(names[i][1])) for tag, i in zip(tags, twins, strict=True)]
            for index, form in zip(twins, forms(told), strict=True):
                chosen[index] = form
    return chosen


def tags_of(twins: list[Frame]) -> list[str]:
    if not any(map(is_declaration, twins)):
        return [frame.tag for frame in twins]
    types = [parameter_types(frame.parameters) if frame.parameters is not None else "" for frame in twins]
    defined = Counter(said for frame, said in zip(twins, types, strict=True) if not is_declaration(frame))
    return [
        frame.tag or (DECLARATION if is_declaration(frame) and defined[said] == 1 else "")
        for frame, said in zip(twins, types, strict=True)
    ]


def is_declaration(frame: Frame) -> bool:
    """Whether it says that a function exists and not what it does."""
    is_function = frame.declared and frame.kind in CALLABLE
    return is_function and not frame.body and frame.node.type != "function_definition"


def forms(twins: list[tuple[str, str]]) -> list[str]:
    """Disambiguators of twins given as (tag, parameter list)."""
    tags = Counter(tag for tag, _ in twins)
    shown = [tag if tags[tag] == 1 else tag + parameters for tag, parameters in twins]
    seen: Counter[str] = Counter()
    result = []
    for form in shown:
        seen[form] += 1
        result.append(form if seen[form] == 1 else f"{form}#{seen[form]}")
    return result
