"""A measurement is declared once: by the signature of its function and by its result.

    @dataclass(frozen=True)
    class Stacks(Measured):
        \"\"\"Stacks after some hands.\"\"\"

        hands: int
        stack: Samples

    @measurement
    def stacks(folder: options.Run, hands: …, deals: options.Deals, seed: options.Seed,
               begin: options.Begin) -> Stacks:

:mod:`sixmax.cli.command` makes the command, which writes the record to ``--out`` and tells each
estimate in a line. `sixmax stage pool` merges parts that several jobs measured. A row of
:mod:`sixmax.measurements` makes the rule and a row of the report.
"""

import functools
import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import ConfigDict

from sixmax.base import options
from sixmax.base.jit import set_threads
from sixmax.base.stage import refuse_unwritable
from sixmax.scores.job_parts import PartKind, figure, finish
from sixmax.scores.statistics import Sums
from sixmax.store.records import RecordKind

SAMPLES, ADDED = "samples", "added"
Samples = Annotated[list[float], SAMPLES]  # one a sample, in their order; estimated, and joined
Added = Annotated[int, ADDED]  # a count of the samples of a part


@dataclass(frozen=True)
class Measured:
    """The result of a measurement: fields that all parts share, counts, and samples.

    ``of`` says which numbered samples it has: [seed, first, that after the last].
    """

    game: str  # digest of the run's game
    of: list[list[int]]

    unit: ClassVar[str] = "mbb/game"
    __pydantic_config__ = ConfigDict(extra="allow")

    @classmethod
    def kind(cls) -> RecordKind:
        """The kind of record: the docstring's first line names it."""
        name = inspect.getdoc(cls).split("\n")[0].rstrip(".")
        return RecordKind(f"a measurement ({name})", f"sixmax {cls.__name__.lower()}", cls)

    def estimates(self) -> dict[str, dict[str, Any]]:
        """Mean, error and interval of every field of Samples."""
        return {
            name: figure(Sums.of(np.asarray(getattr(self, name))))
            for name, role in roles(type(self)).items()
            if role == SAMPLES
        }

    def to_json(self) -> dict[str, Any]:
        """Plain values, with the estimates and their meaning."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        title = inspect.getdoc(type(self)).split("\n")[0].rstrip(".")
        return own | {"title": title, "unit": self.unit, "estimates": self.estimates()}

    @classmethod
    def parts(cls) -> PartKind:
        """How parts of the measurement become one: fields that are no samples have to agree."""
        own, names = roles(cls), {each.name for each in fields(cls)}
        return PartKind(
            cls.kind(),
            alike=tuple(sorted(names - own.keys() - {"of"})),
            joined=tuple(name for name, role in own.items() if role == SAMPLES),
            added=tuple(name for name, role in own.items() if role == ADDED),
            derived=lambda record: cls(**{name: record[name] for name in names}).to_json(),
            lines=lambda record, seconds: [
                f"{record['title']}, {name}: {told(row, record['unit'])}"
                for name, row in record["estimates"].items()
            ],
        )


def roles(cls: type) -> dict[str, str]:
    """The fields of ``cls`` that are Samples or Added."""
    hints = get_type_hints(cls, include_extras=True)
    return {
        name: get_args(hint)[1]
        for name, hint in hints.items()
        if get_origin(hint) is Annotated and get_args(hint)[1] in (SAMPLES, ADDED)
    }


def told(row: dict[str, Any], unit: str = "mbb/game") -> str:
    """A figure in words, with its interval where it has one."""
    words = f"{row['mean']:+.2f} {unit}"
    if "interval" not in row:
        return words
    low, high = row["interval"]
    return f"{words}, 95 % interval {low:+.2f} to {high:+.2f}"


def measurement(function: Callable[..., Measured]) -> Callable[..., None]:
    """The stage of a measurement: it writes the result of ``function`` and tells it.

    Two options are added, ``out`` and ``threads``. The time that it took goes into a file beside
    the record.
    """
    signature = inspect.signature(function)
    parts = get_type_hints(function)["return"].parts()
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = {"out": options.Out, "threads": options.Threads}

    @functools.wraps(function)
    def run(*args: Any, out: Path, threads: int = 1, **kwargs: Any) -> None:
        refuse_unwritable(out)
        set_threads(threads)
        begun = time.perf_counter()
        record = function(*args, **kwargs).to_json()
        finish(parts, record, out, time.perf_counter() - begun, threads)

    more = [inspect.Parameter(name, keyword, annotation=kind) for name, kind in own.items()]
    run.__signature__ = signature.replace(
        parameters=[*signature.parameters.values(), *more], return_annotation=None
    )
    run.__annotations__ = {**function.__annotations__, **own, "return": None}
    run.parts = parts
    return run
