"""``sixmax serve``: open the runs, warm up, and answer until the user ends it."""

import socket
import threading
from pathlib import Path
from typing import Annotated

import uvicorn

from sixmax.api.walk import Address
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.base.options import Option
from sixmax.base.progress import say
from sixmax.blueprint.run import open_run
from sixmax.serve.app import Site, make_app
from sixmax.serve.guard import LOOPBACK
from sixmax.serve.library import Library
from sixmax.serve.spot import spot


def serve(
    folder: options.FoundRun,
    against: Annotated[Path, Option("Another run of the same game, to compare with.")] | None,
    host: Annotated[
        str,
        Option("Whose requests to answer: by default those of this machine alone.",
               default="127.0.0.1"),
    ],
    port: Annotated[
        int, Option("Where to listen; 0 for any free one.", least=0, most=65535, default=8000)
    ],
    config: Annotated[str, Option("The config section `search`, or changes to it, as JSON.")]
    | None,
    threads: options.Threads,
) -> None:  # fmt: skip
    """Explore a run in the browser: charts, any betting, searches.

    Prints the address to open. Nothing leaves this machine. Ctrl-C ends it.

    \b
    sixmax serve --run results/default
    sixmax serve --run results/default --against results/overnight

    Raises UserError for runs that cannot be shown and for a port that cannot be had.
    """
    set_threads(threads)
    bound = bind(host, port)
    with bound:
        library = Library(open_run(folder), None if against is None else open_run(against))
        site = Site(library, config, threads)
        threading.Thread(target=spot, args=(library, Address()), daemon=True).start()
        port = bound.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        lines = [f"http://{shown}:{port}/ shows {folder}; end it with Ctrl-C"]
        if host not in LOOPBACK:
            lines.append(
                f"anybody who reaches {host} can see this run and start searches; there is no login"
            )
        settings = uvicorn.Config(
            make_app(site, host, port), log_level="warning", access_log=False, ws="none",
            server_header=False, timeout_keep_alive=30, limit_concurrency=64,
        )  # fmt: skip
        server = _Server(settings)
        server.greeting = "\n".join(lines)
        server.run(sockets=[bound])


class _Server(uvicorn.Server):
    """Says its greeting when it is up: Ctrl-C before would end the making of its event loop."""

    greeting = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        say(self.greeting)


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens on ``host`` and ``port``, 0 for any. Raises UserError."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, proto)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(64)  # a connection before the server is up waits
    except OSError as error:
        raise UserError(
            f"{host}:{port}: {error.strerror}; take another --port, or --host 127.0.0.1"
        ) from None
    return bound
