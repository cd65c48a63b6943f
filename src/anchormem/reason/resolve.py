"""The fate of one anchor in one checkout: the table of fates, as a pure function of a Scene.

Knows no files, SQL, clock or grammar. Running it twice on one scene gives one answer, and the answer changes nothing.
"""

from typing import Literal

from anchormem.model import Fate
from anchormem.reason.scene import Scene

Want = Literal["", "elsewhere", "successor", "past"]


def resolve(scene: Scene) -> Fate:
    """The fate. Where something needed was not looked up: unknown(pending)."""
    raise NotImplementedError


def wants(scene: Scene) -> Want:
    """What has to be looked up next before the fate is certain, "" when it is. Each answer is dearer than the one before."""
    raise NotImplementedError
