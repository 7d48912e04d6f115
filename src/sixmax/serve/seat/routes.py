"""The routes of Play and Review."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.hands.formats import FORMATS
from sixmax.hands.record import Record
from sixmax.serve.guard import object_of
from sixmax.serve.seat.reviews import Reviews, row
from sixmax.serve.seat.tables import ServedTable
from sixmax.session.luck import open_luck

MOST = 4  # sessions, and files
T = TypeVar("T")
TableWork = Callable[[ServedTable, dict[str, Any]], dict[str, Any] | str]  # with fields sent


class Kept(Generic[T]):
    """A few things, of a ``kind``, by names that cannot be guessed.

    A new one takes the place of the one used least recently.
    """

    def __init__(self, kind: str):
        self._kind, self._things, self._lock = kind, OrderedDict[str, T](), Lock()

    def add(self, thing: T) -> str:
        """Keep ``thing``; its name."""
        with self._lock:
            name = secrets.token_hex(8)
            self._things[name] = thing
            while len(self._things) > MOST:
                self._things.popitem(last=False)
            return name

    def of(self, request: Request) -> T:
        """The thing that the path of ``request`` names. Raises HTTPException if it is not kept."""
        name = request.path_params["name"]
        with self._lock:
            if name not in self._things:
                gone = f"this {self._kind} is gone: the server keeps a few, and none when it ends"
                raise HTTPException(404, gone)
            self._things.move_to_end(name)
            return self._things[name]


class Seat:
    """The state behind the routes: the tables, and the files in review."""

    def __init__(self, run: Run, config: str | None = None):
        self._run, self._config, self.luck = run, config, open_luck(run)
        self._tables, self._files = Kept[ServedTable]("session"), Kept[list[Record]]("file")
        self._reviews = Reviews(run, config)

    async def begin(self, request: Request) -> Response:
        """Begin a session: its name, and its first hand. Raises UserError."""
        args = self._run, await object_of(request), self._config, self.luck
        table = await run_in_threadpool(ServedTable, *args)
        return JSONResponse({"name": self._tables.add(table), **table.state()}, 201)

    def _of_table(self, path: str, work: TableWork, posted: bool = False) -> Route:
        """The route of ``work`` at a table; ``posted`` where it changes something."""

        async def answer(request: Request) -> Response:
            fields = await object_of(request) if posted else {}
            result = await run_in_threadpool(work, self._tables.of(request), fields)
            if isinstance(result, str):
                head = {"Content-Disposition": f'attachment; filename="{path[1:]}"'}
                return PlainTextResponse(result, headers=head)
            return JSONResponse(result)

        methods = ["POST"] if posted else ["GET"]
        return Route(f"/api/play/{{name}}{path}", answer, methods=methods)

    async def read(self, request: Request) -> Response:
        """Take a file of hands for review."""
        text = (await object_of(request)).get("text")
        hands = await run_in_threadpool(self._reviews.read, text)
        values = {"name": self._files.add(hands), "hands": [row(record) for record in hands]}
        return JSONResponse(values, 201)

    async def hand(self, request: Request) -> Response:
        """One hand of a file, with opinions about a seat. Raises UserError for a wrong seat."""
        query, number = request.query_params, request.path_params["number"]
        seat, agent = query.get("seat", "0"), query.get("agent", "blueprint")
        if not seat.isascii() or not seat.isdigit() or len(seat) > 2:
            raise UserError("seat: wanted a number")
        args = self._files.of(request), number, int(seat), agent
        return JSONResponse(await run_in_threadpool(self._reviews.hand, *args))

    def routes(self) -> list[Route]:
        """All of them."""
        why = "" if self.luck else "the run has no values for AIVAT (sixmax values makes them)"
        shows: dict[str, TableWork] = {
            "": lambda table, _: table.state(),
            "/progress": lambda table, _: table.progress(),
            "/review": lambda table, _: table.review(),
            "/score": lambda table, _: table.score(why),
        }
        for kind in FORMATS.values():
            shows[f"/hands{kind.endings[-1]}"] = lambda table, _, kind=kind: table.file(kind)
        changes: dict[str, TableWork] = {
            "/act": lambda table, fields: table.act(fields.get("text")),
            "/step": lambda table, _: table.step(),
            "/enough": lambda table, _: table.enough(),
            "/next": lambda table, _: table.next_hand(),
            "/hint": lambda table, _: table.hint(),
        }
        return [
            Route("/api/play", self.begin, methods=["POST"]),
            *(self._of_table(path, work) for path, work in shows.items()),
            *(self._of_table(path, work, posted=True) for path, work in changes.items()),
            Route("/api/review", self.read, methods=["POST"]),
            Route("/api/review/{name}/{number:int}", self.hand),
        ]
