"""The options of commands, declared once: in the signature of their function, a stage.

    @stage
    def values(folder: Run, hands: Annotated[int, Option("Of self-play.", least=1)], seed: Seed,
               out: Store, threads: Threads = 1) -> None:

:mod:`sixmax.cli.command` makes `sixmax values --run … --hands … --seed … --out …` of it: a
parameter's type, its :class:`Option` and its default are the option, the docstring is the help. A
parameter without an Option is for Python alone; one that is a NamedTuple of such fields stands for
all of them.
"""

import functools
import inspect
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar

from sixmax.base.errors import UserError
from sixmax.base.progress import say

P = ParamSpec("P")
R = TypeVar("R")
STARTER = "starter.sixmax"  # the packed run of the repository, first among those found
OUTPUTS = (
    "out", "text", "log", "phh", "check", "history", "json_path", "picture", "page", "verdicts",
)  # fmt: skip


class Option(NamedTuple):
    """One option of a command, or an argument."""

    help: str = ""
    flag: str = ""  # as --run; empty: the name of the parameter
    least: float | None = None  # of a number
    most: float | None = None
    above: float | None = None  # in the place of ``least``: this number is itself refused
    choices: Sequence[str] = ()
    argument: bool = False  # named by its place; a list takes all that follow
    metavar: str = ""  # of an argument
    kind: str = ""  # of a path: run, found-run; of a list: seats; "search section": of the config
    many: bool = False  # may stand several times
    variable: str = ""  # of the environment
    default: Any = None  # of the command, where the function has none


def argument(metavar: str = "", **more: object) -> Option:
    """An argument: an option that is named by its place."""
    return Option(argument=True, metavar=metavar, **more)  # type: ignore[arg-type]


def changes(section: str) -> Option:
    """Changes to a section of the config; none where it is left out."""
    help = f"Changes to the section `{section}`, as JSON."
    return Option(help, kind=f"{section} section", default="{}")


def seed(help: str, **more: object) -> Option:
    """A seed: a whole number of 63 bits."""
    return Option(help, least=0, most=2**63 - 1, **more)  # type: ignore[arg-type]


_RUN = "The folder results/{run}, or a packed run."
_FOUND = f"{_RUN} Default: {STARTER} here, or the only run."
Run = Annotated[Path, Option(_RUN, "--run", kind="run")]
FoundRun = Annotated[Path, Option(_FOUND, "--run", kind="found-run")]
NamedRun = Annotated[Path, Option(_FOUND, "--run", kind="run")]  # the command looks for another
Unpacked = Annotated[Path, Option("The folder results/{run}, not packed.", "--run", kind="run")]
Against = Annotated[Path, Option("B's run: other bet sizes and buckets, one game.", kind="run")]
Agent = Annotated[str, Option("Or a snapshot, as in snapshot-00004.", default="blueprint")]
Out = Annotated[Path, Option("The result, as JSON.")]
Store = Annotated[Path, Option("The store to write.")]
Text = Annotated[Path, Option("The table as text.")]
Log = Annotated[Path, Option("Write the hands as ACPC lines.")]
Phh = Annotated[Path, Option("Write the hands as PHH.")]
Page = Annotated[Path, Option("The page with table and figure.")]
File = Annotated[Path, argument()]
Files = Annotated[list[Path], argument()]
Deals = Annotated[int, Option("Each is played from every seat.", least=2)]  # an error needs two
Seed = Annotated[int, seed("Of deals and actions.")]
Ranks = Annotated[int, Option("Of the deck; 13 is a full one.", least=1, default=13)]
Features = Annotated[Path, Option("Folder of the features.")]
Sample = Annotated[int, Option("Situations to cluster.", least=1, default=200_000)]
Restarts = Annotated[int, Option("Runs; the best is kept.", least=1, default=2)]
MaxIterations = Annotated[int, Option("Of one run.", least=1, default=50)]
SeedOfRun = Annotated[int, seed("Of the run.", default=0)]
Begin = Annotated[
    int,
    Option(
        "Number of the first, so that several jobs can share those of a seed.", least=0, default=0
    ),
]
Iterations = Annotated[int, Option("Of CFR.", least=1, default=300)]
# Set by the workflow: a command's words do not change with the threads of its job.
Threads = Annotated[
    int,
    Option("Cores to use; the result is the same.", least=1, variable="SIXMAX_THREADS", default=1),
]
Boards = Annotated[
    int,
    Option(
        "Score an all-in pot by its mean over N random boards; 0, or N too large, means all. "
        "Without this option: by the board that came.", "--all-in", least=0,
    ),
]  # fmt: skip
Game = Annotated[Path, Option("An ACPC game definition, if not the usual one.")]
Interval = Annotated[int, Option("Which interval, from 1.", least=1)]
Snapshot = Annotated[
    bool, Option("Keep the current strategy afterwards.", "--snapshot/--no-snapshot")
]
History = Annotated[Path, Option("The interval's statistics, as JSON.")]
Setting = Annotated[
    str,
    Option(
        "`fast` applies search.fast: shorter searches, about a second each in `default`.",
        choices=("full", "fast"),
    ),
]
# Of a parameter that is a SearchConfig: the command reads it with `setting`. Without the option it
# is the run's own, or None if the parameter may be.
SEARCH = Option("Changes to the run's own section `search`, as JSON.", "--config", kind="search")


def found_run() -> Path:
    """The run of a command that names none: STARTER, or the only one in this folder; it is said.

    Raises UserError where there are several, or none.
    """
    packed = sorted(Path().glob("*.sixmax"))
    trained = sorted(Path("results").glob("*/blueprint/strategy.zarr"))
    runs = [Path(STARTER)] if Path(STARTER) in packed else packed + [p.parents[1] for p in trained]
    if not runs:
        raise UserError("found no results/{run} with a blueprint, and no *.sixmax; name a --run")
    if len(runs) > 1:
        raise UserError(f"found {len(runs)} runs: {', '.join(map(str, runs))}; name one by --run")
    say(f"run: {runs[0]}")
    return runs[0]


def stage(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate the function of a stage: check its outputs and set ``threads`` of kernels first.

    Arguments named in OUTPUTS are paths to write, or None; see :func:`refuse_unwritable`.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind_partial(*args, **kwargs).arguments
        refuse_unwritable(*(given.get(name) for name in OUTPUTS))
        if "threads" in given:
            from sixmax.base.jit import set_threads  # many commands do without numba

            set_threads(given["threads"])
        return function(*args, **kwargs)

    return run


def refuse_unwritable(*paths: Path | None) -> None:
    """Raise UserError for the first of ``paths`` that cannot be written; nothing is left behind.

    Missing folders, pipes and devices are right; so is a folder that is empty or a store.
    """
    for path in filter(None, paths):
        if path.is_dir() and not (path / "zarr.json").exists() and any(path.iterdir()):
            raise UserError(f"{path}: found a folder, wanted the name of a file or store to write")
        if path.exists() and not path.is_file() and not path.is_dir():
            continue
        folder = next(each for each in path.absolute().parents if each.exists())
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written ({folder}: {error.strerror}); name another place"
            ) from None
