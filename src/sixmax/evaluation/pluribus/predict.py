"""A player of a run in Pluribus's place: its probability of each kind of action.

The player follows the real hand action by action, so that raises are translated as at the table
(:mod:`sixmax.ongoing.translate`). It is asked with Pluribus's cards, before it sees Pluribus's
action.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.rng import child
from sixmax.betting.notation import form
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id, parse_cards
from sixmax.evaluation.pluribus.decisions import KINDS, PlayedDecision
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchFunction


class Predicted(NamedTuple):
    """Probabilities of fold, check or call, and raise (of any size), by decision.

    kinds: float64[decisions, 3]   probabilities; a row sums to 1
    offered: bool[decisions, 3]    whether the player has such an action there at all
    """

    kinds: np.ndarray
    offered: np.ndarray

    def at(self, index: np.ndarray | list[int]) -> "Predicted":
        """The same of some decisions alone: ``index`` int[n], or bool[decisions]."""
        return Predicted(self.kinds[index], self.offered[index])


def predicted(
    run: Run,
    policy: np.ndarray,
    decisions: list[PlayedDecision],
    config: SearchConfig,
    searcher: SearchFunction,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Predicted:
    """The prediction of the run's player at each decision; ``progress`` counts hands.

    ``policy`` is uint8[layout.size]; ``decisions`` are in the order of play, hand by hand. Random
    numbers, as of translation, depend on the seed and the hand alone.
    """
    prediction = Predicted(
        np.zeros((len(decisions), len(KINDS))), np.zeros((len(decisions), len(KINDS)), bool)
    )
    hand, record = None, None
    for i, decision in enumerate(decisions):
        if decision.record is not record:
            record, done = decision.record, 0
            hand = PublicHand(
                run, policy, config, searcher, int(child(seed, "pluribus", form(record)))
            )
            actions = [a for part in record.actions for a in part]
            turns = hand.decisions(parse_cards("".join(record.boards)))
            progress(1)
        for action in actions[done : decision.at]:
            next(turns)
            hand.act(action)
        next(turns)
        done = decision.at
        play = hand.play()
        kind = np.minimum(np.array(play.offered), 1) + 1
        hole = hole_id(*parse_cards(record.holes[decision.seat]))
        np.add.at(prediction.kinds[i], kind, play.played[hole])
        prediction.offered[i, kind] = True
    return prediction


def no_search(*_: Any) -> Any:
    """The searcher of a player who never searches. Raises AssertionError."""
    raise AssertionError("this player never searches")
