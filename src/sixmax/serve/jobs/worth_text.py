"""The worth of the actions at a spot as text: differences to one of them, in pairs."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from sixmax.api.run import open as open_run
from sixmax.api.strategy import Strategy
from sixmax.base import options
from sixmax.base.errors import UserError, did_you_mean
from sixmax.base.jit import set_threads
from sixmax.base.options import Option, argument
from sixmax.base.progress import Bars
from sixmax.cards.deck import class_names, classes
from sixmax.scores.distributions import stdtrit
from sixmax.scores.statistics import LEVEL
from sixmax.session.range_worth import PARTS, RangeWorth, standard_error


def weights_of(strategy: Strategy, less: str, hands: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Rows of a table by name: the weight of each hole in them, float64[holes].

    They are the whole range, the part of it that takes the action ``less`` ("f", "c", "r200"), and
    each hand class of ``hands`` ("AA", "T9s"). The holes of a class that never comes here count
    alike, and its name says so. Raises UserError for an action or a hand that is not there.
    """
    taken = strategy.weight * strategy.rows[:, _number(less, list(strategy.actions), "action")]
    rows = {"range": strategy.weight, f"{less} of it": taken}
    names, every = list(class_names(strategy.ranks)), classes(strategy.ranks)
    for hand in hands:
        own = every == _number(hand, names, "hand")
        if (own * strategy.weight).any():
            rows[hand] = own * strategy.weight
        else:
            rows[f"{hand}, never here"] = own * 1.0
    return rows


def worth_text(
    strategy: Strategy, big_blind: int, worth: RangeWorth, less: str, weights: dict[str, np.ndarray]
) -> str:
    """The worth of each action less that of ``less``, in big blinds, for the rows ``weights``.

    Half a 95 % interval stands behind each difference: Student's t by the parts of ``worth``. A row
    without a hand that any deal leaves has none.
    """
    words = list(strategy.actions)
    at = words.index(less)
    others = [k for k in range(len(words)) if k != at]
    mean, off = np.nan_to_num(worth.mean), worth.off
    known, errors = worth.deals.sum(axis=0) > 0, stdtrit(len(off) - 1, (1 + LEVEL) / 2)
    lines = [["hand", f"{' / '.join(words)}, %", *(f"{words[k]} less {less}" for k in others)]]
    for name, weight in weights.items():
        share = weight * known / max((weight * known).sum(), 1e-300)
        lines.append([name, " / ".join(f"{100 * p:.0f}" for p in share @ strategy.rows)])
        for k in others:
            more = (mean[k] - mean[at]) @ share / big_blind
            half = errors * standard_error((off[:, k] - off[:, at]) @ share) / big_blind
            lines[-1].append(f"{more:+.3f} ± {half:.3f}" if share.any() else "–")
    return _aligned(lines)


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def _number(word: str, known: list[str], noun: str) -> int:
    if word in known:
        return known.index(word)
    wanted = f"one of {', '.join(known)}" if noun == "action" else "a class such as AA, T9s or 72o"
    hint = did_you_mean(word, known)
    raise UserError(f"{noun}: found {word!r}, wanted {wanted}{f'; {hint}' if hint else ''}")


def worth(
    actions: Annotated[str, argument()] = "",
    *, folder: options.FoundRun, agent: options.Agent,
    less: Annotated[str, Option("The action that the others are compared with.")],
    board: Annotated[str, Option("The cards seen, as in 8d4d3s.")] = "",
    hands: Annotated[list[str], Option("Hand classes with a row each, as in AA,T9s.")]
    | None = None,
    deals: Annotated[
        int,
        Option(
            "Rounded up to a multiple of 64. All hands and actions meet the same ones.", least=2
        ),
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
    spot, of_part = open_run(folder).at(actions, board, agent), -(-deals // PARTS)
    weights = weights_of(spot.chart, less, hands or ())
    with Bars("roll-outs", "deal") as bars:
        result = spot.roll_out(of_part, seed, bars.begin)
    table = worth_text(spot.chart, spot.walk.run.big_blind, result, less, weights)
    return f"{agent}: {PARTS * of_part:,} deals; big blinds, ± half a 95 % interval\n{table}"
