"""AIVAT for any number of players: the same win rate from far fewer hands, unbiased.

Burch, Schmid, Moravcik, Morrill and Bowling (AAAI 2018); for more than two players: supplement,
"Variance reduction via AIVAT". The hero's result is replaced by its mean over all private cards
that he could have held (*all hands*). Corrections take the luck of cards and of known policies off
it, by values that were frozen before the match (:mod:`.values`). Each hero is estimated by itself.
"""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.abstraction.features_kernels import Deck
from sixmax.agents.registry import open_agents
from sixmax.base import options
from sixmax.base.jit import in_parts
from sixmax.base.progress import Done, Progress, quiet, say
from sixmax.base.rng import child
from sixmax.betting.tree import n_actions
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import hole_cards
from sixmax.cfr.deals import Dealer, TableDealer
from sixmax.evaluation.aivat.corrections import COLUMNS, ScoredHands
from sixmax.evaluation.aivat.holdem import HoldemHands, score_holdem
from sixmax.evaluation.aivat.observer import MAX_ACTIONS, MatchConstants, longest
from sixmax.evaluation.aivat.small_games import listed, score_listed
from sixmax.evaluation.aivat.values import Values, load, root_means
from sixmax.evaluation.match.duplicate import DESIGN, SAMPLE, dealt_cards, net_and_ends
from sixmax.evaluation.match.pairings import Pairing
from sixmax.evaluation.records import terms
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.scores.job_parts import RowForm
from sixmax.scores.statistics import Protocol, Result, ResultForm, figure, measure
from sixmax.store.records import Form, RecordKind, write

DRAWS = 40  # flops, and run-outs, drawn for an expectation over them
CHUNK = 1024  # deals between two reports of progress


class _ColumnForm(Form):
    mean: float
    standard_error: float


class _ScoredForm(ResultForm, RowForm):
    columns: dict[str, _ColumnForm]
    variance_divided_by: dict[str, float | None]


SCORED = RecordKind("a match scored by AIVAT", "sixmax aivat", _ScoredForm)


class ScoredGame(NamedTuple):
    """Two agents in a game, scored by ``values``.

    Without ``known`` the second agent's policy is not used, as if it were a stranger's.
    """

    agents: tuple[Policy, Policy]
    game: MatchGame
    dealer: Dealer
    values: Values
    known: bool = True
    draws: int = DRAWS


def columns(
    scored: ScoredGame, seed: int, first: int, n: int, copies: bool = False,
    ends: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Chips of the first agent in each seat of deals ``first`` …: float64[n, seats, 5].

    The hands are those of :func:`sixmax.evaluation.match.duplicate.net_chips`, and so is the first
    column. The last of COLUMNS is the sum of the second and both corrections. With ``copies`` the
    first agent is a stranger: each copy of the second is scored separately, all copies known, and
    the stranger wins their losses. ``ends`` int64[n, seats] are the terminals of hands in which
    other agents, none ``known``, had seats beside that of the column. ``copies`` need them, because
    the others play on after the stranger's fold. Raises ValueError for ``copies`` without ``ends``,
    and for nodes of more than MAX_ACTIONS actions.
    """
    agents, game, dealer, values, known, draws = scored
    tree = game.tree
    seats = tree.columns.shape[1]
    if (most := int(n_actions(tree.node[:, 0]).max())) > MAX_ACTIONS:
        raise ValueError(f"{most} actions at a node, at most {MAX_ACTIONS} can be corrected")
    if copies and ends is None:
        raise ValueError("copies without ends; give the ends of hands whose folds are played on")
    if ends is None:
        ends = net_and_ends(agents, game, dealer, seed, first, n)[1]
    out, mean = np.zeros((n, seats, len(COLUMNS))), root_means(values, dealer, seats)
    match = MatchConstants(game, values, *agents, np.full(seats, known), mean)
    played = ScoredHands(longest(tree.parent), copies, ends, out)
    if isinstance(dealer, TableDealer):
        deals, number = listed(dealer.deals)
        at = number[dealer.rows(child(seed, "deals"), first, n)]
        in_parts(n, score_listed, match, played, deals, at)
    else:
        cards = dealt_cards(dealer, seed, first, n, seats)
        hands = HoldemHands(
            cards, np.uint64(first), dealer.tables, Deck(dealer.ranks, hole_cards(dealer.ranks)),
            draws, child(seed, "boards"),
        )  # fmt: skip
        in_parts(n, score_holdem, match, played, hands)
    return out


def play(
    names: tuple[str, str], scored: ScoredGame, protocol: Protocol, deals: int, seed: int,
    progress: Done = quiet,
) -> list[Result]:  # fmt: skip
    """A duplicate match, by every column of :func:`columns`; ``protocol`` is that of the last.

    The result does not depend on the number of threads. ``progress`` counts deals. Raises
    ValueError like :func:`sixmax.scores.statistics.measure`.
    """

    protocols, net = [of_column(protocol, name) for name in COLUMNS], partial(columns, scored, seed)
    return measure(names, protocols, seed, deals, CHUNK, net, progress)


def protocol(run: Run, digest: str, known: bool = True) -> Protocol:
    """The protocol of :func:`play` on ``run``; ``digest`` is that of the values."""
    whose = "the policies of all agents" if known else "the policy of the first agent alone"
    return terms(run, DESIGN, payoff(digest, whose), SAMPLE)


def of_column(protocol: Protocol, name: str) -> Protocol:
    """The protocol of the column ``name``, where that of the last is ``protocol``."""
    last = name == COLUMNS[-1]
    return protocol if last else replace(protocol, payoff=f"{name} of {protocol.payoff}")


def payoff(digest: str, whose: str) -> str:
    """The payoff of AIVAT with the values ``digest``; ``whose`` policies corrected actions."""
    return f"AIVAT with the values {digest} and {whose}, {DRAWS} boards drawn"


@options.stage
def aivat(
    folder: options.Run, pairing: Pairing,
    store: Annotated[Path, options.Option("The store of `sixmax values`.", "--values")],
    deals: options.Deals, seed: options.Seed, threads: options.Threads, out: options.Out,
    known: Annotated[
        bool, options.Option("Whether AIVAT may use the policy of B.", "--known/--stranger")
    ] = True,
) -> None:  # fmt: skip
    """Play a duplicate match and remove its luck by AIVAT.

    A plays against copies of B, every deal once with A in each seat. The deals differ from those of
    `sixmax match` and of `sixmax values`.

    \b
    sixmax aivat blueprint snapshot-00004 --run results/default --values values.zarr \\
        --deals 1000 --seed 1 --out aivat.json
    """
    run = open_run(folder)
    values, digest = load(run, store)
    game, agents = open_agents(run, list(pairing))
    scored = ScoredGame(tuple(agents), game, run.dealer, values, known)
    shared, started = protocol(run, digest, known), time.perf_counter()
    with Progress(deals, f"{pairing.a} vs {pairing.b}, AIVAT", "deals") as bar:
        results = play(tuple(pairing), scored, shared, deals, child(seed, "aivat"), bar.add)
    spent = time.perf_counter() - started
    record = report(results)
    say(
        f"{pairing.a} vs {pairing.b}: {record['mean']:+.1f} mbb/game, standard error "
        f"{record['standard_error']:.1f}; variance of a hand divided by "
        f"{record['variance_divided_by']['hand']:.1f}; "
        f"{results[-1].hands / spent:,.0f} hands a second"
    )
    write(out, SCORED, record)


def report(results: list[Result]) -> dict[str, Any]:
    """The result by AIVAT, with all columns and the factors by which the variance fell."""
    plain, best = results[0], results[-1]
    hand = [sum(seat.standard_error**2 for seat in result.seat) for result in (plain, best)]
    deal = [result.deals.standard_error**2 for result in (plain, best)]
    kept = ("mean", "standard_error", "interval")
    figures = [{key: figure(result.deals)[key] for key in kept} for result in results]
    return {
        **best.to_json(),
        "columns": dict(zip(COLUMNS, figures, strict=True)),
        "variance_divided_by": {"hand": _ratio(*hand), "deal": _ratio(*deal)},
    }


def _ratio(a: float, b: float) -> float | None:
    return a / b if b > 0 and a < float("inf") else None
