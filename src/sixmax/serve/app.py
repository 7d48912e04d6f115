"""The routes of the site. Every answer is of the runs that the server was started with."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from sixmax.errors import UserError, printable
from sixmax.game.betting import positions
from sixmax.serve.address import Address
from sixmax.serve.bodies import object_of
from sixmax.serve.guard import Guard
from sixmax.serve.library import AGAINST, Library
from sixmax.serve.search_job import BusyError, Question, Searches
from sixmax.serve.searched import SETTINGS, SpotSearch
from sixmax.serve.seat.reviews import BYTES, Reviews
from sixmax.serve.seat.routes import Seat
from sixmax.serve.seat.tables import Tables
from sixmax.serve.sizes import typed
from sixmax.serve.spot import spot

_HERE = Path(__file__).parent
PAGES = (
    ("explore", "Explore"),
    ("play", "Play"),
    ("review", "Review"),
)  # path and title, in the order of the navigation
_BUSY = "a search is at work and another waits; cancel one, or wait"


class Site:
    """The state behind the routes: the strategies and the searches."""

    def __init__(self, library: Library, config: str | None = None, threads: int = 1):
        self.library = library
        self.spot_search = SpotSearch(library, config, threads)
        self.searches = Searches(self.spot_search)
        self.why_no_search = self.spot_search.why_not()
        self.templates = Jinja2Templates(_HERE / "templates")
        self.seat = Seat(Tables(library.run, config), Reviews(library.run, config))

    async def home(self, request: Request) -> Response:
        """The first page."""
        return RedirectResponse("/explore", 307)

    async def page(self, request: Request) -> Response:
        """The page of Explore, Play or Review; its script asks for all that it shows."""
        run, against = self.library.run, self.library.runs.get(AGAINST)
        here = request.url.path.strip("/")
        context = {
            "pages": PAGES,
            "here": here,
            "run": run.folder.name,
            "against": against.folder.name if against else "",
            "sources": self.library.sources,
            "own": [s for s in self.library.sources if not s.name.startswith(AGAINST)],
            "ranks": run.ranks,
            "seats": run.game.seats,
            "positions": positions(run.game.seats, run.game.first[0]),
            "settings": SETTINGS,
            "why_no_search": self.why_no_search,
        }
        return self.templates.TemplateResponse(request, f"{here}.html.j2", context)

    async def spot(self, request: Request) -> Response:
        """The spot of an address, and its search where one is known."""
        address = Address.of(dict(request.query_params))
        values = await run_in_threadpool(spot, self.library, address)
        jobs = self.searches.of_spot(address.actions, address.board)
        values["searches"] = [job.as_values() for job in jobs]
        return JSONResponse(values)

    async def size(self, request: Request) -> Response:
        """The raise that a typed size means, or the reason why it means none.

        Not a refusal: sizes are asked about letter by letter while they are typed.
        """
        fields = dict(request.query_params)
        text = fields.pop("text", "")
        address = Address.of(fields)
        try:
            values = await run_in_threadpool(typed, self.library, address, text)
        except UserError as error:
            values = {"error": printable(str(error), lines=False)}
        return JSONResponse(values)

    async def search(self, request: Request) -> Response:
        """Begin a search of a spot."""
        fields = await object_of(request)
        setting = fields.pop("setting", "fast")
        if setting not in SETTINGS:
            raise UserError(f"setting: wanted {' or '.join(SETTINGS)}")
        if not isinstance(with_values := fields.pop("values", False), bool):
            raise UserError("values: wanted true or false")
        if self.why_no_search:
            raise UserError(self.why_no_search)
        address = Address.of(fields)
        values = await run_in_threadpool(spot, self.library, address)
        if values["state"] != "decide":
            raise UserError("nobody is to act here; wanted a decision to search")
        try:
            spot_of = address.actions, address.board
            job = self.searches.ask(Question(*spot_of, setting, with_values))
        except BusyError:
            return JSONResponse({"error": _BUSY}, 429)
        return JSONResponse(job.as_values(), 202)

    async def job(self, request: Request) -> Response:
        """A search: its progress or its result."""
        job = self.searches.job(request.path_params["number"])
        if job is None:
            raise HTTPException(404)
        return JSONResponse(job.as_values())

    async def cancel(self, request: Request) -> Response:
        """End a search."""
        await object_of(request)
        job = self.searches.job(request.path_params["number"])
        if job is None:
            raise HTTPException(404)
        self.searches.cancel(job)
        return JSONResponse(job.as_values())


async def _mistake(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": printable(str(error), lines=False)}, 400)


async def _http(request: Request, error: HTTPException) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


def make_app(site: Site, host: str = "127.0.0.1", port: int = 8000) -> Starlette:
    """The application of ``site``, for requests to ``host`` and ``port``."""
    routes = [
        Route("/", site.home),
        *(Route(f"/{path}", site.page) for path, _ in PAGES),
        *site.seat.routes(),
        Route("/api/spot", site.spot),
        Route("/api/size", site.size),
        Route("/api/search", site.search, methods=["POST"]),
        Route("/api/search/{number:int}", site.job),
        Route("/api/search/{number:int}/cancel", site.cancel, methods=["POST"]),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, host=host, port=port, larger={"/api/review": 2 * BYTES})],
        exception_handlers={UserError: _mistake, HTTPException: _http},
    )
