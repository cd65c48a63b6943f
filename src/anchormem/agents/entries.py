"""The entry of our server in an agent's configuration: put in, taken out, looked at. Text in, text out.

Each result is checked against what the text meant before: nothing but our entry may differ. Knows nothing of files.
"""

from collections.abc import Mapping, Sequence

from anchormem.agents import jsontext, tomltext
from anchormem.agents.table import Agent, is_ours, value_at
from anchormem.errors import Refused


def meaning(agent: Agent, text: str) -> dict[str, object]:
    """Refused: the text is no configuration."""
    return tomltext.parsed(text) if agent.toml else jsontext.parsed(text, comments=agent.comments)


def present(agent: Agent, text: str) -> object:
    """The entry of our name, whosever it is; None without one."""
    return value_at(meaning(agent, text), agent.path)


def added(agent: Agent, text: str) -> str:
    """With our entry. Unchanged where it is there already, or an entry of that name is not ours."""
    found = present(agent, text)
    wanted = agent.entry()
    if found == wanted or (found is not None and not is_ours(found)):
        return text
    put = tomltext.put if agent.toml else jsontext.put
    made = put(text, agent.path, wanted)
    checked(agent, text, made, wanted)
    return made


def taken(agent: Agent, text: str) -> str:
    """Without our entry; an entry of that name that is not ours stays. "" where nothing else was in the file."""
    found = present(agent, text)
    if found is None or not is_ours(found):
        return text
    made = tomltext.drop(text, agent.path) if agent.toml else jsontext.drop(text, agent.path)
    checked(agent, text, made, None)
    return "" if not meaning(agent, made) and made.strip() in ("", "{}") else made


def checked(agent: Agent, before: str, after: str, entry: object) -> None:
    """Refused: the change would mean more than it should, for a form that we do not understand."""
    wanted = _with(meaning(agent, before), agent.path, entry)
    try:
        kept = _without_empty(meaning(agent, after), agent.under) == _without_empty(wanted, agent.under)
    except Refused:
        kept = False
    if not kept:
        raise Refused("is written in a way that cannot be edited safely", f"add or remove {agent.path[-1]} by hand")


def _with(found: Mapping[str, object], path: Sequence[str], entry: object) -> dict[str, object]:
    key, rest = path[0], path[1:]
    others = {name: value for name, value in found.items() if name != key}
    if not rest:
        return others if entry is None else {**others, key: entry}
    below = found.get(key)
    return {**others, key: _with(below if isinstance(below, dict) else {}, rest, entry)}


def _without_empty(found: dict[str, object], under: Sequence[str]) -> dict[str, object]:
    """An object above our name that holds nothing means the same as none."""
    key, rest = under[0], under[1:]
    below = found.get(key)
    if isinstance(below, dict) and rest:
        below = _without_empty(below, rest)
    others = {name: value for name, value in found.items() if name != key}
    return others if below in (None, {}) else {**others, key: below}
