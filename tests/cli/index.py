"""A package index of the tests' own on loopback, with wheels of this very source under versions of their own."""

import base64
import hashlib
import io
import sysconfig
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "anchormem"
METADATA = "Metadata-Version: 2.1\nName: anchormem\nVersion: {}\nRequires-Python: >=3.11\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def program() -> dict[str, bytes]:
    """The files of this very source."""
    return {
        f"anchormem/{path.relative_to(SOURCE).as_posix()}": path.read_bytes()
        for path in sorted(SOURCE.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def wheel(version: str, source: Mapping[str, bytes] | None = None) -> tuple[str, bytes]:
    """A wheel without dependencies: (file name, content). `source`: of what, instead of this very program."""
    info = f"anchormem-{version}.dist-info"
    files = {**(program() if source is None else source)}
    init = files["anchormem/__init__.py"].decode()
    files["anchormem/__init__.py"] = f'{init}\n__version__ = "{version}"\n'.encode()
    files[f"{info}/METADATA"] = METADATA.format(version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nanchormem = anchormem.cli:main\n"
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return f"anchormem-{version}-py3-none-any.whl", made.getvalue()


def dependencies(into: Path) -> Path:
    """What this very environment has but for anchormem itself, as links in a folder for a path of their own."""
    into.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "anchormem" not in entry.name.lower() and entry.suffix != ".pth":
            (into / entry.name).symlink_to(entry)
    return into


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@contextmanager
def serving(wheels: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """The address of an index (PEP 503) that has these wheels, while inside."""
    known = dict(wheels)
    page = "".join(f'<a href="/files/{name}">{name}</a>\n' for name in known).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(whole=False)

        def do_GET(self) -> None:
            self._answer(whole=True)

        def _answer(self, *, whole: bool) -> None:
            name = self.path.rpartition("/")[2]
            body = page if self.path.rstrip("/") == "/simple/anchormem" else known.get(name)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "text/html" if body is page else "application/octet-stream")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"" if whole else b"")

        def log_message(self, *_: object) -> None:
            """Nothing: a test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/simple"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
