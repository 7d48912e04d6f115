"""The gain of search in every round: whole hands, in expectation over private hands.

The gain telescopes over the rounds. The term of round r compares searching in round r, with the
blueprint after it, to the blueprint from round r on, at the states that a player reaches who has
searched in all rounds before r. Each term is an expectation over the hands that everybody may hold
there (:mod:`sixmax.evaluation.search_gain.one_round`). Only the betting and the board are sampled,
by playing a hand: the searching player by its search, the others by the blueprint. The mean over
hands is the win rate of one searching player among copies of the blueprint, the same number as that
of :mod:`sixmax.evaluation.search_gain.duel`, without any assumption.

The reach probabilities tracked here are the true ones, and differ from the beliefs of the searching
player, who takes the others to play its average strategy and plays the last iterate itself. Where a
round goes on beyond the leaves of its subgame (after the second raise on a flop with three
players), the searching player plays the blueprint for the rest of the round.
"""

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.evaluation.search_gain.one_round import gain
from sixmax.evaluation.search_gain.round_tree import STRATEGIES, by_action, round_tree, standing
from sixmax.game.config import ROUNDS, SEEN
from sixmax.game.rules import FOLD
from sixmax.rng import child, unit
from sixmax.search.agent import pick
from sixmax.search.bayes import after_action, after_cards
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchResult
from sixmax.search.solvers.deal import SubgameDealer, holes_of

RIVER = 3


def gains(
    run: Run,
    policy: np.ndarray,
    hand: PublicHand,
    seat: int,
    deals: int,
    seed: int,
    rounds: int = RIVER + 1,
) -> np.ndarray:
    """The chips that ``seat`` gains by searching from ``hand`` on: float64[STRATEGIES, rounds].

    ``policy`` uint8[layout.size] is the blueprint's. The first of the strategies is played in all
    rounds before; the others share its hands. ``hand`` begins a round and is not changed; ``deals``
    are scored in each round. At most ``rounds`` rounds are followed; 1 is the gain of searching in
    this round alone.
    """
    hand, won = hand.copy(seat), np.zeros((len(STRATEGIES), len(ROUNDS)))
    truth = hand.beliefs()
    for step in range(rounds):
        in_round, board = hand.betting.round, hand.board
        work = int(child(seed, "round", in_round))
        around = round_tree(hand, truth, seat)
        for k, strategy in enumerate(STRATEGIES):
            chips = gain(run, policy, around, truth, deals, work, strategy)
            won[k, in_round] = chips[:, seat].mean()
        if in_round == RIVER or step == rounds - 1:
            break
        dealer = SubgameDealer(truth, board, 1, run.buckets, run.ranks)
        cards = dealer.cards(child(work, "way"), 0, 1)
        truth = _play_round(hand, seat, truth, cards, work)
        if hand.betting.over or not hand.betting.contenders >> seat & 1:
            break
        board = cards[0, 2 * run.game.seats :][: SEEN[hand.betting.round]]
        hand.deal(board[len(hand.board) :])
        truth = after_cards(truth, board, run.ranks)
    return won


def _play_round(
    hand: PublicHand, seat: int, truth: np.ndarray, cards: np.ndarray, seed: int
) -> np.ndarray:
    """Play ``hand`` with the holes of ``cards`` to the end of its round or a fold of ``seat``.

    Returns the reach of every hole after it, float64[seats, holes].
    """
    holes, draws = holes_of(cards, hand.game.seats)[0], 0
    result: SearchResult | None = hand.search()
    while not (hand.betting.over or hand.needs_cards):
        actor = hand.betting.actor
        if result is not None:
            result = standing(hand, result, actor == seat)
        searched = actor == seat and result is not None
        play = result.play(tuple(hand.rounds[-1].done)) if searched else hand.blueprint()
        offered, rows = by_action(play)
        a = pick(rows[holes[actor]], unit(child(seed, "act", draws)))
        draws += 1
        truth = after_action(truth, actor, rows[:, a])
        hand.act(offered[a])
        if actor == seat and offered[a] == FOLD:
            break
    return truth
