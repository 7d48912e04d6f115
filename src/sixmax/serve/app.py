"""The routes of the site. Every answer is of what the server was started with."""

from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from sixmax.api.chart import COLOURS
from sixmax.api.spot import why_not
from sixmax.api.walk import Address
from sixmax.base.errors import UserError, printable
from sixmax.search.settings import SPEEDS
from sixmax.serve.guard import Guard, object_of
from sixmax.serve.jobs import search, worth
from sixmax.serve.jobs.background import BusyError, Job, Jobs
from sixmax.serve.library import AGAINST, Library
from sixmax.serve.seat.reviews import BYTES
from sixmax.serve.seat.routes import Seat
from sixmax.serve.solved import Solved
from sixmax.serve.spot import spot, typed

_HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(_HERE / "templates")
PAGES = (("explore", "Explore"), ("play", "Play"), ("review", "Review"))  # path and title


class Site:
    """The state behind the routes: the strategies and the searches."""

    pages = PAGES

    def __init__(self, library: Library, config: str | None = None, threads: int = 1):
        self.library = library
        searches = search.SpotSearch(library, config)
        roll_outs = worth.SpotWorth(library, searches.configs["full"].tremble)
        # By the path of their routes:
        work = ("search", searches, "search"), ("worth", roll_outs, "roll-out")
        self.jobs = {path: Jobs(answer, kind, threads) for path, answer, kind in work}
        self.why_no_search = why_not(library.opened)
        self.templates = TEMPLATES
        self.seat = Seat(library.run, config)

    async def home(self, request: Request) -> Response:
        return RedirectResponse("/explore", 307)

    async def page(self, request: Request) -> Response:
        """The page of Explore, Play or Review; its script asks for all that it shows."""
        here = request.url.path.strip("/")
        context = {"pages": self.pages, "here": here, **self._context()}
        return self.templates.TemplateResponse(request, f"{here}.html.j2", context)

    def _context(self) -> dict[str, Any]:
        run, against = self.library.run, self.library.runs.get(AGAINST)
        return {
            "run": run.folder.name,
            "against": against.folder.name if against else "",
            "sources": self.library.sources,
            "own": [s for s in self.library.sources if not s.name.startswith(AGAINST)],
            "ranks": run.ranks, "seats": run.game.seats, "positions": run.game.positions,
            "settings": SPEEDS, "why_no_search": self.why_no_search,
        }  # fmt: skip

    def values(self, address: Address) -> dict[str, Any]:
        """The spot of ``address``. Raises UserError."""
        return spot(self.library, address)

    async def spot(self, request: Request) -> Response:
        """The spot of an address, with the jobs that are known there."""
        address = Address.of(dict(request.query_params))
        values = await run_in_threadpool(self.values, address)
        at = address.actions, address.board
        for name, jobs in self.jobs.items():
            values[name] = [job.as_values() for job in jobs.of_spot(*at)]
        return JSONResponse(values)

    async def size(self, request: Request) -> Response:
        """The raise that a typed size means, or why it means none: it is asked letter by letter."""
        fields = dict(request.query_params)
        text = fields.pop("text", "")
        address = Address.of(fields)
        try:
            values = await run_in_threadpool(typed, self.library, address, text)
        except UserError as error:
            values = {"error": printable(str(error), lines=False)}
        return JSONResponse(values)

    async def search(self, request: Request) -> Response:
        """Begin a search of a spot. Raises UserError for values that no search has."""
        fields = await object_of(request)
        setting = fields.pop("setting", "fast")
        if setting not in SPEEDS:
            raise UserError(f"setting: wanted {' or '.join(SPEEDS)}")
        if not isinstance(with_values := fields.pop("values", False), bool):
            raise UserError("values: wanted true or false")
        if self.why_no_search:
            raise UserError(self.why_no_search)
        at = Address.of(fields)
        question = search.SearchQuestion(at.actions, at.board, setting, with_values)
        return await self._begin("search", at, question)

    async def worth(self, request: Request) -> Response:
        at = Address.of(await object_of(request))
        question = worth.WorthQuestion(at.actions, at.board, at.agent)
        return await self._begin("worth", self._decision(at), question)

    def _decision(self, at: Address) -> Address:
        """The decision that a question about ``at`` is of."""
        return at

    async def _begin(self, name: str, at: Address, question: Any) -> Response:
        """Begin the job of ``question`` about the decision ``at``."""
        values = await run_in_threadpool(self.values, at)
        if values["state"] != "decide":
            raise UserError("nobody is to act here; wanted a decision")
        try:
            return JSONResponse(self.jobs[name].ask(question).as_values(), 202)
        except BusyError:
            busy = f"a {self.jobs[name].kind} is at work and another waits; cancel one, or wait"
            return JSONResponse({"error": busy}, 429)

    async def job(self, request: Request) -> Response:
        """A job: its progress or its result."""
        return JSONResponse(self._job(request)[1].as_values())

    async def cancel(self, request: Request) -> Response:
        await object_of(request)
        jobs, job = self._job(request)
        jobs.cancel(job)
        return JSONResponse(job.as_values())

    def _job(self, request: Request) -> tuple[Jobs, Job]:
        jobs = self.jobs[request.url.path.split("/")[2]]
        job = jobs.job(request.path_params["number"])
        if job is None:
            raise HTTPException(404)
        return jobs, job

    def routes(self) -> list[Route]:
        begin = {"search": self.search, "worth": self.worth}
        return [*self._shown(begin), Route("/api/size", self.size), *self.seat.routes()]

    def _shown(self, begins: dict[str, Any]) -> list[Route]:
        """Those of pages, of spots, and of jobs by the function that begins one."""
        routes = [
            Route("/", self.home),
            *(Route(f"/{path}", self.page) for path, _ in self.pages),
            Route("/api/spot", self.spot),
        ]
        for name, begin in begins.items():
            job = f"/api/{name}/{{number:int}}"
            routes += [
                Route(f"/api/{name}", begin, methods=["POST"]),
                Route(job, self.job),
                Route(f"{job}/cancel", self.cancel, methods=["POST"]),
            ]
        return routes


class SolvedSite(Site):
    """The state behind the routes of a solved endgame: Explore alone, EV without a search."""

    pages = PAGES[:1]

    def __init__(self, solved: Solved):
        self.solved, self.templates = solved, TEMPLATES
        self.jobs = {"worth": Jobs(solved.worth, "EV", solved.threads)}

    def _context(self) -> dict[str, Any]:
        return {"run": self.solved.path.name, "solved": repr(self.solved.answer)}

    def values(self, address: Address) -> dict[str, Any]:
        return self.solved.page(address)

    def _decision(self, at: Address) -> Address:
        return Address(at.actions, at.board)  # its agent is a player

    def routes(self) -> list[Route]:
        return self._shown({"worth": self.worth})


async def _mistake(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": printable(str(error), lines=False)}, 400)


async def _http(request: Request, error: HTTPException) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


def make_app(site: Site, host: str = "127.0.0.1", port: int = 8000) -> Starlette:
    """The application of ``site``, for requests to ``host`` and ``port``."""
    routes = [
        *site.routes(),
        Route("/static/colours.css", lambda request: FileResponse(COLOURS)),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
    ]  # fmt: skip
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, host=host, port=port, larger={"/api/review": 2 * BYTES})],
        exception_handlers={UserError: _mistake, HTTPException: _http},
    )
