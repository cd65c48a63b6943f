"""What credentials look like: one row a rule. Knows nothing of fields, stores or errors.

Every pattern is bounded ({m,n}, never an open repeat after a repeatable start), so that a search takes linear time.
Sources: the issuers' own documentation and the public rule sets of gitleaks and detect-secrets.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from anchormem.text.secret_values import assigned, discord, issued, letters_and_digits, mixed, random, real, unquoted

Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern`: its first group, or else the whole match, is the value. `check`: a last look at the value.

    `whole`: the value must not continue a word to its left. `joined`: also sought across line ends. `near`: lower-case
    words one of which begins at most `reach` characters after the match does; () for a pattern that has no such word.
    Where it ignores case, none has an `i` before its end, which has foreign forms that no folding makes equal.
    """

    name: str
    expression: str
    check: Check | None = None
    whole: bool = True
    joined: bool = True
    near: tuple[str, ...] = ()
    reach: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when first asked for: most texts have none of the words, and a hook would wait for all patterns."""
        return _compiled(self.expression)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def _rule(
    name: str,
    pattern: str,
    check: Check | None = issued,
    *,
    whole: bool = True,
    joined: bool = True,
    near: str = "",
    reach: int = 0,
) -> Rule:
    return Rule(name, pattern, check, whole, joined, tuple(near.split()), reach)


_WORD = r"[A-Za-z0-9_-]"
_END = r"(?![A-Za-z0-9])"
_IS = r"""["'\]]{0,2}\s{0,4}(?:=>|:=|={1,3}|:)\s{0,4}"""
_BARE = r"[^=\s\"'`,;()\[\]{}<>]"
_LOGIN_KEY = r"(?i:passwords?|passwd|passphrase|pwd)"
_KEY = (
    r"(?i:(?:api|access|secret|private|auth|account|encryption|signing|client)[_-]?(?:key|token|secret)"
    r"|_authToken|secret|credentials?)"
)
_NEAR_LOGIN = "pass pwd"
_NEAR_KEY = "key token secret credent"  # the farthest behind `encryption_`
_NEAR_USER = "://"
_NEAR_GITHUB = "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"
_NEAR_GITLAB = "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glagent- glimt- gloas- glffct- glrtr-"
_USER = r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:\"'<>]{0,100}:"
_HOST = r"@[A-Za-z0-9\[_$%{<.-]"

RULES: tuple[Rule, ...] = (
    _rule(
        "private_key", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", None, whole=False, near="-----begin"
    ),
    _rule("aws_access_key", rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}", near="akia asia abia acca"),
    _rule(
        "aws_secret_key",
        r"(?i:aws|secret)[^\n]{0,60}?[=:\s\"']([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
        mixed,
        near="aws secret",
    ),
    _rule("aws_bedrock_key", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}", near="absk"),
    _rule("google_api_key", r"AIza[A-Za-z0-9_-]{35}", near="aiza"),
    _rule("google_oauth", r"(?:GOCSPX-[A-Za-z0-9_-]{20,40}|ya29\.[A-Za-z0-9_-]{20,200})", near="gocspx- ya29."),
    _rule("google_oauth", rf"1//0[0-9]{_WORD}{{40,200}}", near="1//0"),
    _rule(
        "azure_key",
        r"(?:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}([A-Za-z0-9+/]{40,100}={0,2})",
        whole=False,
        near="accountkey sharedaccesskey",
    ),
    _rule("azure_secret", rf"[A-Za-z0-9_~.]{{3}}[0-9]Q~[A-Za-z0-9_~.-]{{31,34}}{_END}", near="q~", reach=4),
    _rule("azure_sas", r"[?&;]sig=([A-Za-z0-9%/+]{40,120})", mixed, whole=False, near="sig=", reach=1),
    _rule("azure_devops_token", rf"[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{_END}", near="azdo", reach=76),
    _rule("github_token", r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})", near=_NEAR_GITHUB),
    _rule(
        "gitlab_token", rf"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|imt|oas|ffct|rtr)-{_WORD}{{20,300}}", near=_NEAR_GITLAB
    ),
    _rule("gitlab_token", rf"GR1348941{_WORD}{{20,60}}", near="gr1348941"),
    _rule("npm_token", rf"npm_[A-Za-z0-9]{{36}}{_END}", near="npm_"),
    _rule(
        "npm_token",
        r"(?i:_authToken)\s?=\s?[\"']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
        whole=False,
        near="_authtoken",
    ),
    _rule("pypi_token", r"pypi-AgE[A-Za-z0-9_-]{20,1000}", near="pypi-age"),
    _rule("slack_token", r"xox[abceoprs]-(?=[A-Za-z0-9-]{0,60}[0-9])[A-Za-z0-9-]{10,250}", near="xox"),
    _rule("slack_token", r"(?:xapp-[0-9]|xoxe\.xox[bp])-[A-Za-z0-9-]{20,250}", near="xapp- xoxe."),
    _rule("slack_token", r"xoxd-[A-Za-z0-9%/+=_-]{20,400}", near="xoxd-"),
    _rule(
        "slack_webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9]{6,20}/[A-Za-z0-9]{6,20}/[A-Za-z0-9/]{16,80})",
        whole=False,
        near="hooks.slack.com/",
    ),
    _rule(
        "stripe_key",
        r"(?:[sr]k_(?:live|test|org|prod)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/]{24,100})",
        near="sk_ rk_ whsec_",
    ),
    _rule("sendgrid_key", rf"SG\.{_WORD}{{16,32}}\.{_WORD}{{16,64}}", near="sg."),
    _rule("twilio_key", rf"(?:SK|AC)[0-9a-f]{{32}}{_END}"),
    _rule("twilio_token", rf"(?i:twilio)[^\n]{{0,40}}?(?i:token|secret){_IS}[\"']?([0-9a-f]{{32}}){_END}", near="tw"),
    _rule("anthropic_key", rf"sk-ant-{_WORD}{{20,250}}", near="sk-ant-"),
    _rule(
        "openai_key",
        rf"sk-(?:(?:proj|svcacct|admin|None|or-v1)-{_WORD}{{20,250}}|[A-Za-z0-9]{{32,100}}{_END})",
        near="sk-",
    ),
    _rule("hugging_face_token", rf"(?:hf|api_org)_[A-Za-z0-9]{{30,60}}{_END}", near="hf_ api_org_"),
    _rule(
        "databricks_token", rf"d(?:api|ose|kea|sapi)[0-9a-f]{{32}}(?:-[0-9]{{1,2}})?{_END}", near="dapi dose dkea dsapi"
    ),
    _rule("digitalocean_token", rf"do[opr]_v1_[0-9a-f]{{64}}{_END}", near="_v1_", reach=3),
    _rule("telegram_token", rf"[0-9]{{6,12}}:{_WORD}{{35}}(?!{_WORD})", mixed),
    _rule("discord_token", rf"[MNO]{_WORD}{{23,27}}\.{_WORD}{{6}}\.{_WORD}{{27,40}}", discord),
    _rule(
        "discord_webhook",
        rf"discord(?:app)?\.com/api/(?:v[0-9]{{1,2}}/)?webhooks/[0-9]{{15,22}}/({_WORD}{{40,100}})",
        whole=False,
        near="discord",
    ),
    _rule("discord_token", rf"mfa\.{_WORD}{{84}}(?!{_WORD})", near="mfa."),
    _rule("jwt", rf"eyJ{_WORD}{{8,500}}\.eyJ{_WORD}{{8,4000}}\.{_WORD}{{8,1000}}", near="eyj"),
    _rule(
        "url_password",
        rf"{_USER}([^\s/@\"']{{1,200}}){_HOST}",
        real,
        whole=False,
        joined=False,
        near=_NEAR_USER,
        reach=21,
    ),
    # Across line ends a port may be followed by the next line: `http://localhost:8080`, then `admin@…`.
    _rule(
        "url_password",
        rf"{_USER}((?![0-9]{{2,5}}[A-Za-z])[^\s/@\"']{{1,200}}){_HOST}",
        real,
        whole=False,
        near=_NEAR_USER,
        reach=21,
    ),
    _rule("connection_string", r"(?i:password|pwd)\s?=\s?([^;\s\"'()]{3,200});", real, near=_NEAR_LOGIN),
    _rule(
        "connection_string",
        r";\s?(?i:password|pwd)\s?=\s?([^;\s\"']{3,200})",
        real,
        whole=False,
        near=_NEAR_LOGIN,
        reach=2,
    ),
    # JDBC, libpq and Go's MySQL driver have forms of their own.
    _rule(
        "connection_string", r"[?&](?i:password|pwd)=([^&\s\"'#]{3,200})", real, whole=False, near=_NEAR_LOGIN, reach=1
    ),
    _rule(
        "connection_string",
        r"(?i:host|port|user|dbname)\s?=\s?[^\s=\"';,]{1,100}\s(?i:password)\s?=\s?([^\s\"';=,]{3,200})",
        assigned,
        joined=False,
        near="host port user dbname",
    ),
    _rule(
        "connection_string",
        r"(?i:password)\s?=\s?([^\s\"';=,]{3,200})\s(?i:host|hostaddr|port|user|dbname|sslmode)\s?=",
        assigned,
        joined=False,
        near="password",
    ),
    _rule("connection_string", r"\w{1,60}:([^\s/@:\"'<>]{3,100})@(?:tcp|unix)\(", real, near="@tcp( @unix(", reach=161),
    _rule(
        "password",
        rf"{_LOGIN_KEY}{_IS}[a-zA-Z]?\"([^\"\s]{{3,200}})\"",
        assigned,
        whole=False,
        near=_NEAR_LOGIN,
        reach=2,
    ),
    _rule(
        "password", rf"{_LOGIN_KEY}{_IS}[a-zA-Z]?'([^'\s]{{3,200}})'", assigned, whole=False, near=_NEAR_LOGIN, reach=2
    ),
    _rule(
        "password",
        rf"{_LOGIN_KEY}{_IS}({_BARE}{{6,200}}+)(?![(\[])",
        unquoted,
        whole=False,
        joined=False,
        near=_NEAR_LOGIN,
        reach=2,
    ),
    _rule(
        "password",
        rf"--{_LOGIN_KEY} (?!-)({_BARE}{{6,200}})",
        unquoted,
        whole=False,
        joined=False,
        near=_NEAR_LOGIN,
        reach=2,
    ),
    _rule(
        "secret",
        rf"{_KEY}{_IS}[a-zA-Z]?[\"']([^\"'\s]{{8,400}})[\"']",
        letters_and_digits,
        whole=False,
        near=_NEAR_KEY,
        reach=11,
    ),
    _rule(
        "secret",
        rf"(?i:token){_IS}[a-zA-Z]?[\"']([A-Za-z0-9_./+=-]{{16,400}})[\"']",
        random,
        whole=False,
        near="token",
    ),
    _rule(
        "secret",
        rf"{_KEY}{_IS}([A-Za-z0-9_.+~-]{{16,400}}+)(?![(\[\w/])",
        random,
        whole=False,
        joined=False,
        near=_NEAR_KEY,
        reach=11,
    ),
    _rule(
        "bearer_token",
        r"(?i:bearer|basic)\s{1,3}([A-Za-z0-9._~+/-]{20,1000}={0,2})",
        mixed,
        whole=False,
        joined=False,
        near="bearer bas",
    ),
)
