"""Values of which only one can be true of the same thing: mysql or postgres, on or off. A table and its reading."""

from collections.abc import Mapping
from functools import cache

# One row is one choice. `a=b`: two spellings of one value.
EITHER_OR = """
true false
on off
yes no
enabled=enable=enables disabled=disable=disables
synchronous=sync asynchronous=async
before after during
allow=allowed=allows=permitted deny=denied=forbidden=forbid=prohibited
include=includes=included exclude=excludes=excluded
first last
minimum=min maximum=max
ascending=asc descending=desc
reads=read writes=write
lock=locks=locked unlock=unlocks=unlocked
more less=fewer
greater=above less=below
upper=uppercase lower=lowercase
public private protected internal
optional required=mandatory
mutable immutable
left right
top bottom
client server
staging production=prod development=dev
increase=increases=increased decrease=decreases=decreased
open=opens close=closes
starts=start stops=stop
safe unsafe
success=succeeds failure=fails
blocking nonblocking
eager=eagerly lazy=lazily
utc local
always sometimes never
must may
client server
get post put patch
http https
tcp udp
json yaml toml xml csv protobuf msgpack
mysql postgres=postgresql sqlite=sqlite3 mariadb oracle mssql mongodb=mongo redis cassandra dynamodb duckdb
kafka rabbitmq sqs nats pubsub
memcached redis
aws gcp azure
s3 gcs minio
npm yarn pnpm bun
pip poetry uv pipenv conda
pytest unittest nose
jest mocha vitest
webpack vite rollup esbuild parcel
react vue angular svelte
flask django fastapi starlette
linux macos windows
docker podman
github gitlab bitbucket
utf8=utf-8 utf16 latin1 ascii
md5 sha1 sha256 sha512 blake2 blake3 xxhash
aes des chacha20
rsa ecdsa ed25519
bcrypt argon2 scrypt pbkdf2
gzip zstd lz4 brotli snappy
jwt session cookie oauth
rest grpc graphql soap
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
hourly daily weekly monthly yearly
seconds=second minutes=minute hours=hour days=day weeks=week months=month
red green blue yellow
python java javascript typescript rust go ruby php
fifo lifo
stack queue heap
tabs spaces
启用=开启=打开 禁用=关闭
允许 禁止
同步 异步
之前 之后
最大 最小
成功 失败
升序 降序
必须=必填 可选
公开 私有
增加 减少
读取 写入
客户端 服务端=服务器
有効 無効
同期 非同期
"""


@cache
def canonical_values() -> Mapping[str, str]:
    """Spelling → the value it stands for."""
    spelled = (entry.split("=") for row in _rows() for entry in row)
    return {spelling: value for value, *others in spelled for spelling in (value, *others)}


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.split()) for row in EITHER_OR.strip().splitlines())


@cache
def _rows_of() -> Mapping[str, frozenset[int]]:
    rows: dict[str, set[int]] = {}
    for number, row in enumerate(_rows()):
        for entry in row:
            rows.setdefault(entry.split("=")[0], set()).add(number)
    return {value: frozenset(found) for value, found in rows.items()}


def exclusive(one: str, other: str) -> bool:
    """Whether two values (canonical) stand in one row."""
    return one != other and not _rows_of()[one].isdisjoint(_rows_of()[other])
