"""Every error that anchormem raises on purpose, as one tree.

    AnchormemError              code              exit
    ├── UsageError              usage             2     the call itself is wrong: arguments, flags, paths
    │   ├── UnknownArgument     unknown_argument  2     a key nobody knows, with the nearest known one
    │   ├── BadPath             bad_path          2     absolute, traversing, ignored, too long …
    │   └── BadRoot             bad_root          2     home directory, `/`, or no directory at all
    ├── Refused                 refused           1     well-formed, but not to be done (the reason is in the message)
    │   ├── AmbiguousSymbol     ambiguous_symbol  1     several symbols match; the hint lists exact forms
    │   ├── Duplicate           duplicate         1     a near-identical memory exists in the same slot
    │   └── SecretFound         secret            1     names rule and field, never the value
    ├── NotFound                not_found         1     no such memory, file, symbol, ref; hint holds near names
    ├── NotARepository          not_a_repository  1     the operation needs git
    ├── GitFailed               git_failed        1     git is missing, too slow, or answered with an error
    ├── StoreError              store             1     anything SQLite or the disk says
    │   ├── StoreDamaged        store_damaged     1     `memory.db` cannot be read as what it should be
    │   ├── StoreLocked         store_locked      1     another process holds it longer than the busy budget
    │   ├── StoreReadOnly       store_read_only   1     the directory or file cannot be written
    │   ├── StoreFull           store_full        1     no space left
    │   └── StoreNewer          store_newer       1     written by a newer anchormem
    ├── GrammarMissing          grammar_missing   1     the language pack carries no such grammar
    ├── Busy                    busy              1     more calls wait already than may
    └── Cancelled               cancelled         1     the caller asked to stop, or waited long enough

`code` is a stable word (STABILITY.md); `message` says what happened, `hint` what to do. Both are written for a person,
in a line each, and never hold a secret value. Knows nothing of any other module.
"""


class AnchormemError(Exception):
    """Base of the tree. `message`: what happened. `hint`: what to do about it, may be empty."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(AnchormemError):
    code = "usage"
    exit_code = 2


class UnknownArgument(UsageError):
    code = "unknown_argument"


class BadPath(UsageError):
    code = "bad_path"


class BadRoot(UsageError):
    code = "bad_root"


class Refused(AnchormemError):
    code = "refused"


class AmbiguousSymbol(Refused):
    code = "ambiguous_symbol"


class Duplicate(Refused):
    code = "duplicate"


class SecretFound(Refused):
    code = "secret"


class NotFound(AnchormemError):
    code = "not_found"


class NotARepository(AnchormemError):
    code = "not_a_repository"


class GitFailed(AnchormemError):
    code = "git_failed"


class StoreError(AnchormemError):
    code = "store"


class StoreDamaged(StoreError):
    code = "store_damaged"


class StoreLocked(StoreError):
    code = "store_locked"


class StoreReadOnly(StoreError):
    code = "store_read_only"


class StoreFull(StoreError):
    code = "store_full"


class StoreNewer(StoreError):
    code = "store_newer"


class GrammarMissing(AnchormemError):
    code = "grammar_missing"


class Busy(AnchormemError):
    code = "busy"


class Cancelled(AnchormemError):
    code = "cancelled"
