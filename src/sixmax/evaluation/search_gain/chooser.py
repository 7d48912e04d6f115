"""The command ``chooser``: an opponent who answers a search, and then chooses how to go on.

A player who searches as if the opponent went on by one strategy may lose to others (Brown, Sandholm
and Amos 2018, section 3): why leaves have several values. Where a hand of blueprint play enters the
round, each seat in turn searches it, with few values and with all, and plays the first continuation
after it. The other has every hand of its range, responds best in the round, and goes on by the
continuation that is best for its hand. One sample of roll-outs chooses the response, another scores
it; before the flop both are the values kept.

The search with all values is made for this opponent, so that it loses least to it is no finding.
The difference is the price of few values.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.betting.tree import CHOICE, Tree, is_decision, n_actions, seat_of
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.methods import CFR
from sixmax.evaluation.records import CHOOSER, terms
from sixmax.evaluation.search_gain.gain import SAMPLE
from sixmax.evaluation.search_gain.spots import HandsAsked, entering
from sixmax.scores.statistics import Sums, figure, told
from sixmax.search.config import SearchConfig, SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache, Solution
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.limited.solver import LimitedSolver, round_game
from sixmax.store.records import write

DESIGN = "an opponent responds in the round, then by the best continuation for each hand"
SCORE = "chips that the opponent wins, in expectation over private hands"


@options.stage
def chooser(
    folder: options.Run, search: SearchSettings,
    in_round: Annotated[int, Option(
        "The round that is searched, one with which searches end: 0 before the flop, 1 flop, "
        "2 turn.", "--round", least=0, most=2,
    )],
    fewer: Annotated[int, Option(
        "Values at a leaf of the search that stands beside the one with all.", "--values",
        least=1, default=1,
    )],
    hands: Annotated[int, Option("Hands of blueprint play to search in; none in round 0.", least=2)]
    | None,
    deals: Annotated[int, Option(
        "Roll-outs of each of two samples: one chooses the response, one scores it.",
        least=1, default=300_000,
    )],
    seed: options.Seed, threads: options.Threads, out: options.Out,
) -> None:  # fmt: skip
    """Let an opponent choose how to go on after a searched round.

    Its round is a best response, all after it the continuation that is best for each hand. The
    searches with few values and with all meet it in the same hands.

    \b
    sixmax chooser --run results/modicum-200bb --round 1 --hands 100 --seed 1 --out chooser.json

    Before the flop there is one root and no sample: the result has no interval.

    Raises UserError for a round with which no search ends, for more than two players, for a search
    of few values, and in the first search for as many values as there are.
    """
    run, (config, setting) = open_run(folder), search
    _refuse(config, in_round, run.game.seats, hands)
    player = config.player._replace(nested="none")
    config = config.changed(first=in_round, off_tree=None, player=player)
    policy = run.policy(config.blueprint)
    full = Searcher(run, policy, config)
    few = Searcher(run, policy, config.changed(player=player._replace(leaf_values=fewer)))
    won, asked = np.zeros((hands or 1, 2)), HandsAsked(hands or 1, seed)
    with Progress(len(won), f"opponent who chooses in round {in_round}", "hands") as bar:
        for number, _, hand in entering(run, policy, config, SearchCache(full), asked):
            if hand is not None:
                work = int(child(seed, "search", number))
                won[number] = mean_wins(few, full, hand, deals, work)
            bar.add(1)
    won *= 1000 / run.big_blind
    rows = {"few": won[:, 0], "all": won[:, 1], "few less all": won[:, 0] - won[:, 1]}
    figures = {  # of one sample the value alone
        name: figure(Sums.of(row)) if len(row) > 1 else {"mean": float(row[0])}
        for name, row in rows.items()
    }
    for name, row in figures.items():
        say(f"values {name}: {told(row)}")
    record = {
        "protocol": asdict(terms(run, DESIGN, SCORE, SAMPLE)), "round": ROUNDS[in_round],
        "fewer": fewer, "setting": setting, "config": config.model_dump(), "unit": "mbb/game",
        "seed": seed, "deals": deals if in_round else None, "hands": hands,
        "wins": figures, "won": {name: row.tolist() for name, row in rows.items()},
    }  # fmt: skip
    write(out, CHOOSER, record)


def _refuse(config: SearchConfig, in_round: int, seats: int, hands: int | None) -> None:
    if seats != 2:
        raise UserError(f"the run has {seats} seats; wanted one of two players")
    if in_round not in config.player.limited:
        raise UserError(
            f"--round {in_round}: wanted a round with which searches end; player "
            f"{config.player.name} has {list(config.player.limited)}"
        )
    if (in_round == 0) != (hands is None):
        raise UserError(
            f"--round {in_round}, --hands {hands}: wanted hands on flop or turn, and none before "
            "the flop, where all hands begin alike"
        )
    if config.player.leaf_values is not None:
        raise UserError(
            f"player {config.player.name} has {config.player.leaf_values} values at a leaf: wanted "
            "all, as one search has them and the other those of --values"
        )


def mean_wins(
    few: Searcher, full: Searcher, hand: PublicHand, deals: int, seed: int
) -> tuple[float, float]:
    """The chips that the opponent wins from ``few`` and from ``full``, mean of both seats.

    ``hand`` begins the round. Raises UserError where ``few`` has as many values as ``full``.
    """
    won = np.zeros((2, 2))
    for seat in (0, 1):
        position = hand.copy(seat).position()
        problem = full.problem(position, (), seed)
        if few.config.player.leaf_values >= problem.subgame.choices:
            raise UserError(
                f"--values {few.config.player.leaf_values}: found {problem.subgame.choices} "
                "values at a leaf; wanted fewer"
            )
        samples = [
            round_game(problem._replace(seed=int(child(seed, name))), deals)
            for name in ("response", "score")
        ]
        games = [LimitedSolver(game, position.beliefs, CFR) for game in samples]
        for i, search in enumerate((few, full)):
            solved = search(position, (), seed)
            won[seat, i] = response_win(*games, problem.subgame.tree, solved, 1 - seat)
    one, every = won.mean(axis=0)
    return float(one), float(every)


def response_win(
    response: LimitedSolver, score: LimitedSolver, tree: Tree, solved: Solution, me: int
) -> float:
    """The EV in chips of ``me`` against ``solved``, over the hands of both.

    The best response is found in the game ``response`` and scored in ``score``. Both are of the
    round ``tree``, with any number of choices at leaves; ``solved`` may have fewer.
    """
    for x, y in _pairs(tree, solved.tree):
        head, first = int(tree.node[x, 0]), int(response.game.first[x])
        if seat_of(head) != me:
            rows = solved.play(tuple(solved.tree.path(y))).rows
            for each in (response, score):
                each.tables.total[first : first + n_actions(head)] = rows[each.game.hands.hole].T
    value, _ = response.node_values(me, best=True)
    for x in np.flatnonzero((response.game.first >= 0) & (seat_of(tree.node[:, 0]) == me)):
        first, n, below = int(score.game.first[x]), n_actions(int(tree.node[x, 0])), tree.node[x, 1]
        best = value[below : below + n].argmax(axis=0)
        score.tables.total[first : first + n] = best == np.arange(n)[:, None]
    chips, left = score.values(me)
    # Not by BLAS, whose sums depend on the kind of processor.
    prior = score.prior[me]
    return math.fsum(chips * prior) / math.fsum(left * prior)


def _pairs(tree: Tree, other: Tree, x: int = 0, y: int = 0) -> Iterator[tuple[int, int]]:
    """The decisions of ``tree`` below ``x``, choices left out, and the same ones of ``other``."""
    head, first = int(tree.node[x, 0]), int(tree.node[x, 1])
    if not is_decision(head) or tree.action[first] <= CHOICE:
        return
    yield x, y
    for a in range(n_actions(head)):
        yield from _pairs(tree, other, first + a, int(other.node[y, 1]) + a)
