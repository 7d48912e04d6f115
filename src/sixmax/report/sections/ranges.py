"""Ranges before the flop: first in, facing a raise, facing a three-bet; a chart a spot."""

from typing import Any, NamedTuple

from sixmax.betting.state import positions
from sixmax.report import range_chart
from sixmax.report.gather import Inputs
from sixmax.report.range_chart import Chart
from sixmax.report.template import explore

TITLE = "Ranges"
# Kind of spot in the record -> its title, and the words for a call and a raise there.
_KINDS = {
    "first_in": ("First in", ("limp", "raise")),
    "facing_raise": ("Facing a raise", ("call", "3-bet")),
    "facing_three_bet": ("Facing a 3-bet", ("call", "4-bet")),
}


class Placed(NamedTuple):
    """A chart, its address in the explorer, and its place in the table of a wide screen."""

    chart: Chart
    link: str
    row: int  # from 1, by the seat
    column: int  # from 1, by the opponent


class SpotGroup(NamedTuple):
    """The charts of one kind of spot; ``raises``: the raises faced, in words."""

    id: str
    title: str
    charts: list[Placed]
    columns: int
    raises: str


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None for a game without a fold before the first bet."""
    every = groups(inputs)
    if not every:
        return None
    first = every[0].charts[0].chart
    count = len(first.rows.split())
    return {
        "groups": every,
        "labels": range_chart.labels(inputs.ranges["ranks"], count),
        "cell": range_chart.CELL,
        "first": first,
    }


def groups(inputs: Inputs) -> list[SpotGroup]:
    """The groups that the run has, in the order of the betting."""
    record = inputs.ranges
    return [_group(inputs, kind, record[kind]) for kind in _KINDS if record[kind]]


def _group(inputs: Inputs, kind: str, spots: list[dict[str, Any]]) -> SpotGroup:
    title, words = _KINDS[kind]
    game, bb = inputs.settings["game"], inputs.big_blind
    seats = positions(len(game["stacks"]), game["first"][0])
    rows = sorted({s["seat"] for s in spots}, key=lambda s: _order(game, seats, s))
    columns = sorted({s["against"] or "" for s in spots}, key=lambda s: _order(game, seats, s))
    charts = []
    for spot in spots:
        stack = game["stacks"][seats.index(spot["seat"])]
        drawn = range_chart.chart(spot, inputs.ranges["ranks"], words, bb, stack, kind)
        place = rows.index(spot["seat"]) + 1, columns.index(spot["against"] or "") + 1
        charts.append(Placed(drawn, explore(spot["actions"]), *place))
    name = kind.replace("_", "-")
    return SpotGroup(name, title, charts, len(columns), _raises(spots, bb))


def _order(game: dict[str, Any], seats: tuple[str, ...], name: str) -> int:
    """When ``name`` acts in the first round."""
    return (seats.index(name) - game["first"][0]) % len(seats) if name else 0


def _raises(spots: list[dict[str, Any]], big_blind: int) -> str:
    """The sizes of the raises that are faced: "2.25 to 3"."""
    last = {int(s["actions"].rpartition("r")[2].rstrip("fc")) for s in spots if "r" in s["actions"]}
    sizes = [f"{chips / big_blind:g}" for chips in (min(last), max(last))] if last else []
    return " to ".join(dict.fromkeys(sizes))
