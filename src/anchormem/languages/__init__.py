"""The languages, each one file `<name>.scm` in this folder: header lines are its row, queries below find its facts.

VOCABULARY.md beside this file says what a header may hold and which captures exist. Knows nothing of files on disk but
its own, of hashes, or of how facts are used.
"""

from anchormem.languages.detect import language_of
from anchormem.languages.registry import epoch, load, names
from anchormem.languages.row import Language

__all__ = ["Language", "epoch", "language_of", "load", "names"]
