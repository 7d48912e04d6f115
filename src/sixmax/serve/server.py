"""``sixmax serve``: open runs or a solved endgame, warm up, answer until the user ends it."""

import socket
import threading
from pathlib import Path
from typing import Annotated, NamedTuple

import uvicorn

from sixmax.api.walk import Address
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.base.options import Option, argument, found_run
from sixmax.base.progress import say
from sixmax.blueprint.run import open_run
from sixmax.serve.app import Site, SolvedSite, make_app
from sixmax.serve.guard import LOOPBACK
from sixmax.serve.library import Library
from sixmax.serve.solved import Solved


class Listening(NamedTuple):
    """Where the server answers."""

    host: Annotated[
        str, Option("Whose requests to answer: by default those of this machine alone.")
    ] = "127.0.0.1"
    port: Annotated[int, Option("Where to listen; 0 for any free one.", least=0, most=65535)] = 8000


def serve(
    answer: Annotated[Path, argument("[ANSWER]")] | None,
    folder: options.NamedRun | None,
    against: Annotated[Path, Option("Another run of the same game, to compare with.")] | None,
    config: Annotated[str, Option("The config section `search`, or changes to it, as JSON.")]
    | None,
    threads: options.Threads,
    listening: Listening,
) -> None:  # fmt: skip
    """Explore a run or a solved endgame in the browser.

    ANSWER is what `sixmax solve --out answer.zarr` wrote; without it a run is shown. Prints the
    address to open. Nothing leaves this machine. Ctrl-C ends it.

    \b
    sixmax serve --run results/default
    sixmax serve --run results/default --against results/overnight
    sixmax serve answer.zarr

    Raises UserError for what cannot be shown and for a port that cannot be had.
    """
    set_threads(threads)
    if answer is not None and (folder, against, config) != (None, None, None):
        raise UserError(f"{answer}: a solved endgame goes without --run, --against and --config")
    host, port = listening
    with bind(host, port) as bound:
        if answer is not None:
            site, shown_is = SolvedSite(Solved(answer, threads)), answer
        else:
            shown_is = folder or found_run()
            run, other = open_run(shown_is), None if against is None else open_run(against)
            site = Site(Library(run, other), config, threads)
        threading.Thread(target=site.values, args=(Address(),), daemon=True).start()
        port = bound.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        lines = [f"http://{shown}:{port}/ shows {shown_is}; end it with Ctrl-C"]
        if host not in LOOPBACK:
            lines.append(
                f"anybody who reaches {host} can see it and start searches; there is no login"
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
