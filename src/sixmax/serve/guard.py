"""The checks of every request: host, origin, size and form of the body; and safe headers.

A page of another site can make a browser send requests here, and a name that it owns can be bound
to 127.0.0.1 (DNS rebinding). So the Host must be a name of this server, and a request that changes
something must say by its Origin that a page of this server sent it.
"""

import ipaddress
import json
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sixmax.base.errors import UserError

MOST_BODY = 8192  # bytes
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Guard:
    """Refuses requests that no page of this server sent; as ASGI middleware."""

    def __init__(self, app: ASGIApp, host: str, port: int, larger: dict[str, int]):
        """``larger`` are the bytes of bodies for paths that take more than MOST_BODY."""
        self._app, self._larger = app, larger
        self._hosts, self._port = {*LOOPBACK, host.strip("[]").lower()}, port
        self._anywhere = host in ("0.0.0.0", "::")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no web sockets

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE.items():
                    headers.setdefault(name, value)
            await send(message)

        headers, most = Headers(scope=scope), self._larger.get(scope["path"], MOST_BODY)
        if reason := self._refusal(scope["method"], headers, most):
            status, words = reason
            await JSONResponse({"error": words}, status)(scope, receive, safely)
            return
        left = most

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLargeError
            return message

        try:
            await self._app(scope, counted, safely)
        except TooLargeError:
            words = f"body: wanted {most:,} bytes at most"
            await JSONResponse({"error": words}, 413)(scope, receive, safely)

    def _refusal(self, method: str, headers: Headers, most: int) -> tuple[int, str] | None:
        """The status and the line of a refusal; None for a request that may pass."""
        if not self.is_ours(headers.get("host", "")):
            return 403, self._other_host(headers.get("host", ""))
        if headers.get("sec-fetch-site", "none") == "cross-site" and "origin" in headers:
            return 403, "origin: wanted a page of this server"
        if method in ("GET", "HEAD"):
            return None
        if method != "POST":
            return 405, f"method {method[:20]}: wanted GET or POST"
        scheme, _, host = headers.get("origin", "").partition("://")
        if scheme != "http" or host != headers.get("host") or not self.is_ours(host):
            return 403, "origin: wanted a page of this server"
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return 415, "content type: wanted application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            return 413, f"body: wanted {most:,} bytes at most"
        return None

    def _other_host(self, host: str) -> str:
        """The line about a ``host`` that is not ours: another port, as of a tunnel, or a name."""
        name, _, port = host.rpartition(":")
        if port.isascii() and port.isdigit() and self.is_ours(f"{name}:{self._port}"):
            return (
                f"host: found port {port[:5]}, and `sixmax serve` answers pages of port "
                f"{self._port} alone; behind a tunnel take one port on both sides, as in "
                f"ssh -L {self._port}:127.0.0.1:{self._port}, or start `sixmax serve --port "
                f"{port[:5]}` there and ssh -L {port[:5]}:127.0.0.1:{port[:5]}"
            )
        return (
            f"host: found {host[:80]!r}, wanted the address that `sixmax serve` printed, or a "
            "name given by --host"
        )

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this server."""
        name, port = host.lower(), ""
        if not name.endswith("]"):
            name, _, port = name.rpartition(":") if ":" in name else (name, "", "80")
        if (port or "80") != str(self._port):
            return False
        name = name.strip("[]")
        return name in self._hosts or (self._anywhere and _is_ip(name))


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class TooLargeError(Exception):
    """A body that goes on beyond the limit."""


async def object_of(request: Request) -> dict[str, Any]:
    """The body of a request. Raises UserError unless it is an object in JSON."""
    try:
        values = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UserError("body: not JSON") from None
    if not isinstance(values, dict):
        raise UserError(f"body: found {type(values).__name__}, wanted an object {{…}}")
    return values
