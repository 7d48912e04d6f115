"""Records of evaluation, made up: ranges, matches, the gain of search, experiments."""

from dataclasses import asdict

import numpy as np

from sixmax.evaluation.experiments.experiment import KINDS, Experiment, Setup, TableHands, measure
from sixmax.evaluation.match.play import Played
from sixmax.evaluation.pluribus.first_in import PLURIBUS_LIMP, PLURIBUS_RAISE, PLURIBUS_TOTALS
from sixmax.scores.statistics import Protocol, Result, Sums, figure

ORDER = ("UTG", "HJ", "CO", "BTN", "SB")
RAISES = {"UTG": 15.0, "HJ": 19.0, "CO": 26.0, "BTN": 41.0, "SB": 30.0}
LIMPS = {"UTG": 0.4, "HJ": 0.8, "CO": 1.2, "BTN": 2.0, "SB": 27.0}


def first_in(ranks: int, agent: str = "blueprint", widen: float = 1.0, limp: float = 1.0) -> dict:
    """A record of first-in play in which the better hands are raised."""
    spots = []
    for seat, name in zip((2, 3, 4, 5, 0), ORDER, strict=True):
        spot = _spot(ranks, RAISES[name] * widen, LIMPS[name] * limp)
        spot.update(seat=seat, name=name)
        if ranks == 13:
            spot["pluribus"] = {"limp": PLURIBUS_LIMP[name], "raise": PLURIBUS_RAISE[name]}
        spots.append(spot)
    result = {
        "agent": agent, "cards": "holdem", "ranks": ranks, "unit": "percent", "first_in": spots,
        "totals": {"vpip": 25.5, "pfr": 18.25, "three_bet": 6.5, "bb_defends": 47.0}, "by_seat": {},
    }  # fmt: skip
    return {**result, "pluribus_totals": PLURIBUS_TOTALS} if ranks == 13 else result


def ranges(ranks: int) -> dict:
    """A record of ranges: first in, and for each later seat facing a raise and a three-bet."""
    lists: dict = {"first_in": [], "facing_raise": [], "facing_three_bet": []}
    seats = [*ORDER, "BB"]
    for i, name in enumerate(ORDER):
        first = _range(ranks, name, None, "f" * i, ["f", "c", "r250", "r350"], RAISES[name])
        lists["first_in"].append(first)
        for k in range(i + 1, 6):
            against = f"{'f' * i}r250{'f' * (k - i - 1)}"
            options = ["f", "c", "r750", "r10000"]
            lists["facing_raise"].append(_range(ranks, seats[k], name, against, options, 20.0))
            back = f"{against}r750{'f' * (5 - k + i)}"
            spot = _range(ranks, name, seats[k], back, ["f", "c", "r10000"], 30.0)
            spot["reach"] = [row[2] for row in first["classes"]]
            lists["facing_three_bet"].append(spot)
    return {"agent": "blueprint", "cards": "holdem", "ranks": ranks, "unit": "percent", **lists}


def _range(
    ranks: int, seat: str, against: str | None, actions: str, options: list, raised: float
) -> dict:
    """A spot whose better hands take the first raise, and the next ones call."""
    spot = _spot(ranks, raised, 10.0)
    kinds = [spot["classes"][kind] for kind in ("fold", "limp", "raise")]
    nothing = [0.0] * (len(options) - 3)
    return {
        "seat": seat, "against": against, "actions": actions, "options": options,
        "total": [spot["fold"], spot["limp"], spot["raise"], *nothing], "trained": 100.0,
        "reach": [100.0] * ranks**2,
        "classes": [[*row, *nothing] for row in zip(*kinds, strict=True)],
    }  # fmt: skip


def _spot(ranks: int, raised: float, limped: float) -> dict:
    row, column = np.divmod(np.arange(ranks * ranks), ranks)
    weakness = (row + column - 3.0 * (row == column) - (row < column)) / (2 * ranks)
    share = np.where(row == column, 6, np.where(row < column, 4, 12)).astype(float)
    share /= share.sum()
    classes = {"raise": _best(weakness, share, raised)}
    classes["limp"] = _best(weakness, share, raised + limped) - classes["raise"]
    classes["fold"] = 100 - classes["raise"] - classes["limp"]
    return {
        **{kind: round(float(share @ values), 3) for kind, values in classes.items()},
        "trained": 100.0,
        "raise_to_chips": [250, 10000],
        "raise_sizes": [raised - 0.5, 0.5],
        "classes": {kind: values.round(3).tolist() for kind, values in classes.items()},
    }


def _best(weakness: np.ndarray, share: np.ndarray, percent: float) -> np.ndarray:
    """The best ``percent`` of hands, with a soft edge, as percent by class."""
    edges = np.linspace(-0.5, 1.5, 400)
    soft = [100 / (1 + np.exp((weakness - edge) * 40)) for edge in edges]
    return min(soft, key=lambda values: abs(share @ values - percent))


PROTOCOL = Protocol(
    "1 against copies, duplicate", "net chips as played", "deal (mean over the seats)", 6, 100,
    "00ff00ff00ff00ff",
)  # fmt: skip


def with_error(mean: float, error: float, n: int = 200_000) -> Sums:
    """Sums of ``n`` samples with this mean and standard error."""
    return Sums(n, n * mean, n * mean**2 + error**2 * n * (n - 1))


def match(a: str, b: str, mean: float, error: float = 12.5) -> dict:
    return Result(a, b, PROTOCOL, (1,), 1_200_000, with_error(mean, error), ()).to_json()


def protocol() -> dict:
    """How the matches were played."""
    return asdict(PROTOCOL)


def experiment(kind: str, mean: float = 84.0, agent: str = "blueprint") -> Experiment:
    """An experiment of 40 deals a chunk, 20 chunks, each participant a stream of its own."""
    others = ("rule", "snapshot-00002", "continuation-raise")
    setup = Setup(kind, agent, others, 6, 100, "00ff" * 4)

    def source(measured: int, first: int, n: int) -> TableHands:
        random = np.random.default_rng((7, measured + 1, first))
        net = random.normal(0.0, 300.0, (n, 6, 6))
        net[..., 0] += mean / 10 * (1 if kind == KINDS[0] else -1)
        net[..., 1:] -= net[..., :1] / 5 + (net[..., 1:].mean(axis=2, keepdims=True))
        others = np.tile(np.arange(5) % 3, (n, 1))
        return TableHands(Played(net, np.zeros_like(net), random.random((n, 6)) < 0.6), others)

    return measure(setup, source, 2400, 20, 1)


def gain(mean: float = 46.5, error: float = 9.5) -> dict:
    shares = {"all": 1.0, "flop": 0.5, "turn": 0.3, "river": 0.2}
    rows = {name: figure(with_error(share * mean, error)) for name, share in shares.items()}
    return {
        "protocol": protocol(), "design": "made up", "deals": 2, "unit": "mbb/game",
        "of": [[1, 0, 400]], "won": {}, "first": 1, "hands": 400, "searches": 800,
        "setting": "fast", "config": {"first": 1}, "gain": rows,
    }  # fmt: skip


def columns(mean: float) -> dict:
    """The part of a match's record that AIVAT adds."""
    names = ("result", "all hands", "chance correction", "action correction", "AIVAT")
    return {
        "columns": {
            name: {"mean": mean + i, "standard_error": 30.0 - i} for i, name in enumerate(names)
        },
        "variance_divided_by": {"hand": 9.5, "deal": None},
    }
