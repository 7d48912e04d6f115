"""Duplicate matches between agents of two runs, each with its own tree and buckets.

The hands are real ones: betting by the rules alone, cards and all. Each agent follows them in the
game of its own run, by pseudo-harmonic translation both ways (:mod:`sixmax.ongoing.translate`): the
others' raises become raises of its tree, and its own become the same share of the real pot.

As in :mod:`sixmax.evaluation.match.duplicate` the cards stay and the seats rotate. The number
that decides an action is a function of (seed, deal, betting so far), and so is that of its
translation: all copies of an agent see one translated hand.
"""

from collections.abc import Callable

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import inlined, parallel, prange, uncounted
from sixmax.base.rng import child, stream, unit
from sixmax.betting import rules
from sixmax.blueprint import identity
from sixmax.blueprint.run import Run
from sixmax.cfr.advance import advance_real
from sixmax.evaluation.match import duplicate
from sixmax.evaluation.match.play import drawn
from sixmax.ongoing.policies import MatchGame, Policy, Side, decide
from sixmax.ongoing.translate import follow
from sixmax.scores.statistics import Result, measure

DESIGN = (
    "1 against copies of an agent of another run, duplicate: cards and draws of a deal fixed, one "
    "hand from each seat; real betting, each agent translates it into its own game"
)
_PARTS = 64  # work items of a chunk, whatever the threads
_DECIDE, _TRANSLATE = np.uint64(1) << np.uint64(62), np.uint64(1) << np.uint64(63)  # no action


def real(run: Run) -> dict:
    """The game that is really played: rules and deck, without bet sizes and buckets."""
    same = run.game.model_dump(mode="json", include={"stacks", "blinds", "antes", "first"})
    cards = {"cards": run.game.cards, "ranks": run.ranks, "board_cards": run.game.board_cards}
    return {**cards, "rounds": len(run.game.rounds), **same}


def refuse_other_games(a: Run, b: Run) -> None:
    """Raise UserError where the two runs are not of one real game of hold'em."""
    if a.buckets is None or b.buckets is None:
        odd = a if a.buckets is None else b
        raise UserError(
            f"{odd.folder}: a run of {odd.game.cards}, wanted one of hold'em; leave out --against"
        )
    of_a, of_b = real(a), real(b)
    for key, value in of_a.items():
        if value != of_b[key]:
            raise UserError(
                f"{b.folder}: found {key} = {of_b[key]}, {a.folder} has {value}; wanted two runs "
                "of one game, whatever their bet sizes and buckets"
            )


def play(
    names: tuple[str, str], runs: tuple[Run, Run],
    agents: tuple[tuple[MatchGame, Policy], tuple[MatchGame, Policy]], deals: int, seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Result:  # fmt: skip
    """Play ``deals`` deals of the first agent against copies of the second, of ``runs``.

    The same whatever the threads. Raises UserError like :func:`refuse_other_games`, and ValueError
    like :func:`sixmax.scores.statistics.measure`. ``progress`` counts deals.
    """
    refuse_other_games(*runs)
    sides = tuple(Side(*agent) for agent in agents)

    def net(first: int, n: int) -> np.ndarray:
        return net_chips(sides, runs, seed, first, n)[..., None]

    seats, big_blind, game = runs[0].game.seats, runs[0].big_blind, identity.digest(real(runs[0]))
    how = duplicate.protocol(seats, big_blind, game, design=DESIGN)
    return measure(names, [how], seed, deals, duplicate.CHUNK, net, progress)[0]


def net_chips(
    sides: tuple[Side, Side], runs: tuple[Run, Run], seed: int, first: int, n: int
) -> np.ndarray:
    """Net chips of the first side in each seat of deals ``first`` …: float64[n, seats]."""
    a, b = (run.dealer.deal(child(seed, "deals"), first, n) for run in runs)
    net, start = np.empty(a.bucket.shape[:2]), np.stack([rules.begin(run.game) for run in runs])
    (game_a, policy_a), (game_b, policy_b) = sides
    dealt = drawn(a, seed, first)._replace(bucket=np.stack([a.bucket, b.bucket]))  # of each run
    _play_kernel(*game_a, policy_a, *game_b, policy_b, start, dealt, net)
    return net


@parallel
def _play_kernel(
    tree_a, layout_a, bits_a, policy_a, tree_b, layout_b, bits_b, policy_b, start, dealt, net
):  # fmt: skip
    n, seats = net.shape
    for part in prange(_PARTS):
        # Parallel loops take no tuples in tuples.
        a = Side(MatchGame(tree_a, layout_a, bits_a), policy_a)
        b = Side(MatchGame(tree_b, layout_b, bits_b), policy_b)
        real, mine = np.empty(rules.LENGTH, np.int64), np.empty((2, rules.LENGTH), np.int64)
        out = np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(dealt.seed, dealt.first + np.uint64(i))
            for hero in range(seats):
                real[:], mine[:] = start[0], start
                both = a, b, dealt.bucket[0, i], dealt.bucket[1, i], mine, hero
                _hand(both, real, dealt.rank[i, 0], draws, out)
                net[i, hero] = out[hero]


@uncounted
def _hand(both, real, rank, draws, out):
    """Play one hand of two sides; the chips of the first one's seat to ``out``."""
    hero = both[-1]
    advance_real(real, hero, _turn, both, (np.int64(0), np.int64(0), draws))
    if real[rules.PHASE] == rules.BETTING:  # nothing after the hero's fold changes its loss
        out[hero] = -np.float64(real[rules.CHIPS + hero])
    else:
        rules.payoffs(
            real[rules.CHIPS : rules.CHIPS + rank.size], rules.contenders(real), rank, out
        )


@inlined
def _turn(both, real, state):
    """The next action, which both follow: ``state`` is the node of each, and the draws."""
    (a, b, bucket_a, bucket_b, mine, hero), (at_a, at_b, draws) = both, state
    seat, in_round = real[rules.ACTOR], real[rules.ROUND]
    u = unit(stream(draws, _DECIDE))
    if seat == hero:
        at_a, _, action = decide(a, at_a, mine[0], real, bucket_a[seat, in_round], u)
    else:
        at_b, _, action = decide(b, at_b, mine[1], real, bucket_b[seat, in_round], u)
    u = unit(stream(draws, _TRANSLATE))
    at_a, _ = follow(a.game.tree, at_a, mine[0], real, action, u)
    at_b, _ = follow(b.game.tree, at_b, mine[1], real, action, u)
    return action, (at_a, at_b, stream(draws, np.uint64(action + 1)))
