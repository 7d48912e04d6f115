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
TableWork = Callable[..., dict[str, Any] | str]  # of a table, and of fields sent


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

    def _of_table(self, path: str, work: TableWork, method: str = "GET", *names: str) -> Route:
        """The route of ``work`` at a table, with the fields ``names``; POST changes something."""

        async def answer(request: Request) -> Response:
            fields = await object_of(request) if method == "POST" else {}
            given = map(fields.get, names)
            result = await run_in_threadpool(work, self._tables.of(request), *given)
            if isinstance(result, str):
                head = {"Content-Disposition": f'attachment; filename="{path[1:]}"'}
                return PlainTextResponse(result, headers=head)
            return JSONResponse(result)

        return Route(f"/api/play/{{name}}{path}", answer, methods=[method])

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
        why = "" if self.luck else "the run has no values for AIVAT (sixmax values makes them)"
        shows: dict[str, TableWork] = {
            "": ServedTable.state, "/progress": ServedTable.progress,
            "/review": ServedTable.review, "/score": lambda table: table.score(why),
        }  # fmt: skip
        for kind in FORMATS.values():
            shows[f"/hands{kind.endings[-1]}"] = lambda table, kind=kind: table.file(kind)
        changes: dict[str, TableWork] = {
            "/step": ServedTable.step, "/enough": ServedTable.enough,
            "/next": ServedTable.next_hand, "/hint": ServedTable.hint,
        }  # fmt: skip
        return [
            Route("/api/play", self.begin, methods=["POST"]),
            *(self._of_table(path, work) for path, work in shows.items()),
            *(self._of_table(path, work, "POST") for path, work in changes.items()),
            self._of_table("/act", ServedTable.act, "POST", "text"),
            Route("/api/review", self.read, methods=["POST"]),
            Route("/api/review/{name}/{number:int}", self.hand),
        ]
