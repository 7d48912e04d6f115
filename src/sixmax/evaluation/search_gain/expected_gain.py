"""The gain of search over the blueprint in chips, in expectation over private hands.

In one round, as in Libratus's Table S1: the blueprint plays hands, and where one reaches the round
that subgame is solved, from the beliefs of an observer of blueprint play. Each player in turn plays
the solution in this round, against the others' blueprint, and all play the blueprint after it. The
gain is the difference to playing the blueprint. Both sides share the sample of all that follows the
round, so that its luck cancels where they act alike. A hand that does not reach the round gains
zero, and the mean over hands is the gain in win rate of one player who searches in this round.

In whole hands the gain telescopes over the rounds: the term of a round compares searching in it,
with the blueprint after it, to the blueprint, at the states that a player reaches who has searched
in all rounds before. Only the betting and the board are sampled: the searching player plays its
search, the others the blueprint. The mean over hands is the number that
:mod:`sixmax.evaluation.search_gain.duel` measures, without any assumption.

The reach probabilities are the true ones. The searching player's beliefs differ: it takes the
others to play its search. Where a round goes on beyond the leaves of its subgame (after the second
raise on a flop with three players), it plays the blueprint for the rest of the round.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import in_parts, njit, uncounted
from sixmax.base.rng import child, mix, stream, unit
from sixmax.betting.config import SEEN
from sixmax.betting.rules import BETTING, CHIPS, FOLD, FOLDERS, LENGTH, PHASE, contenders, payoffs
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.advance import advance, advance_real, outcome
from sixmax.evaluation.search_gain.round_tree import RoundTree, round_tree, standing
from sixmax.evaluation.search_gain.spots import ONE_WAY, blueprint_side
from sixmax.ongoing.bayes import after_action, after_cards
from sixmax.ongoing.policies import AllSeats, beside_tree, in_tree
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import pick
from sixmax.search.solvers.deal import SubgameDealer, holes_of
from sixmax.search.subgame import SubgameCards

RIVER = 3


class Measurement(NamedTuple):
    """The blueprint ``policy`` uint8[layout.size] of ``run``, and the work in each hand.

    ``deals`` are scored in each round. A hand goes on in so many ``branches`` into flop, turn and
    river, and their mean counts: later rounds bring most of the luck. Hands are on ``flops``, if
    any: numbers of canonical ones.
    """

    run: Run
    policy: np.ndarray
    deals: int
    branches: Sequence[int] = ONE_WAY
    flops: Sequence[int] = ()


def gains(
    measurement: Measurement, hand: PublicHand, seat: int, seed: int, rounds: int = RIVER + 1,
    truth: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """The chips that ``seat`` gains by searching from ``hand`` on: float64[rounds].

    ``hand`` begins a round and is not changed. At most ``rounds`` rounds are followed; 1 is the
    gain in this round alone. ``truth`` float64[seats, holes] are the hands that all really bring,
    by default those believed.
    """
    if truth is None:
        hand = hand.copy(seat)
        truth = hand.beliefs()
    run, in_round = measurement.run, hand.betting.round
    won = np.zeros(len(ROUNDS))
    work = int(child(seed, "round", in_round))
    around = round_tree(hand, truth, seat)
    won[in_round] = gain_in_round(measurement, around, truth, work)[:, seat].mean()
    if in_round == RIVER or rounds == 1:
        return won
    ways = measurement.branches[in_round]
    dealer = SubgameDealer(truth, hand.board, 1, SubgameCards(run.ranks, run.buckets))
    cards = dealer.cards(child(work, "way"), 0, ways)
    for way in range(ways):
        # The first way has the seeds of a hand that goes on in one.
        own = seed if way == 0 else int(child(seed, "branch", in_round, way))
        draws = int(child(own, "round", in_round))
        twin, dealt = hand.copy(), cards[way : way + 1]
        reach = _play_round(twin, seat, truth, holes_of(dealt, run.game.seats)[0], draws)
        if twin.betting.over or not twin.betting.contenders >> seat & 1:
            continue
        board = dealt[0, 2 * run.game.seats :][: SEEN[twin.betting.round]]
        twin.deal(board[len(twin.board) :])
        reach = after_cards(reach, board, run.ranks)
        won += gains(measurement, twin, seat, own, rounds - 1, reach) / ways
    return won


def _play_round(
    hand: PublicHand, seat: int, truth: np.ndarray, holes: np.ndarray, seed: int
) -> np.ndarray:
    """Play ``hand`` to the end of its round, or to a fold of ``seat``.

    ``holes`` are int[seats]. Returns the reach of every hole after it, float64[seats, holes].
    """
    result = hand.search()
    for number, actor in enumerate(hand.decisions(hand.board)):
        if result is not None:
            result = standing(hand, result, actor == seat)
        searched = actor == seat and result is not None
        play = result.play(tuple(hand.rounds[-1].done)) if searched else hand.blueprint()
        a = pick(play.rows[holes[actor]], unit(child(seed, "act", number)))
        truth = after_action(truth, actor, play.rows[:, a])
        hand.act(play.offered[a])
        if actor == seat and play.offered[a] == FOLD:
            break
    return truth


def gain_in_round(
    measurement: Measurement, around: RoundTree, beliefs: np.ndarray, seed: int
) -> np.ndarray:
    """The gain in chips of each hero of ``around``: float64[deals, seats].

    It is 0 for other seats. ``beliefs`` float64[seats, holes] are those at the root of the round.
    """
    run = measurement.run
    dealer = SubgameDealer(beliefs, around.board, 1, SubgameCards(run.ranks, run.buckets))
    deals = dealer.deal(child(seed, "hands"), 0, measurement.deals)
    out = np.zeros((measurement.deals, run.game.seats))
    side, later = blueprint_side(run, measurement.policy), child(seed, "later")
    in_parts(len(out), _gain_part, *side, around, deals, later, out)
    return out


@njit
def _gain_part(game, policy, paths, deals, seed, out, start, stop):
    seats = out.shape[1]
    nodes, hands = paths.seat.size, np.empty((2, LENGTH), np.int64)
    room = np.empty(nodes, np.int64), np.empty((nodes, 2, seats)), np.empty((2, seats))
    net = np.empty(seats)
    for i in range(start, stop):
        dealt = deals.bucket[i, :, 0], deals.future[i], deals.rank[i]
        _gain_of_deal(
            game, policy, paths, dealt, (room, hands, net), stream(seed, np.uint64(i)), out[i]
        )


@uncounted
def _gain_of_deal(game, policy, paths, dealt, work, draws, out):
    """Walk the round of ``paths``, a RoundTree.

    ``reach[top, k, p]`` is the reach of seat p by blueprint and search.
    """
    (holes, bucket, rank), ((todo, reach, here), hands, net) = dealt, work
    table, seats = AllSeats(game, policy, bucket, hands[1], -1), holes.size
    for p in range(seats):
        reach[0, 0, p] = reach[0, 1, p] = 1.0
    todo[0], top = 0, 1
    while top > 0:
        top -= 1
        x = todo[top]
        for p in range(seats):
            here[0, p], here[1, p] = reach[top, 0, p], reach[top, 1, p]
        i = paths.number[x]
        if i < 0:
            end = paths.first[x]
            for p in range(seats):
                if not paths.heroes >> p & 1:
                    continue
                others = 1.0
                for q in range(seats):
                    if q != p:
                        others *= here[0, q]
                weight = others * (here[1, p] - here[0, p])
                if weight != 0.0:
                    out[p] += weight * _chips(table, paths, end, p, rank, draws, hands[0], net)
            continue
        seat = paths.seat[x]
        for a in range(paths.count[x]):
            b, s = paths.blueprint[i, holes[seat], a], paths.search[i, holes[seat], a]
            if b == 0.0 and s == 0.0:
                continue
            todo[top] = paths.first[x] + a
            for p in range(seats):
                reach[top, 0, p], reach[top, 1, p] = here[0, p], here[1, p]
            reach[top, 0, seat] *= b
            reach[top, 1, seat] *= s
            top += 1


@uncounted
def _chips(table, paths, end, me, rank, draws, real, net):
    """Net chips of ``me`` when all play the blueprint on from an end, in the tree or beside it."""
    x, tree, mine = paths.place[end], table.game.tree, table.mine
    if paths.real[end, FOLDERS] >> me & 1:
        return -np.float64(paths.real[end, CHIPS + me])
    draws = draws ^ mix(np.uint64(x))
    same = True
    for k in range(LENGTH):
        real[k], mine[k] = paths.real[end, k], paths.mine[end, k]
        same = same and real[k] == mine[k]
    if same:  # the hand has not left the tree, and so never leaves it
        x, _ = advance(tree.node, x, me, in_tree, table, draws)
        return outcome(tree.node, tree.contributed, rank, x, me, net)
    advance_real(real, me, beside_tree, table, (x, draws))
    if real[PHASE] == BETTING:
        return -np.float64(real[CHIPS + me])
    payoffs(real[CHIPS : CHIPS + net.size], contenders(real), rank[0], net)
    return net[me]
