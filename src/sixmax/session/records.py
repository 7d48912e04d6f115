"""The hands of a file in the seats and the deck of a run, whatever their stacks."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards
from sixmax.errors import UserError
from sixmax.evaluation.hands import phh
from sixmax.evaluation.hands.record import UNSEEN, Record, from_line, turned, turned_rules
from sixmax.evaluation.hands.replay import SUFFIXES, game_of, lines, log_lines
from sixmax.game.config import GameConfig

_ALIKE = ("seats", "blinds", "antes", "first")  # of the rules


def hands_of(
    run: Run, file: Path, progress: Callable[[int], None] = lambda n: None
) -> Iterator[Record]:
    """The hands of ``file``, an ACPC log or PHH, each as it is read.

    ``progress`` counts characters read. Raises UserError for a hand that is damaged, of other
    blinds or players, or with cards that the deck of ``run`` does not have.
    """
    for record in _read(file, run.game, progress):
        yield in_deck(seated(record, run.game), run.ranks)


def _read(file: Path, game: GameConfig, progress: Callable[[int], None]) -> Iterator[Record]:
    if file.suffix in SUFFIXES:
        with file.open(encoding="utf-8", errors="replace") as stream:
            for number, text in phh.blocks(lines(stream)):
                progress(len(text))
                yield phh.parse(text, f"{file}, line {number:,}")[0]
        return
    rules = game_of(file, game)
    for place, line in log_lines(file, progress):
        if not line.startswith("SCORE:"):
            yield from_line(line, rules, place=place)[0]


def seated(hand: Record, game: GameConfig) -> Record:
    """``hand`` in the seats of ``game``. Raises UserError unless all but the stacks agree."""
    for by in range(game.seats):
        own = turned_rules(hand.rules, by)
        if all(getattr(own, key) == getattr(game, key) for key in _ALIKE):
            return turned(hand, by)
    raise UserError(
        f"hand {hand.number}: {hand.rules.seats} players, blinds {hand.rules.blinds}; wanted hands "
        f"of {game.seats} players with blinds {game.blinds}"
    )


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
