"""A web server on 127.0.0.1 that can be told to misbehave."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


@dataclass
class Site:
    """What is served, what goes wrong, and what was asked for.

    `breaks` is the number of answers that still end after `break_after` bytes.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    etag: str = '"v1"'
    ranges: bool = True
    breaks: int = 0
    break_after: int = 1000
    failures: list[int] = field(default_factory=list)
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve a site until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            site.requests.append((self.path, wanted))
            if site.failures:
                self.send_error(site.failures.pop(0))
                return
            if self.path not in site.files:
                self.send_error(404)
                return
            content = site.files[self.path]
            start = 0
            if wanted and site.ranges and self.headers.get("If-Range") == site.etag:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if start >= len(content):
                    self.send_error(416)
                    return
            body = content[start:]
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/*")
            self.send_header("Content-Length", str(len(body)))
            if site.etag:
                self.send_header("ETag", site.etag)
            self.send_header("Connection", "close")
            self.end_headers()
            if site.breaks and len(body) > site.break_after:
                site.breaks -= 1
                body = body[: site.break_after]
            self.wfile.write(body)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def serve() -> Callable[[dict[str, bytes]], AbstractContextManager[Site]]:
    """``with serve(files) as site:`` serves files by path."""
    return lambda files: serving(Site(files=files))
