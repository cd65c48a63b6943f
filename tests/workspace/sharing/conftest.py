"""The small project of the answers, for the tests of what is shared."""

from workspace.answers.conftest import desk, open_desk

__all__ = ["desk", "open_desk"]
