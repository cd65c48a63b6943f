"""`python -m anchormem` is the command line."""

import os
import sys

# `-m` puts the current directory first: a repository's own `queue.py` would run in place of the standard library's.
# Not by pathlib, which would be looked up there too.
try:
    if sys.path and os.path.realpath(sys.path[0]) == os.path.realpath(os.curdir):
        del sys.path[0]
except FileNotFoundError:
    pass  # the current directory is gone, and nothing can lie in it

from anchormem.cli import main

if __name__ == "__main__":
    sys.exit(main())
