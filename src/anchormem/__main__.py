"""`python -m anchormem` is the command line."""

import sys

from anchormem.cli import main

if __name__ == "__main__":
    sys.exit(main())
