"""What credentials look like: one row a rule. Knows nothing of fields, stores or errors.

Every pattern is bounded ({m,n}, never an open repeat after a repeatable start), so that a search takes linear time.
Sources: the issuers' own documentation and the public rule sets of gitleaks and detect-secrets.
"""

import base64
import binascii
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern`: its first group, or else the whole match, is the value. `check`: a last look at the value.

    `whole`: the value must not continue a word to its left. `joined`: also sought across line ends. `near`: lower-case
    words one of which begins at most `reach` characters after the match does; () for a pattern that is quick without.
    None has an `i` before its end, which has foreign forms that no folding makes equal.
    """

    name: str
    pattern: re.Pattern[str]
    check: Check | None = None
    whole: bool = True
    joined: bool = True
    near: tuple[str, ...] = ()
    reach: int = 0


# ── last looks ──────────────────────────────────────────────────────────────────────────────────────────────────────

_NAME_OF_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PASSWORD|PASSWD|PWD|PASS|TOKEN|SECRET|KEY")
_STANDS_FOR = re.compile(
    r"^[<{\[($%]|[<>]|\$\{|\{\{|%[sd(]|\.\.\.|…|\*{3}|x{4}|•|_{4}|-{4}"
    r"|redacted|placeholder|change[-_]?me|your[-_]|[-_]here\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = frozenset(
    {"dummy", "example", "false", "none", "null", "optional", "required", "str", "string", "true", "undefined"}
)
_OWN_NAMES = frozenset({"passphrase", "passwd", "password", "passwords", "pwd", "secret", "token"})
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_NAME_OF_FIELD = re.compile(r"[a-z]+(?:[_-][a-z]+)*[_-]password|[a-z]+(?:[A-Z][a-z]+)*Password")  # `new-password`
_NAME_OF_TYPE = re.compile(r"(?:[A-Z]{2,}[0-9]*|[A-Z][a-z]+[0-9]*){2,}")  # `private_key: Ed25519PrivateKey`
_LEAST_ENTROPY = 3.6  # bits a character: words joined by underscores stay below, random tokens of 16 or more do not
_HEX_OR_UUID = re.compile(r"[0-9a-f]{7,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for one: `<token>`, `xxxx`, `${TOKEN}`, `YOUR_KEY`, `***`."""
    return (
        _STANDS_FOR.search(value) is not None
        or _NAME_OF_VARIABLE.fullmatch(value) is not None
        or value.lower() in _SAYS_NOTHING
        or len(set(value)) == 1
    )


def _issued(value: str) -> bool:
    """A token with its issuer's prefix is believed unless it is filled with x or stars."""
    return re.search(r"x{8}|X{8}|\*{3}|\.{3}|(?i:redacted|placeholder|your[-_])", value) is None


def _mixed(value: str) -> bool:
    kinds = (str.isdigit, str.islower, str.isupper)
    return _issued(value) and all(any(map(kind, value)) for kind in kinds)


def _real(value: str) -> bool:
    return not is_placeholder(value)


def _assigned(value: str) -> bool:
    return _real(value) and value.lower() not in _OWN_NAMES and not _NAME_OF_FIELD.fullmatch(value)


def _letters_and_digits(value: str) -> bool:
    return _assigned(value) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _unquoted(value: str) -> bool:
    """Without quotes most values are code; a secret has digits and letters and is no path, name or digest."""
    names = (_ATTRIBUTE, _NAME_OF_TYPE, _HEX_OR_UUID)
    code = "/" in value or any(name.fullmatch(value) for name in names)
    return not code and _letters_and_digits(value)


def _random(value: str) -> bool:
    counts = (value.count(character) / len(value) for character in set(value))
    return _unquoted(value) and -sum(share * math.log2(share) for share in counts) >= _LEAST_ENTROPY


def _discord(value: str) -> bool:
    head, _, rest = value.partition(".")
    try:
        digits = base64.b64decode(head + "=" * (-len(head) % 4), altchars=b"-_").isdigit()
    except (binascii.Error, ValueError):
        digits = False
    return digits or (_mixed(rest) and any(map(str.isdigit, head)))


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _rule(
    name: str,
    pattern: str,
    check: Check | None = _issued,
    *,
    whole: bool = True,
    joined: bool = True,
    near: tuple[tuple[str, ...], int] = ((), 0),
) -> Rule:
    return Rule(name, re.compile(pattern), check, whole, joined, *near)


_WORD = r"[A-Za-z0-9_-]"
_END = r"(?![A-Za-z0-9])"
_IS = r"""["'\]]{0,2}\s{0,4}(?:=>|:=|={1,3}|:)\s{0,4}"""
_BARE = r"[^=\s\"'`,;()\[\]{}<>]"
_LOGIN_KEY = r"(?i:passwords?|passwd|passphrase|pwd)"
_KEY = (
    r"(?i:(?:api|access|secret|private|auth|account|encryption|signing|client)[_-]?(?:key|token|secret)"
    r"|_authToken|secret|credentials?)"
)
_NEAR_LOGIN = ("pass", "pwd")
_NEAR_KEY = (("key", "token", "secret", "credent"), len("encryption_"))
_NEAR_USER = (("://",), 21)
_USER = r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:\"'<>]{0,100}:"
_HOST = r"@[A-Za-z0-9\[_$%{<.-]"

RULES: tuple[Rule, ...] = (
    _rule("private_key", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", None, whole=False),
    _rule("aws_access_key", rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}"),
    _rule(
        "aws_secret_key",
        r"(?i:aws|secret)[^\n]{0,60}?[=:\s\"']([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
        _mixed,
        near=(("aws", "secret"), 0),
    ),
    _rule("aws_bedrock_key", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    _rule("google_api_key", r"AIza[A-Za-z0-9_-]{35}"),
    _rule("google_oauth", r"(?:GOCSPX-[A-Za-z0-9_-]{20,40}|ya29\.[A-Za-z0-9_-]{20,200})"),
    _rule("google_oauth", rf"1//0[0-9]{_WORD}{{40,200}}"),
    _rule("azure_key", r"(?:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}([A-Za-z0-9+/]{40,100}={0,2})", whole=False),
    _rule("azure_secret", rf"[A-Za-z0-9_~.]{{3}}[0-9]Q~[A-Za-z0-9_~.-]{{31,34}}{_END}", near=(("q~",), 4)),
    _rule("azure_sas", r"[?&;]sig=([A-Za-z0-9%/+]{40,120})", _mixed, whole=False),
    _rule("azure_devops_token", rf"[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{_END}", near=(("azdo",), 76)),
    _rule("github_token", r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    _rule("gitlab_token", rf"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|imt|oas|ffct|rtr)-{_WORD}{{20,300}}"),
    _rule("gitlab_token", rf"GR1348941{_WORD}{{20,60}}"),
    _rule("npm_token", rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    _rule(
        "npm_token",
        r"(?i:_authToken)\s?=\s?[\"']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
        whole=False,
        near=(("_authtoken",), 0),
    ),
    _rule("pypi_token", r"pypi-AgE[A-Za-z0-9_-]{20,1000}"),
    _rule("slack_token", r"xox[abceoprs]-(?=[A-Za-z0-9-]{0,60}[0-9])[A-Za-z0-9-]{10,250}"),
    _rule("slack_token", r"(?:xapp-[0-9]|xoxe\.xox[bp])-[A-Za-z0-9-]{20,250}"),
    _rule("slack_token", r"xoxd-[A-Za-z0-9%/+=_-]{20,400}"),
    _rule(
        "slack_webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9]{6,20}/[A-Za-z0-9]{6,20}/[A-Za-z0-9/]{16,80})",
        whole=False,
    ),
    _rule("stripe_key", r"(?:[sr]k_(?:live|test|org|prod)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/]{24,100})"),
    _rule("sendgrid_key", rf"SG\.{_WORD}{{16,32}}\.{_WORD}{{16,64}}"),
    _rule("twilio_key", rf"(?:SK|AC)[0-9a-f]{{32}}{_END}"),
    _rule(
        "twilio_token",
        rf"(?i:twilio)[^\n]{{0,40}}?(?i:token|secret){_IS}[\"']?([0-9a-f]{{32}}){_END}",
        near=(("tw",), 0),
    ),
    _rule("anthropic_key", rf"sk-ant-{_WORD}{{20,250}}"),
    _rule("openai_key", rf"sk-(?:(?:proj|svcacct|admin|None|or-v1)-{_WORD}{{20,250}}|[A-Za-z0-9]{{32,100}}{_END})"),
    _rule("hugging_face_token", rf"(?:hf|api_org)_[A-Za-z0-9]{{30,60}}{_END}"),
    _rule("databricks_token", rf"d(?:api|ose|kea|sapi)[0-9a-f]{{32}}(?:-[0-9]{{1,2}})?{_END}"),
    _rule("digitalocean_token", rf"do[opr]_v1_[0-9a-f]{{64}}{_END}"),
    _rule("telegram_token", rf"[0-9]{{6,12}}:{_WORD}{{35}}(?!{_WORD})", _mixed),
    _rule("discord_token", rf"[MNO]{_WORD}{{23,27}}\.{_WORD}{{6}}\.{_WORD}{{27,40}}", _discord),
    _rule(
        "discord_webhook",
        rf"discord(?:app)?\.com/api/(?:v[0-9]{{1,2}}/)?webhooks/[0-9]{{15,22}}/({_WORD}{{40,100}})",
        whole=False,
    ),
    _rule("discord_token", rf"mfa\.{_WORD}{{84}}(?!{_WORD})"),
    _rule("jwt", rf"eyJ{_WORD}{{8,500}}\.eyJ{_WORD}{{8,4000}}\.{_WORD}{{8,1000}}"),
    _rule("url_password", rf"{_USER}([^\s/@\"']{{1,200}}){_HOST}", _real, whole=False, joined=False, near=_NEAR_USER),
    # Across line ends a port may be followed by the next line: `http://localhost:8080`, then `admin@…`.
    _rule(
        "url_password",
        rf"{_USER}((?![0-9]{{2,5}}[A-Za-z])[^\s/@\"']{{1,200}}){_HOST}",
        _real,
        whole=False,
        near=_NEAR_USER,
    ),
    _rule(
        "connection_string",
        r"(?i:password|pwd)\s?=\s?([^;\s\"'()]{3,200});",
        _real,
        near=(_NEAR_LOGIN, 0),
    ),
    _rule(
        "connection_string",
        r";\s?(?i:password|pwd)\s?=\s?([^;\s\"']{3,200})",
        _real,
        whole=False,
        near=(_NEAR_LOGIN, 2),
    ),
    # JDBC, libpq and Go's MySQL driver have forms of their own.
    _rule(
        "connection_string",
        r"[?&](?i:password|pwd)=([^&\s\"'#]{3,200})",
        _real,
        whole=False,
        near=(_NEAR_LOGIN, 1),
    ),
    _rule(
        "connection_string",
        r"(?i:host|port|user|dbname)\s?=\s?[^\s=\"';,]{1,100}\s(?i:password)\s?=\s?([^\s\"';=,]{3,200})",
        _assigned,
        joined=False,
        near=(("host", "port", "user", "dbname"), 0),
    ),
    _rule(
        "connection_string",
        r"(?i:password)\s?=\s?([^\s\"';=,]{3,200})\s(?i:host|hostaddr|port|user|dbname|sslmode)\s?=",
        _assigned,
        joined=False,
        near=(("password",), 0),
    ),
    _rule(
        "connection_string",
        r"\w{1,60}:([^\s/@:\"'<>]{3,100})@(?:tcp|unix)\(",
        _real,
        near=(("@tcp(", "@unix("), 161),
    ),
    _rule(
        "password", rf"{_LOGIN_KEY}{_IS}[a-zA-Z]?\"([^\"\s]{{3,200}})\"", _assigned, whole=False, near=(_NEAR_LOGIN, 2)
    ),
    _rule("password", rf"{_LOGIN_KEY}{_IS}[a-zA-Z]?'([^'\s]{{3,200}})'", _assigned, whole=False, near=(_NEAR_LOGIN, 2)),
    _rule(
        "password",
        rf"{_LOGIN_KEY}{_IS}({_BARE}{{6,200}}+)(?![(\[])",
        _unquoted,
        whole=False,
        joined=False,
        near=(_NEAR_LOGIN, 2),
    ),
    _rule(
        "password",
        rf"--{_LOGIN_KEY} (?!-)({_BARE}{{6,200}})",
        _unquoted,
        whole=False,
        joined=False,
        near=(_NEAR_LOGIN, 2),
    ),
    _rule(
        "secret",
        rf"{_KEY}{_IS}[a-zA-Z]?[\"']([^\"'\s]{{8,400}})[\"']",
        _letters_and_digits,
        whole=False,
        near=_NEAR_KEY,
    ),
    _rule(
        "secret",
        rf"(?i:token){_IS}[a-zA-Z]?[\"']([A-Za-z0-9_./+=-]{{16,400}})[\"']",
        _random,
        whole=False,
        near=(("token",), 0),
    ),
    _rule(
        "secret",
        rf"{_KEY}{_IS}([A-Za-z0-9_.+~-]{{16,400}}+)(?![(\[\w/])",
        _random,
        whole=False,
        joined=False,
        near=_NEAR_KEY,
    ),
    _rule(
        "bearer_token",
        r"(?i:bearer|basic)\s{1,3}([A-Za-z0-9._~+/-]{20,1000}={0,2})",
        _mixed,
        whole=False,
        joined=False,
        near=(("bearer", "bas"), 0),
    ),
)
