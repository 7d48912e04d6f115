"""The stage ``pool``: merge a measurement that several jobs share."""

from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError, one_of
from sixmax.cli import COMMANDS, function_at
from sixmax.scores.job_parts import PartKind, pooled


@options.stage
def pool(
    measurement: Annotated[str, options.argument("COMMAND")], parts: options.Files, out: options.Out
) -> None:
    """Merge results of one measurement that several jobs share.

    COMMAND is the one that wrote PARTS, results over different hands. They share a protocol, and
    their hands are of one seed, or of several.

    \b
    sixmax stage pool gain gain-0.json gain-100.json --out gain.json

    Raises UserError for other files, different protocols, and hands that count twice.
    """
    place = COMMANDS.get(measurement)
    kind = _parts(place) if place else None
    if kind is None:
        known = [name for name, each in COMMANDS.items() if _parts(each)]
        raise UserError(f"{measurement!r} is no measurement in parts; {one_of(measurement, known)}")
    pooled(kind, parts, out)


def _parts(place: str) -> PartKind | None:
    return getattr(function_at(place), "parts", None)
