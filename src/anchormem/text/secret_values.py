"""Whether a value that a rule has found can be a secret, or stands for one, names one, or is code. Knows no rules.

Few values are ever looked at, so the patterns are left to the cache of `re`.
"""

import base64
import binascii
import math
import re

_NAME_OF_VARIABLE = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PASSWORD|PASSWD|PWD|PASS|TOKEN|SECRET|KEY"
_STANDS_FOR = (
    r"^[<{\[($%]|[<>]|\$\{|\{\{|%[sd(]|\.\.\.|…|\*{3}|x{4}|•|_{4}|-{4}"
    r"|redacted|placeholder|change[-_]?me|your[-_]|[-_]here\b"
)
_SAYS_NOTHING = frozenset(
    {"dummy", "example", "false", "none", "null", "optional", "required", "str", "string", "true", "undefined"}
)
_OWN_NAMES = frozenset({"passphrase", "passwd", "password", "passwords", "pwd", "secret", "token"})
_ATTRIBUTE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"
_NAME_OF_FIELD = r"[a-z]+(?:[_-][a-z]+)*[_-]password|[a-z]+(?:[A-Z][a-z]+)*Password"  # `new-password`
_NAME_OF_TYPE = r"(?:[A-Z]{2,}[0-9]*|[A-Z][a-z]+[0-9]*){2,}"  # `private_key: Ed25519PrivateKey`
_LEAST_ENTROPY = 3.6  # bits a character: words joined by underscores stay below, random tokens of 16 or more do not
_HEX_OR_UUID = r"(?i:[0-9a-f]{7,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for one: `<token>`, `xxxx`, `${TOKEN}`, `YOUR_KEY`, `***`."""
    return (
        re.search(_STANDS_FOR, value, re.IGNORECASE) is not None
        or re.fullmatch(_NAME_OF_VARIABLE, value) is not None
        or value.lower() in _SAYS_NOTHING
        or len(set(value)) == 1
    )


def issued(value: str) -> bool:
    """A token with its issuer's prefix is believed unless it is filled with x or stars."""
    return re.search(r"x{8}|X{8}|\*{3}|\.{3}|(?i:redacted|placeholder|your[-_])", value) is None


def mixed(value: str) -> bool:
    kinds = (str.isdigit, str.islower, str.isupper)
    return issued(value) and all(any(map(kind, value)) for kind in kinds)


def real(value: str) -> bool:
    return not is_placeholder(value)


def assigned(value: str) -> bool:
    return real(value) and value.lower() not in _OWN_NAMES and not re.fullmatch(_NAME_OF_FIELD, value)


def letters_and_digits(value: str) -> bool:
    return assigned(value) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def unquoted(value: str) -> bool:
    """Without quotes most values are code; a secret has digits and letters and is no path, name or digest."""
    names = (_ATTRIBUTE, _NAME_OF_TYPE, _HEX_OR_UUID)
    code = "/" in value or any(re.fullmatch(name, value) for name in names)
    return not code and letters_and_digits(value)


def random(value: str) -> bool:
    counts = (value.count(character) / len(value) for character in set(value))
    return unquoted(value) and -sum(share * math.log2(share) for share in counts) >= _LEAST_ENTROPY


def discord(value: str) -> bool:
    head, _, rest = value.partition(".")
    try:
        digits = base64.b64decode(head + "=" * (-len(head) % 4), altchars=b"-_").isdigit()
    except (binascii.Error, ValueError):
        digits = False
    return digits or (mixed(rest) and any(map(str.isdigit, head)))
