"""The routes of Play and Review."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from sixmax.base.errors import UserError
from sixmax.serve.bodies import object_of
from sixmax.serve.seat.reviews import Reviews
from sixmax.serve.seat.tables import ServedTable, Tables

_GONE = "this session is gone: the server keeps a few, and none when it ends"


class Seat:
    """The state behind the routes: the tables, and the files in review."""

    def __init__(self, tables: Tables, reviews: Reviews):
        self.tables, self.reviews = tables, reviews

    async def begin(self, request: Request) -> Response:
        """Begin a session."""
        values = await object_of(request)
        return JSONResponse(await run_in_threadpool(self.tables.open, values), 201)

    async def state(self, request: Request) -> Response:
        """The hand as the person may see it."""
        return await self._at(request, ServedTable.state)

    async def act(self, request: Request) -> Response:
        """Do the action of the person. Raises UserError for text that is no action."""
        text = (await object_of(request)).get("text")
        if not isinstance(text, str) or len(text) > 40:
            raise UserError("text: wanted an action, as in c or r 300")
        return await self._at(request, lambda table: table.act(text))

    async def step(self, request: Request) -> Response:
        """Let an agent act."""
        await object_of(request)
        return await self._at(request, ServedTable.step)

    async def progress(self, request: Request) -> Response:
        """The progress of the search at the table."""
        return JSONResponse(self._table(request).progress())

    async def enough(self, request: Request) -> Response:
        """End the search at the table."""
        await object_of(request)
        return JSONResponse(self._table(request).enough())

    async def deal(self, request: Request) -> Response:
        """Deal the next hand."""
        await object_of(request)
        return await self._at(request, ServedTable.next_hand)

    async def hint(self, request: Request) -> Response:
        """The opinion about the decision to come."""
        await object_of(request)
        return await self._at(request, ServedTable.hint)

    async def review(self, request: Request) -> Response:
        """The opinions about the hand that is over."""
        return await self._at(request, ServedTable.review)

    async def score(self, request: Request) -> Response:
        """The result so far."""
        return await self._at(request, lambda table: table.score(self.tables.why))

    async def log(self, request: Request) -> Response:
        """The hands of a session as an ACPC log."""
        return _file(self._table(request).log(), "hands.log")

    async def phh(self, request: Request) -> Response:
        """The hands of a session as PHH."""
        return _file(self._table(request).phh(), "hands.phhs")

    async def read(self, request: Request) -> Response:
        """Take a file of hands for review."""
        text = (await object_of(request)).get("text")
        return JSONResponse(await run_in_threadpool(self.reviews.open, text), 201)

    async def hand(self, request: Request) -> Response:
        """One hand of a file, with opinions about a seat.

        Raises UserError for a hand or seat that there is not, HTTPException for a file that is not
        kept.
        """
        place, query = request.path_params, request.query_params
        seat, agent = query.get("seat", "0"), query.get("agent", "blueprint")
        if not seat.isascii() or not seat.isdigit() or len(seat) > 2:
            raise UserError("seat: wanted a number")
        args = place["name"], place["number"], int(seat), agent
        values = await run_in_threadpool(self.reviews.hand, *args)
        if values is None:
            raise HTTPException(404, _GONE.replace("session", "file"))
        return JSONResponse(values)

    def _table(self, request: Request) -> ServedTable:
        table = self.tables.get(request.path_params["name"])
        if table is None:
            raise HTTPException(404, _GONE)
        return table

    async def _at(
        self, request: Request, work: Callable[[ServedTable], dict[str, Any]]
    ) -> Response:
        return JSONResponse(await run_in_threadpool(work, self._table(request)))

    def routes(self) -> list[Route]:
        """All of them."""
        here = "/api/play/{name}"
        return [
            Route("/api/play", self.begin, methods=["POST"]),
            Route(here, self.state),
            Route(f"{here}/act", self.act, methods=["POST"]),
            Route(f"{here}/step", self.step, methods=["POST"]),
            Route(f"{here}/progress", self.progress),
            Route(f"{here}/enough", self.enough, methods=["POST"]),
            Route(f"{here}/next", self.deal, methods=["POST"]),
            Route(f"{here}/hint", self.hint, methods=["POST"]),
            Route(f"{here}/review", self.review),
            Route(f"{here}/score", self.score),
            Route(f"{here}/hands.log", self.log),
            Route(f"{here}/hands.phhs", self.phh),
            Route("/api/review", self.read, methods=["POST"]),
            Route("/api/review/{name}/{number:int}", self.hand),
        ]


def _file(text: str, name: str) -> Response:
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, headers=head)
