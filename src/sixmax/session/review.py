"""A file of hands reviewed: an agent's opinion on each decision of every known hand."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.agents.open_players import check_run
from sixmax.base.errors import UserError, one_of
from sixmax.base.progress import Done, quiet
from sixmax.base.rng import child
from sixmax.betting.state import spell
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS, as_cards, format_cards
from sixmax.hands.record import STAKES, UNSEEN, Record
from sixmax.hands.replay import records
from sixmax.scores.statistics import Sums, interval
from sixmax.session.opinion import Adviser, Opinion

SHOWN = 20  # names in an error message


class Reviewed(NamedTuple):
    """The decisions of one seat in one hand."""

    record: Record
    seat: int
    opinions: list[Opinion]

    @property
    def cost(self) -> float | None:
        """Chips that all its decisions cost; None where one of them is unknown."""
        costs = [opinion.cost for opinion in self.opinions]
        return None if None in costs else float(sum(cost.mean for cost in costs))


def review(
    run: Run, file: Path, adviser: Adviser, player: str | None = None, seed: int = 1,
    progress: Done = quiet,
) -> Iterator[Reviewed]:  # fmt: skip
    """Review the hands of ``file``, hand by hand, as :func:`hands_of` reads them.

    ``player`` alone, or everybody whose cards are known. Raises UserError where ``player`` has no
    hand with known cards, too.
    """
    check_run(run)
    names: dict[str, bool] = {}  # whether their cards were ever known
    for record in hands_of(run, file, progress):
        for seat, name in enumerate(record.names):
            known = UNSEEN not in record.holes[seat]
            names[name] = names.get(name, False) or known
            if known and player in (None, name):
                seeded = int(child(seed, "review", record.number))
                opinions = list(adviser.of_record(record, seat, seeded))
                if opinions:
                    yield Reviewed(record, seat, opinions)
    if player is not None and not names.get(player):
        if player in names:
            raise UserError(f"{file}: the cards of {player} are never shown; name another player")
        there = one_of(player, list(names)[:SHOWN])
        raise UserError(f"{file}: no player {player!r}; {there}")


def as_values(run: Run, reviewed: list[Reviewed]) -> dict[str, Any]:
    """All decisions of ``reviewed`` as plain JSON values, in chips.

    Intervals are of 95 %. Actions are spelt as in ACPC notation: f, c, and r with the chips of
    the whole hand.
    """
    seats = run.game.positions
    total = summary(reviewed, run.big_blind)
    return {
        "run": run.folder.name, "big_blind": run.big_blind,
        "hands": [
            {
                "number": each.record.number, "player": each.record.names[each.seat],
                "position": seats[each.seat],
                "cards": format_cards(each.record.holes[each.seat], run.ranks),
                "won": float(each.record.payoffs[each.seat]),
                "decisions": [_decision(opinion, run.ranks) for opinion in each.opinions],
            }
            for each in reviewed
        ],
        "summary": {
            "hands": total.hands, "decisions": total.decisions, "share": total.share,
            "cost_mbb": estimate(total.cost),
        },
    }  # fmt: skip


def _decision(opinion: Opinion, ranks: int) -> dict[str, Any]:
    return {
        "round": ROUNDS[opinion.in_round], "board": format_cards(opinion.board, ranks),
        "pot": opinion.pot, "to_call": opinion.to_call,
        "actions": [
            {
                "action": spell(action), "share": float(share),
                "worth": estimate(opinion.worth and opinion.worth.of(action)),
            }
            for action, share in zip(opinion.offered, opinion.chance, strict=True)
        ],
        "done": spell(opinion.action), "cost": estimate(opinion.cost),
    }  # fmt: skip


def estimate(sums: Sums | None) -> dict[str, float | None] | None:
    """A mean and its 95 % interval, whose ends are None for one sample; None without any."""
    if sums is None or not sums.n:
        return None
    ends = (end if math.isfinite(end) else None for end in interval(sums))
    return {"mean": sums.mean, **dict(zip(("low", "high"), ends, strict=True))}


class Summary(NamedTuple):
    """All decisions of a review together."""

    hands: int  # of seats that decided
    decisions: int
    share: float  # how often the agent does the same, mean over decisions
    cost: Sums | None  # mbb a hand that decisions cost, a sample is a hand; None if unknown


def summary(reviewed: list[Reviewed], big_blind: int) -> Summary:
    """The decisions of ``reviewed`` together."""
    shares = [opinion.share for each in reviewed for opinion in each.opinions]
    costs = [each.cost for each in reviewed]
    sums = None if None in costs else Sums.of(np.array(costs) * 1000 / big_blind)
    return Summary(len(reviewed), len(shares), float(np.mean(shares)) if shares else 0.0, sums)


def hands_of(run: Run, file: Path, progress: Done = quiet) -> Iterator[Record]:
    """The hands of ``file``, an ACPC log or PHH, in the deck of ``run``, whatever their stacks.

    ``progress`` counts characters read. Raises UserError for a hand that is damaged, of other
    blinds or players, or with cards that this deck does not have.
    """
    for record in records(file, run.game, progress, STAKES):
        yield _in_deck(record, run.ranks)


def _in_deck(hand: Record, ranks: int) -> Record:
    """``hand`` with its cards numbered in a deck of ``ranks`` ranks."""

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
