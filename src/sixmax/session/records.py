"""The hands of a file in the seats and the deck of a run, whatever their stacks."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards
from sixmax.hands.record import STAKES, UNSEEN, Record
from sixmax.hands.replay import records


def hands_of(
    run: Run, file: Path, progress: Callable[[int], None] = lambda n: None
) -> Iterator[Record]:
    """The hands of ``file``, an ACPC log or PHH, each as it is read.

    ``progress`` counts characters read. Raises UserError for a hand that is damaged, of other
    blinds or players, or with cards that the deck of ``run`` does not have.
    """
    for record in records(file, run.game, progress, STAKES):
        yield in_deck(record, run.ranks)


def in_deck(hand: Record, ranks: int) -> Record:
    """``hand`` with its cards numbered in a deck of ``ranks`` ranks.

    Raises UserError for a card that this deck does not have.
    """

    def renumbered(cards: np.ndarray) -> np.ndarray:
        flat = cards.ravel().tolist()
        seen = [card for card in flat if card != UNSEEN]
        try:
            known = iter(as_cards(format_cards(seen, hand.ranks), ranks).tolist())
        except UserError as error:
            raise UserError(f"hand {hand.number}: {error}") from None
        every = [UNSEEN if card == UNSEEN else next(known) for card in flat]
        return np.array(every, np.int8).reshape(cards.shape)

    if hand.ranks == ranks:
        return hand
    return hand._replace(ranks=ranks, holes=renumbered(hand.holes), board=renumbered(hand.board))
