"""Which of several symbols with one qualified name is which: the disambiguators of a file."""

from collections import Counter
from collections.abc import Callable

from anchormem.syntax.frames import Frame


def disambiguators(names: list[tuple[str, Frame]], parameters: Callable[[Frame], str]) -> list[str]:
    """For each (qualified name, definition) in source order what tells it from its twins.

    Alone: nothing. Else its tag (`get`, `static`, a trait); where tags are equal, the parameter list after it; where
    those are equal too, `#2`, `#3` … by order. At most one twin ends without any.
    """
    chosen = [""] * len(names)
    by_name: dict[str, list[int]] = {}
    for index, (qualified, _) in enumerate(names):
        by_name.setdefault(qualified, []).append(index)
    for twins in by_name.values():
        if len(twins) > 1:
            for index, form in zip(
                twins, forms([(names[i][1].tag, parameters(names[i][1])) for i in twins]), strict=True
            ):
                chosen[index] = form
    return chosen


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
