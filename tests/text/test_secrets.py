"""Both sides of the table of secrets. Every secret here is put together at run time and belongs to nobody."""

import string
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.errors import SecretFound
from anchormem.text.secret_rules import RULES
from anchormem.text.secrets import _matches, check, find

MIXED = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYzA0bC" * 4
LOWER_HEX = "0123456789abcdef" * 8
BASE64 = "aB3/dE5+gH7jK9mN1pQ2rS4tU6vW8xYz" * 4
UPPER = "ABCDEFGH234567JK"


def made(*pieces: str) -> str:
    return "".join(pieces)


FLAGGED = [
    ("private_key", made("-----BEGIN ", "RSA PRIVATE", " KEY-----\nMIIEpAIBAAKCAQEA\n")),
    ("private_key", made("-----BEGIN ", "OPENSSH PRIVATE", " KEY-----")),
    ("private_key", made("-----BEGIN ", "PRIVATE", " KEY-----\\nMIIEvQ")),
    ("private_key", made("-----BEGIN PGP ", "PRIVATE", " KEY BLOCK-----")),
    ("aws_access_key", made("AK", "IA", UPPER)),
    ("aws_access_key", made("key=AS", "IA", UPPER)),
    ("aws_access_key", made("AK", "IAIOSFODNN7", "EXAMPLE")),
    ("aws_secret_key", made("aws_secret_", "access_key = ", BASE64[:40])),
    ("aws_secret_key", made("AWS_SECRET_", 'ACCESS_KEY: "', BASE64[3:43], '"')),
    ("google_api_key", made("AI", "za", MIXED[:35])),
    ("google_oauth", made("GOC", "SPX-", MIXED[:28])),
    ("google_oauth", made("ya", "29.", MIXED[:60])),
    ("azure_key", made("DefaultEndpointsProtocol=https;AccountName=x;Account", "Key=", BASE64[:86], "==")),
    ("azure_key", made("Shared", "AccessKey=", BASE64[:43], "=")),
    ("azure_secret", made("abc8", "Q~", MIXED[:34])),
    ("azure_sas", made("https://x.blob.core.windows.net/c?sv=1&", "sig=", MIXED[:46], "%3D")),
    *(("github_token", made(prefix, "_", MIXED[:36])) for prefix in ("ghp", "gho", "ghu", "ghs", "ghr")),
    ("github_token", made("github", "_pat_", MIXED[:22], "_", MIXED[:59])),
    ("gitlab_token", made("gl", "pat-", MIXED[:20])),
    ("gitlab_token", made("gl", "rt-", MIXED[:20])),
    ("npm_token", made("npm", "_", MIXED[:36])),
    ("pypi_token", made("py", "pi-AgE", "IcHlwaS5vcmc", MIXED[:60])),
    ("slack_token", made("xo", "xb-", "123456789012-", "123456789012-", MIXED[:24])),
    ("slack_token", made("xo", "xp-", "123456789012-", MIXED[:24])),
    ("slack_token", made("xa", "pp-1-", "A0123456789-", "1234567890123-", LOWER_HEX[:64])),
    ("slack_webhook", made("https://hooks.", "slack.com/services/", "T00000001/", "B00000001/", MIXED[:24])),
    ("stripe_key", made("sk", "_live_", MIXED[:24])),
    ("stripe_key", made("rk", "_test_", MIXED[:24])),
    ("stripe_key", made("wh", "sec_", MIXED[:32])),
    ("sendgrid_key", made("S", "G.", MIXED[:22], ".", MIXED[:43])),
    ("twilio_key", made("S", "K", LOWER_HEX[:32])),
    ("twilio_token", made("TWILIO_AUTH", "_TOKEN=", LOWER_HEX[:32])),
    ("openai_key", made("s", "k-", MIXED[:48])),
    ("openai_key", made("s", "k-proj-", MIXED[:20], "_", MIXED[:60])),
    ("anthropic_key", made("s", "k-ant-api03-", MIXED[:93], "AA")),
    ("hugging_face_token", made("h", "f_", MIXED[:34])),
    ("databricks_token", made("da", "pi", LOWER_HEX[:32])),
    ("digitalocean_token", made("do", "p_v1_", LOWER_HEX[:64])),
    ("telegram_token", made("1234567890", ":AA", MIXED[:33])),
    ("discord_token", made("MTIzNDU2Nzg5MDEyMzQ1Njc4", ".", "GabcDE", ".", MIXED[:38])),
    ("discord_webhook", made("https://discord.com/api/", "webhooks/", "123456789012345678/", MIXED[:68])),
    ("jwt", made("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0", ".", MIXED[:43])),
    ("url_password", made("postgres://app:", "hunter2", "@db.internal:5432/orders")),
    ("url_password", made("mongodb+srv://root:", "s3cr3t", "@cluster0.example.net")),
    ("url_password", made("redis://:", "p4ss", "@localhost:6379/0")),
    ("url_password", made("git clone https://me:", MIXED[:20], "@git.example.com/x.git")),
    ("connection_string", made("Server=db;User Id=app;Pass", "word=", "hunter2;")),
    ("password", made("pass", "word = ", '"hunter2"')),
    ("password", made('{"pass', 'word": ', '"correct-horse-battery"}')),
    ("password", made("db_pass", "word='", "Tr0ub4dor&3'")),
    ("password", made("PGPASS", "WORD=", "hunter22 psql -c 'select 1'")),
    ("password", made("mysql --pass", "word ", "hunter22 -u root")),
    ("secret", made("api_", 'key = "', MIXED[:24], '"')),
    ("secret", made("client-", "secret: '", MIXED[:20], "'")),
    ("secret", made("auth_", 'token = "', LOWER_HEX[:32], '"')),
    ("secret", made("//registry.npmjs.org/:_auth", "Token=", MIXED[:30])),
    ("bearer_token", made("curl -H 'Authorization: Bear", "er ", MIXED[:40], "'")),
]  # fmt: skip

PASSES = [
    "see auth/tokens.py:40,:52 and secrets/password.py:12",
    "branch fix-120-part2-retryB-send, then sk-learn-model-v2-retry-with-longer-name-3B",
    "closes #11/#12/#13",
    ".config/app.json",
    made("sha256 ", LOWER_HEX[:64]),
    made("md5: ", LOWER_HEX[:32], " and sha512 ", LOWER_HEX[:128]),
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and 9fceb02",
    "id 123e4567-e89b-12d3-a456-426614174000",
    made("token=", LOWER_HEX[:40]),
    'password = <password>, token: <token>, api_key = "<your api key>"',
    'password = "xxxx"',
    'password = "********"',
    'password = "${DB_PASSWORD}" and password=$PASSWORD',
    'api_key = "YOUR_API_KEY_123"',
    'secret: "your-secret-2-here"',
    made("gh", "p_", "x" * 36),
    made("AK", "IA", "X" * 16),
    "xoxb-your-token and sk-... and ghp_...",
    "postgres://app:<password>@db/orders and postgres://app:${PASS}@db and https://user:****@host",
    "DATABASE_URL=postgres://localhost:5432/orders",
    "http://localhost:8080\nadmin@example.com",
    'password = os.environ["DB_PASSWORD"]',
    "login(user, password=self.form.password1)",
    "the password must have 12 characters; password: required, min 8",
    "password_hash = bcrypt(password), password_reset_token expires after 24h",
    "the secret is kept in vault/kv2, key name payments-v2",
    'token = "user_session_token_v2"',
    "def token(self) -> str: return self._token2",
    "NotificationServiceManager1.create.someVeryLongMethodNameHereForAll",
    "docs say -----BEGIN CERTIFICATE----- comes first",
    "eyJ is how a JWT starts",
    "SG.1 and hf_model and npm_config_registry and dapi",
    "12345678:30 of the trace, line 1234567890:12",
    "basic internationalisation-of-everything-there",
    "https://hooks.slack.com/services/T000/B000/xxxx",
    "the URL git@github.com:owner/name.git and ssh://git@host:22/x",
    "tokens: 1200, token_budget=20000, max_tokens: 4096",
]  # fmt: skip


@pytest.mark.parametrize(("rule", "text"), FLAGGED)
def test_a_secret_is_found(rule: str, text: str) -> None:
    finding = find(f"We learned: {text}\nand so on")
    assert finding is not None
    assert finding.rule == rule


@pytest.mark.parametrize("text", PASSES)
def test_an_innocent_text_passes(text: str) -> None:
    assert find(text) is None


def test_every_rule_has_a_case() -> None:
    assert {rule.name for rule in RULES} == {rule for rule, _ in FLAGGED}


TOKENS = [text for rule, text in FLAGGED if not any(blank in text for blank in " \n")]


@pytest.mark.parametrize("splitter", ["\n", "\r\n", "\n    ", "\\\n", "\u200b", "\u2060", "\ufeff", "\u00ad", "\0"])
@pytest.mark.parametrize("token", TOKENS)
def test_a_token_split_anywhere_is_still_found(token: str, splitter: str) -> None:
    for at in (len(token) - 3, len(token) - 12):
        assert find(f"learned:\n{token[:at]}{splitter}{token[at:]} done") is not None, at


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 9, 30])
def test_a_prefix_may_be_split_too(at: int) -> None:
    token = made("gh", "p_", MIXED[:36])
    assert find(f"the token was\n{token[:at]}\n{token[at:]}\nrevoked") is not None
    assert find("\u200b".join(token)) is not None
    assert find("\n".join(token)) is not None


def test_a_refusal_names_rule_and_field_and_never_the_value() -> None:
    token = made("gh", "p_", MIXED[:36])
    with pytest.raises(SecretFound) as refused:
        check({"body": "fine", "evidence.output": f"export T={token}"})
    told = refused.value.message + refused.value.hint + str(refused.value) + repr(refused.value)
    assert "evidence.output" in told
    assert "github_token" in told
    assert MIXED[:8] not in told


def test_innocent_fields_pass() -> None:
    check({"body": "The batch size is 50.", "origin": "notes.md#3", "evidence.command": "pytest -q"})


HOSTILE = [
    "eyJ", "eyJaaaaaaaaaa.", "AKIA", "sk-", "sk-ant-", "password=", 'password="', "a://", "a://b:", "aws ", "secret=",
    "-----BEGIN ", "M" * 24 + ".", "hooks.slack.com/services/", "twilio token", "0", "1:", "x\n", "\u200b", "\n", "\\",
    "pwd=;", "token='", "bearer ", "eyJxxxxxxxx.eyJxxxxxxxx.xxxxxxxx", "A1a/" * 10 + " aws ", "://x:", "Q~", "aB3" * 20,
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_costs_linear_time(piece: str) -> None:
    text = piece * (65_536 // len(piece))
    began = time.process_time()
    find(text)
    assert time.process_time() - began < 1.5


@given(st.text(max_size=300))
def test_any_text_can_be_scanned(text: str) -> None:
    find(text)


@given(st.text(alphabet=string.ascii_lowercase + " .,\n", max_size=300))
def test_plain_prose_never_holds_a_secret(text: str) -> None:
    assert find(text) is None


@given(
    st.lists(
        st.one_of(
            st.sampled_from([text for _, text in FLAGGED]),
            st.sampled_from(
                ["key", "Token", "SECRET", "\u212aey", "pa\u017fs", "\u0130", "\u00df", "://", "\n", " = ", "'"]
            ),
            st.text(max_size=30),
        ),
        max_size=8,
    ).map("".join)
)
def test_looking_only_near_its_words_misses_nothing_that_a_rule_would_find(text: str) -> None:
    for rule in RULES:
        everywhere = replace(rule, near=())
        near = {struck.span() for struck in _matches(rule, text, text.casefold())}
        assert near == {struck.span() for struck in _matches(everywhere, text, text.casefold())}, rule.name
