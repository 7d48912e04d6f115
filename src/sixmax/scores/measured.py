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
from typing import Annotated, Any, ClassVar, get_type_hints

import numpy as np
from pydantic import ConfigDict

from sixmax.base import options
from sixmax.base.options import stage
from sixmax.scores.job_parts import FigureForm, PartKind, finish
from sixmax.scores.statistics import Sums, figure, told
from sixmax.store.records import Form, RecordKind

Samples = Annotated[list[float], "samples"]  # one a sample, in their order; estimated, and joined


class MeasuredForm(Form):
    """A measurement as a report tells it."""

    title: str
    unit: str
    game: str
    estimates: dict[str, FigureForm]


@dataclass(frozen=True)
class Measured:
    """The result of a measurement: samples, and fields that all parts share.

    The first line of the class's docstring is its title. ``of`` says which numbered samples it
    has: [seed, first, that after the last].
    """

    game: str  # digest of the run's game
    of: list[list[int]]

    unit: ClassVar[str] = "mbb/game"
    __pydantic_config__ = ConfigDict(extra="allow")

    def to_json(self) -> dict[str, Any]:
        """Plain values, with the estimates and their meaning."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        estimates = {name: figure(Sums.of(np.asarray(own[name]))) for name in self.samples()}
        return own | {"title": self.title(), "unit": self.unit, "estimates": estimates}

    @classmethod
    def title(cls) -> str:
        """The words that name it."""
        return inspect.getdoc(cls).split("\n")[0].rstrip(".")

    @classmethod
    def samples(cls) -> tuple[str, ...]:
        """The fields that are Samples."""
        hints = get_type_hints(cls, include_extras=True)
        return tuple(name for name, hint in hints.items() if hint == Samples)

    @classmethod
    def parts(cls, writer: str) -> PartKind:
        """How parts written by ``writer`` become one: fields that are no samples have to agree."""
        names = {each.name for each in fields(cls)}
        return PartKind(
            RecordKind(f"a measurement ({cls.title()})", writer, cls),
            alike=tuple(sorted(names - {*cls.samples(), "of"})),
            joined=cls.samples(),
            added=(),
            derived=lambda record: cls(**{name: record[name] for name in names}).to_json(),
            lines=lambda record, seconds: [
                f"{record['title']}, {name}: {told(row, record['unit'])}"
                for name, row in record["estimates"].items()
            ],
        )


def measurement(function: Callable[..., Measured]) -> Callable[..., None]:
    """The stage of a measurement: it writes the result of ``function`` and tells it.

    Two options are added, ``out`` and ``threads``. The time that it took goes into a file beside
    the record.
    """
    signature = inspect.signature(function)
    parts = get_type_hints(function)["return"].parts(f"sixmax {function.__name__}")
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = {"out": options.Out, "threads": options.Threads}

    @functools.wraps(function)
    def run(*args: Any, out: Path, threads: int = 1, **kwargs: Any) -> None:
        begun = time.perf_counter()
        record = function(*args, **kwargs).to_json()
        finish(parts, record, out, time.perf_counter() - begun, threads)

    more = [inspect.Parameter(name, keyword, annotation=kind) for name, kind in own.items()]
    run.__signature__ = signature.replace(
        parameters=[*signature.parameters.values(), *more], return_annotation=None
    )
    run.__annotations__ = {**function.__annotations__, **own, "return": None}
    started = stage(run)
    started.parts = parts
    return started
