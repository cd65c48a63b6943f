"""Both sides of the table of secrets, a family of issuers at a time.

Every secret here is put together at run time and belongs to nobody.
"""

from dataclasses import dataclass

MIXED = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYzA0bC" * 4
LOWER_HEX = "0123456789abcdef" * 8
BASE64 = "aB3/dE5+gH7jK9mN1pQ2rS4tU6vW8xYz" * 4
UPPER = "ABCDEFGH234567JK"
UUID = "123e4567-e89b-12d3-a456-426614174000"


def made(*pieces: str) -> str:
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class Family:
    """`flagged`: the rule that must strike, and a text. `passes`: what looks like it and is none."""

    name: str
    flagged: tuple[tuple[str, str], ...]
    passes: tuple[str, ...]


FAMILIES = (
    Family(
        "private keys",
        (
            ("private_key", made("-----BEGIN ", "RSA PRIVATE", " KEY-----\nMIIEpAIBAAKCAQEA\n")),
            ("private_key", made("-----BEGIN ", "OPENSSH PRIVATE", " KEY-----")),
            ("private_key", made("-----BEGIN ", "EC PRIVATE", " KEY-----")),
            ("private_key", made("-----BEGIN ", "ENCRYPTED PRIVATE", " KEY-----")),
            ("private_key", made("-----BEGIN ", "PRIVATE", " KEY-----\\nMIIEvQ")),
            ("private_key", made("-----BEGIN PGP ", "PRIVATE", " KEY BLOCK-----")),
        ),
        (
            "docs say -----BEGIN CERTIFICATE----- comes first",
            "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
            "a private key begins with BEGIN PRIVATE KEY and five dashes",
            "the private key is in ~/.ssh/id_ed25519, mode 0600",
            "def load(private_key: Ed25519PrivateKey, backup: PKCS7PrivateKeyTypes) -> None",
        ),
    ),
    Family(
        "AWS",
        (
            ("aws_access_key", made("AK", "IA", UPPER)),
            ("aws_access_key", made("key=AS", "IA", UPPER)),
            ("aws_access_key", made("AK", "IAIOSFODNN7", "EXAMPLE")),
            ("aws_secret_key", made("aws_secret_", "access_key = ", BASE64[:40])),
            ("aws_secret_key", made("AWS_SECRET_", 'ACCESS_KEY: "', BASE64[3:43], '"')),
            ("aws_bedrock_key", made("AB", "SK", MIXED[:132])),
        ),
        (
            made("AK", "IA", "X" * 16),
            "access keys begin with AKIA, session keys with ASIA",
            "AWS_SECRET_ACCESS_KEY=$SECRET and aws_secret_access_key = <your key>",
            "aws commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke the secret rotation",
            "arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/orders/database-AbCdEf",
            "NotificationServiceManager1.create.someVeryLongMethodNameHereForAll",
        ),
    ),
    Family(
        "Google",
        (
            ("google_api_key", made("AI", "za", MIXED[:35])),
            ("google_oauth", made("GOC", "SPX-", MIXED[:28])),
            ("google_oauth", made("ya", "29.", MIXED[:60])),
            ("google_oauth", made("1/", "/0", "4", MIXED[:60])),
        ),
        (
            "keys begin with AIza and have 39 characters",
            made("AI", "za", "x" * 35),
            "123456789012-abcdefghijklmnopqrstuvwxyz012345.apps.googleusercontent.com is the client id",
            "1//0 is no path",
        ),
    ),
    Family(
        "Azure",
        (
            ("azure_key", made("DefaultEndpointsProtocol=https;AccountName=x;Account", "Key=", BASE64[:86], "==")),
            ("azure_key", made("Shared", "AccessKey=", BASE64[:43], "=")),
            ("azure_secret", made("abc8", "Q~", MIXED[:34])),
            ("azure_sas", made("https://x.blob.core.windows.net/c?sv=1&", "sig=", MIXED[:46], "%3D")),
            ("azure_devops_token", made(MIXED[:76], "AZ", "DO", MIXED[:4])),
        ),
        (
            "AccountKey=<key> in the connection string, AccountKey=$KEY in CI",
            f"subscription {UUID}, tenant {UUID}",
            "https://x.blob.core.windows.net/c?sv=2024-05-04&sr=b&sig=<signature>",
            "AZDO pipelines run on every push",
        ),
    ),
    Family(
        "GitHub",
        (
            *(("github_token", made(prefix, "_", MIXED[:36])) for prefix in ("ghp", "gho", "ghu", "ghs", "ghr")),
            ("github_token", made("github", "_pat_", MIXED[:22], "_", MIXED[:59])),
        ),
        (
            made("gh", "p_", "x" * 36),
            "a token begins with ghp_ or github_pat_",
            "the URL git@github.com:owner/name.git and ssh://git@host:22/x",
            "ghp_token is the column's name",
            "closes #11/#12/#13, see owner/name@9fceb02d0ae598e95dc970b74767f19372d61af8",
        ),
    ),
    Family(
        "GitLab",
        (
            ("gitlab_token", made("gl", "pat-", MIXED[:20])),
            ("gitlab_token", made("gl", "rt-", MIXED[:20])),
            ("gitlab_token", made("gl", "dt-", MIXED[:20])),
            ("gitlab_token", made("GR", "1348941", MIXED[:20])),
        ),
        ("tokens begin with glpat-", "glpat-<token>", "GR1348941 is the old prefix", "glrt-runner in docs"),
    ),
    Family(
        "npm",
        (
            ("npm_token", made("npm", "_", MIXED[:36])),
            ("npm_token", made("//registry.npmjs.org/:_auth", "Token=", UUID)),
            ("secret", made("//registry.npmjs.org/:_auth", "Token=", MIXED[:30])),
        ),
        (
            "npm_config_registry and npm_package_version are set by npm",
            "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
            f"the cache key of npm is {UUID}",
            made("npm", "_", "x" * 36),
        ),
    ),
    Family(
        "PyPI",
        (("pypi_token", made("py", "pi-AgE", "IcHlwaS5vcmc", MIXED[:60])),),
        ("tokens begin with pypi-AgE", "pypi-<token>", "use pypi-publish@release/v1", "pypi-attestations 0.0.27"),
    ),
    Family(
        "Slack",
        (
            ("slack_token", made("xo", "xb-", "123456789012-", "123456789012-", MIXED[:24])),
            ("slack_token", made("xo", "xp-", "123456789012-", MIXED[:24])),
            ("slack_token", made("xa", "pp-1-", "A0123456789-", "1234567890123-", LOWER_HEX[:64])),
            ("slack_token", made("xo", "xe.xo", "xp-1-", MIXED[:60])),
            ("slack_token", made("xo", "xd-", "aB3dE5%2F", MIXED[:30])),
            ("slack_webhook", made("https://hooks.", "slack.com/services/", "T00000001/", "B00000001/", MIXED[:24])),
        ),
        (
            "xoxb-your-token and xapp-...",
            "https://hooks.slack.com/services/T000/B000/xxxx",
            "https://hooks.slack.com/services/<team>/<channel>/<token>",
            "the channel C0123456789 of team T0123456789",
        ),
    ),
    Family(
        "Stripe",
        (
            ("stripe_key", made("sk", "_live_", MIXED[:24])),
            ("stripe_key", made("rk", "_test_", MIXED[:24])),
            ("stripe_key", made("wh", "sec_", MIXED[:32])),
        ),
        ("sk_live_... and whsec_...", made("sk", "_test_", "x" * 24), "task_live_updates", "pk_live_ is public"),
    ),
    Family(
        "SendGrid",
        (("sendgrid_key", made("S", "G.", MIXED[:22], ".", MIXED[:43])),),
        ("SG.1 of the plan", "SG.<id>.<key>", "MSG.header.body is what it is called", "SG.Utils.Strings"),
    ),
    Family(
        "Twilio",
        (
            ("twilio_key", made("S", "K", LOWER_HEX[:32])),
            ("twilio_token", made("TWILIO_AUTH", "_TOKEN=", LOWER_HEX[:32])),
        ),
        (
            made("SK ", LOWER_HEX[:32]),
            "TWILIO_AUTH_TOKEN=<token>",
            made("twilio fixed it in ", LOWER_HEX[:32]),
            made("RISK", LOWER_HEX[:32]),
        ),
    ),
    Family(
        "OpenAI",
        (
            ("openai_key", made("s", "k-", MIXED[:48])),
            ("openai_key", made("s", "k-proj-", MIXED[:20], "_", MIXED[:60])),
            ("openai_key", made("s", "k-or-v1-", LOWER_HEX[:64])),
        ),
        (
            "sk-... and sk-proj-...",
            "branch fix-120-part2-retryB-send, then sk-learn-model-v2-retry-with-longer-name-3B",
            made("s", "k-", "x" * 48),
            "task-proj-aB3dE5gH7jK9mN1pQ2rS4tU6",
        ),
    ),
    Family(
        "Anthropic",
        (("anthropic_key", made("s", "k-ant-api03-", MIXED[:93], "AA")),),
        ("sk-ant-...", "sk-ant-api03-<key>", made("s", "k-ant-", "x" * 40), "ANTHROPIC_API_KEY=$ANTHROPIC_API_KEY"),
    ),
    Family(
        "Hugging Face",
        (
            ("hugging_face_token", made("h", "f_", MIXED[:34])),
            ("hugging_face_token", made("api", "_org_", MIXED[:34])),
        ),
        ("hf_model and hf_hub_download(repo_id)", made("hf_", "x" * 34), "HF_TOKEN=hf_...", "api_org_name"),
    ),
    Family(
        "Databricks",
        (
            ("databricks_token", made("da", "pi", LOWER_HEX[:32])),
            ("databricks_token", made("da", "pi", LOWER_HEX[:32], "-2")),
        ),
        ("dapi is short for data API", "dapi<token>", made("dapi-", LOWER_HEX[:32]), made("fandapi", LOWER_HEX[:32])),
    ),
    Family(
        "DigitalOcean",
        (
            ("digitalocean_token", made("do", "p_v1_", LOWER_HEX[:64])),
            ("digitalocean_token", made("do", "o_v1_", LOWER_HEX[:64])),
        ),
        ("dop_v1_<token>", "dop_v1_ begins a token", made("dop_v2_", LOWER_HEX[:64]), made("sha256:", LOWER_HEX[:64])),
    ),
    Family(
        "Telegram",
        (("telegram_token", made("1234567890", ":AA", MIXED[:33])),),
        (
            "12345678:30 of the trace, line 1234567890:12",
            made("1234567890:", LOWER_HEX[:35]),
            "image@sha256:0123, port 12345678:tcp",
            "1234567890:<token>",
        ),
    ),
    Family(
        "Discord",
        (
            ("discord_token", made("MTIzNDU2Nzg5MDEyMzQ1Njc4", ".", "GabcDE", ".", MIXED[:38])),
            ("discord_token", made("m", "fa.", MIXED[:84])),
            ("discord_webhook", made("https://discord.com/api/", "webhooks/", "123456789012345678/", MIXED[:68])),
        ),
        (
            "https://discord.com/api/webhooks/<id>/<token>",
            "https://discord.com/channels/123456789012345678/123456789012345678",
            "NotificationsAndMessages.create.forEveryPersonInTheWholeChannel",
            "mfa.enabled and mfa.required",
        ),
    ),
    Family(
        "JWT",
        (("jwt", made("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0", ".", MIXED[:43])),),
        ("eyJ is how a JWT starts", "eyJ...", "eyJhbGciOiJIUzI1NiJ9 is the header alone", "header.payload.signature"),
    ),
    Family(
        "URLs and connection strings",
        (
            ("url_password", made("postgres://app:", "hunter2", "@db.internal:5432/orders")),
            ("url_password", made("mongodb+srv://root:", "s3cr3t", "@cluster0.example.net")),
            ("url_password", made("redis://:", "p4ss", "@localhost:6379/0")),
            ("url_password", made("git clone https://me:", MIXED[:20], "@git.example.com/x.git")),
            ("connection_string", made("Server=db;User Id=app;Pass", "word=", "hunter2;")),
            ("connection_string", made("Pass", "word=", "hunter2;Server=db")),
            ("connection_string", made("jdbc:mysql://db/app?user=root&pass", "word=", "letmein")),
            ("connection_string", made("host=db user=app pass", "word=", "letmein")),
            ("connection_string", made("pass", "word=", "letmein", " host=db dbname=app")),
            ("connection_string", made("root:", "letmein", "@tcp(127.0.0.1:3306)/app")),
        ),
        (
            "postgres://app:<password>@db/orders and postgres://app:${PASS}@db and https://user:****@host",
            "DATABASE_URL=postgres://localhost:5432/orders",
            "http://localhost:8080\nadmin@example.com",
            "https://example.com/reset?password=<new>&user=x",
            "host=db user=app password=$PGPASSWORD dbname=x",
            "connect(host=host, user=user, password=password, dbname=name)",
            "user:<password>@tcp(db:3306)/app",
            "https://[::1]:8080/a@b, https://host:8080/@scope/name",
        ),
    ),
    Family(
        "passwords and other assignments",
        (
            ("password", made("pass", "word = ", '"hunter2"')),
            ("password", made('{"pass', 'word": ', '"correct-horse-battery"}')),
            ("password", made("db_pass", "word='", "Tr0ub4dor&3'")),
            ("password", made("PGPASS", "WORD=", "hunter22 psql -c 'select 1'")),
            ("password", made("mysql --pass", "word ", "hunter22 -u root")),
            ("secret", made("api_", 'key = "', MIXED[:24], '"')),
            ("secret", made("client-", "secret: '", MIXED[:20], "'")),
            ("secret", made("auth_", 'token = "', LOWER_HEX[:32], '"')),
            ("secret", made("tok", 'en: "', MIXED[:30], '"')),
            ("secret", made("SECRET_", "KEY=", MIXED[:30])),
            ("bearer_token", made("curl -H 'Authorization: Bear", "er ", MIXED[:40], "'")),
        ),
        (
            'password = <password>, token: <token>, api_key = "<your api key>"',
            'password = "xxxx"',
            'password = "********"',
            'password = "${DB_PASSWORD}" and password=$PASSWORD',
            'api_key = "YOUR_API_KEY_123"',
            'secret: "your-secret-2-here"',
            'password = os.environ["DB_PASSWORD"]',
            "password = base64.b16encode(value)",
            'autocomplete: password="current-password", CHALLENGE_PASSWORD: "challengePassword"',
            "login(user, password=self.form.password1)",
            "the password must have 12 characters; password: required, min 8",
            "password_hash = bcrypt(password), password_reset_token expires after 24h",
            "the secret is kept in vault/kv2, key name payments-v2",
            'token = "user_session_token_v2"',
            "def token(self) -> str: return self._token2",
            "basic internationalisation-of-everything-there",
            "tokens: 1200, token_budget=20000, max_tokens: 4096",
            made("token=", LOWER_HEX[:40]),
        ),
    ),
    Family(
        "what notes and outputs are full of",
        (),
        (
            "see auth/tokens.py:40,:52 and secrets/password.py:12",
            "branch fix-120-part2-retryB-send",
            "closes #11/#12/#13",
            ".config/app.json",
            made("sha256 ", LOWER_HEX[:64]),
            made("md5: ", LOWER_HEX[:32], " and sha512 ", LOWER_HEX[:128]),
            "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and 9fceb02",
            f"id {UUID}",
            "integrity sha512-aB3/dE5+gH7jK9mN1pQ2rS4tU6vW8xYzaB3/dE5+gH7jK9mN1pQ2rS4tU6vW8xYzaB3/dE5+gH7jK9mN1pQ2rQ==",
            "<token>, xxxx, [REDACTED], {{ secret }}, %(password)s, …",
        ),
    ),
)  # fmt: skip

FLAGGED = [case for family in FAMILIES for case in family.flagged]
PASSES = [text for family in FAMILIES for text in family.passes]
