"""The address of a spot, as the page's own address holds it: betting, board, strategies."""

from collections.abc import Mapping
from typing import NamedTuple

from sixmax.api.spots.walk import Walk
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN
from sixmax.cards.deck import parse_cards
from sixmax.search.advice import follow, position

LONGEST = 400  # characters of a field; a hand of ten players has fewer


class Address(NamedTuple):
    """A spot: ``actions`` in ACPC notation, ``board``, the strategy shown, and one beside it."""

    actions: str = ""
    board: str = ""
    agent: str = "blueprint"
    beside: str = ""

    @classmethod
    def of(cls, fields: Mapping[str, object]) -> "Address":
        """The address from the fields of a query or of JSON; an empty one is its default.

        Raises UserError for a field that is unknown, too long, or no text.
        """
        for name, value in fields.items():
            if name not in cls._fields:
                raise UserError(f"field {name[:40]!r}: wanted one of {', '.join(cls._fields)}")
            if not isinstance(value, str):
                raise UserError(f"{name}: found {type(value).__name__}, wanted text")
            if len(value) > LONGEST:
                raise UserError(f"{name}: found {len(value)} characters, wanted {LONGEST} at most")
        return cls(**{name: value for name, value in fields.items() if value})

    def fields(self) -> dict[str, str]:
        """The inverse of :meth:`of`, without defaults."""
        return {n: v for n, v in self._asdict().items() if v != self._field_defaults[n]}

    @property
    def undealt(self) -> bool:
        """Whether the board of the last round is yet to be dealt. Raises UserError for no cards."""
        rounds = self.actions.count("/") + 1
        return 1 < rounds <= len(SEEN) and len(parse_cards(self.board)) == SEEN[rounds - 2]

    def walk(self, walk: Walk) -> Walk:
        """Go with ``walk`` to the spot. Raises UserError, as ``sixmax advise`` does."""
        actions = self.actions
        if actions.endswith("/") and self.undealt:
            actions = actions[:-1]
        played, dealt = position(actions, self.board)
        if len(played) > len(walk.run.game.rounds):
            raise UserError(
                f"actions: found {len(played)} rounds, wanted {len(walk.run.game.rounds)} at most"
            )
        follow(walk, played, dealt)
        if actions != self.actions and (walk.betting.over or not walk.needs_cards):
            follow_on = "the hand is over" if walk.betting.over else "the round is not over"
            raise UserError(f"actions {self.actions!r}: {follow_on}; leave out the last slash")
        return walk
