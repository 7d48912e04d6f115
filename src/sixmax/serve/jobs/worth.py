"""The worth of each action to every hand at a spot, by roll-outs: for the page, and as text."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.api.decision import EV, half_interval
from sixmax.api.run import open as open_run
from sixmax.api.strategy import Strategy, by_class, place_of
from sixmax.base import options
from sixmax.base.jit import set_threads
from sixmax.base.progress import Bars
from sixmax.cards.deck import classes
from sixmax.search.solvers.problem import Begin
from sixmax.serve.library import Library
from sixmax.session.range_worth import DEALS, PARTS, standard_error

SEED = 1


class WorthQuestion(NamedTuple):
    """The worth of actions at a spot where all play the strategy ``agent``."""

    actions: str
    board: str
    agent: str


class SpotWorth:
    """Answers questions about the spots of ``library``; ``tremble`` is that of a search.

    ``deals`` are those of each of PARTS parts.
    """

    def __init__(self, library: Library, tremble: float, deals: int = DEALS):
        self._library, self._tremble, self._deals = library, tremble, deals

    def __call__(self, question: WorthQuestion, begin: Begin) -> dict[str, Any]:
        """The worth of each action of the strategy there. Raises UserError for a wrong spot."""
        agent = self._library.open(question.agent)
        spot = agent.of.at(question.actions, question.board, agent.name)
        ev = spot.ev(PARTS * self._deals, SEED, begin, self._tremble)
        return {"deals": ev.deals, "ev": as_values(*ev.every, spot.chart, ev.known)}


def as_values(
    mean: np.ndarray, off: np.ndarray | None, strategy: Strategy, known: np.ndarray
) -> dict[str, Any]:
    """The rows ``mean`` float64[rows, holes] as pairs [EV, standard error], in chips.

    ``off`` float64[parts, rows, holes] is how far parts of a sample move them; None: exact. Holes
    that are not ``known`` bool[holes] have none.

    ``range``: of the whole range; ``classes``: of each class, null where it cannot be held;
    ``holes``: of the combos of a class, in the order of the chart's. Combos count by their reach.
    """
    reach = strategy.range
    known, ranks = known & reach.free, reach.ranks
    off = np.zeros((1, *mean.shape)) if off is None else off
    weight, free = strategy.weight * known, known.astype(float)
    mean_class = by_class(mean.T, weight, free, ranks).T
    off_class = by_class(off.reshape(-1, len(free)).T, weight, free, ranks).T
    classes_of = _rows(mean_class, off_class.reshape(*off.shape[:2], -1))
    combos, holes = _rows(mean, off), dict[int, list]()
    for hole in np.flatnonzero(reach.free):
        row = combos[hole] if known[hole] else None
        holes.setdefault(int(classes(ranks)[hole]), []).append(row)
    share = weight[:, None] / max(weight.sum(), 1e-300)
    return {
        "range": _rows(mean @ share, off @ share)[0],
        "classes": [None if row[0][0] != row[0][0] else row for row in classes_of],  # NaN != NaN
        "holes": None if reach.free.all() else holes,
    }


def exact_values(chips: np.ndarray, strategy: Strategy) -> dict[str, Any]:
    """:func:`as_values` of one exact row, ``chips`` float64[holes], NaN for holes without any."""
    known = np.isfinite(chips)
    return as_values(np.where(known, chips, 0.0)[None], None, strategy, known)


def _rows(mean: np.ndarray, off: np.ndarray) -> list:
    """``mean`` float64[rows, n] and its error, from ``off`` float64[parts, rows, n], by n."""
    both = np.stack([mean, standard_error(off)], axis=-1)
    return np.round(both, 2).swapaxes(0, 1).tolist()


def weights_of(strategy: Strategy, less: str, hands: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Rows of a table by name: the weight of each hole in them, float64[holes].

    They are the whole range, the part of it that takes the action ``less`` ("f", "c", "r200"), and
    each of ``hands`` ("AA", "T9s"). The holes of a hand that never comes here count alike, and its
    name says so. Raises UserError for an unknown action or hand.
    """
    taken = strategy.weight * strategy.rows[:, place_of(strategy.actions, less)]
    rows = {"range": strategy.weight, f"{less} of it": taken}
    for hand in hands:
        own = np.zeros(len(taken))
        own[strategy.range.holes(hand)] = 1.0
        comes = (own * strategy.weight).any()
        rows[hand if comes else f"{hand}, never here"] = own * strategy.weight if comes else own
    return rows


def worth_text(ev: EV, big_blind: int, less: str, weights: dict[str, np.ndarray]) -> str:
    """The EV of each action less that of ``less``, in big blinds, for the rows ``weights``.

    Half a 95 % interval stands behind each difference. A row without a hand that any deal leaves
    has none.
    """
    words, mean, off, known = ev.strategy.actions, np.nan_to_num(ev.mean), ev.off, ev.known
    at = words.index(less)
    others = [k for k in range(len(words)) if k != at]
    lines = [["hand", f"{' / '.join(words)}, %", *(f"{words[k]} less {less}" for k in others)]]
    for name, weight in weights.items():
        share = weight * known / max((weight * known).sum(), 1e-300)
        lines.append([name, " / ".join(f"{100 * p:.0f}" for p in share @ ev.strategy.rows)])
        for k in others:
            more = (mean[k] - mean[at]) @ share / big_blind
            half = half_interval((off[:, k] - off[:, at]) @ share) / big_blind
            lines[-1].append(f"{more:+.3f} ± {half:.3f}" if share.any() else "–")
    return _aligned(lines)


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def worth(
    actions: Annotated[str, options.argument()] = "",
    *, folder: options.FoundRun, agent: options.Agent,
    less: Annotated[str, options.Option("The action that the others are compared with.")],
    board: Annotated[str, options.Option("The cards seen, as in 8d4d3s.")] = "",
    hands: Annotated[list[str], options.Option("Hand classes with a row each, as in AA,T9s.")]
    | None = None,
    deals: Annotated[
        int,
        options.Option("Rounded up to a multiple of 64. All hands and actions meet the same ones.",
               least=2),
    ] = 16384,
    seed: options.Seed = 1, threads: options.Threads = 1,
) -> str:  # fmt: skip
    """Roll out the worth of each action at a spot, by hand.

    Prints the worth of each other action less that of the action --less, in big blinds, with half
    a 95 % interval: for the range, for the part of it that takes this action, and for hands.
    ACTIONS are as for `sixmax advise`. The explorer (`sixmax serve`) shows the same for every hand.

    \b
    sixmax worth ffff --less c --hands AA,JJ --run results/default   small blind: raise or limp
    sixmax worth ffr250ffc/c --board 8d4d3s --less c --run results/default
    """
    set_threads(threads)
    spot = open_run(folder).at(actions, board, agent)
    weights = weights_of(spot.chart, less, hands or ())
    with Bars("roll-outs", "deal") as bars:
        ev = spot.ev(deals, seed, bars.begin)
    table = worth_text(ev, spot.walk.run.big_blind, less, weights)
    return f"{agent}: {ev.deals:,} deals; big blinds, ± half a 95 % interval\n{table}"
