"""Hands, opinions and results as plain JSON values, in the words of the other pages."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from sixmax.betting.config import GameConfig
from sixmax.betting.rules import HIGH
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS
from sixmax.scores.statistics import Sums, interval
from sixmax.serve.spot import cards, option_of, table_of
from sixmax.session.luck import SessionScore
from sixmax.session.opinion import Opinion
from sixmax.session.review import estimate
from sixmax.session.session import Session

Done = Sequence[Sequence[tuple[int, int]]]  # by round: seat and action


def table(
    seated: dict[str, Any], names: Sequence[str], mine: int, holes: Sequence[str],
    won: Sequence[float],
) -> dict[str, Any]:  # fmt: skip
    """A table of :func:`table_of` with its players.

    ``holes`` are the cards to show, or "", ``won`` the chips at the end, before it none.
    """
    for seat, values in enumerate(seated["seats"]):
        values |= {
            "agent": names[seat], "bet": 0 if won else values["bet"], "mine": seat == mine,
            "cards": two(holes[seat]), "won": won[seat] if won else None,
        }  # fmt: skip
    return {**seated, "result": ""}


def two(text: str) -> list[str]:
    """Cards such as AhKd one by one."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def hand(session: Session, run: Run) -> dict[str, Any]:
    """A hand as the person may see it."""
    state, betting = session.state(), session.hand.betting
    own = [state.hole if seat == state.seat else "" for seat in range(len(state.names))]
    base = state.before[state.seat]
    seated = table_of(run, betting, session.hand.before, two(state.board))
    return {
        "number": state.number, "hands": session.hands, "helped": session.helped,
        "table": table(seated, state.names, state.seat, state.shown or own, state.won),
        "events": events(session.game, state.actions),
        "over": state.over, "mine": state.mine, "thinking": state.thinking,
        "legal": list(state.legal), "to_call": state.to_call,
        "raise": [chips - base for chips in state.raises or ()],
        "sizes": {word: chips - base for word, chips in state.sizes.items()},
    }  # fmt: skip


def events(game: GameConfig, done: Done) -> list[dict[str, Any]]:
    """Every action of a hand so far, with its seat and round."""
    return [
        {
            "round": ROUNDS[in_round], "seat": betting.names[betting.actor],
            **option_of(betting, action, base),
        }
        for in_round, betting, base, action in steps(game, done)
        if action is not None
    ]  # fmt: skip


def steps(game: GameConfig, done: Done) -> Iterator[tuple[int, Betting, int, int | None]]:
    """Round, betting, chips that each had put in before the round, and action, at each decision.

    The last is what comes after all, without an action. The betting goes on with the next step.
    """
    betting, base = Betting(game), max(game.antes)
    for in_round, part in enumerate(done):
        if in_round:
            base = int(betting.hand[HIGH])
        for _, action in part:
            yield in_round, betting, base, action
            betting.act(action)
    yield len(done) - 1, betting, base, None


def decision(game: GameConfig, done: Done, opinion: Opinion, ranks: int) -> dict[str, Any]:
    """An opinion about one decision of a hand that went by ``done``."""
    _, betting, base, _ = next(itertools.islice(steps(game, done), opinion.at, None))
    taken = None if opinion.action is None else opinion.offered.index(opinion.action)
    worth = opinion.worth and [mean(opinion.worth.of(action)) for action in opinion.offered]
    return {
        "at": opinion.at, "round": ROUNDS[opinion.in_round],
        "board": cards(opinion.board, ranks), "cards": cards(opinion.hole, ranks),
        "pot": opinion.pot, "to_call": opinion.to_call,
        "options": [option_of(betting, action, base) for action in opinion.offered],
        "row": [round(float(share), 4) for share in opinion.chance],
        "taken": taken, "worth": worth,
        "cost": None if opinion.cost is None else mean(opinion.cost),
    }  # fmt: skip


def mean(sums: Sums) -> dict[str, float]:
    """A mean in chips, and half of its 95 % interval."""
    low, high = interval(sums)
    return {"mean": round(sums.mean, 2), "margin": round((high - low) / 2, 2)}


def score(result: SessionScore, helped: int, big_blind: int, why: str) -> dict[str, Any]:
    """A result in mbb a hand; ``why`` there is none without luck, where that is so."""
    return {
        "hands": result.won.n, "chips": round(result.won.total * big_blind / 1000, 2),
        "won": estimate(result.won), "adjusted": estimate(result.adjusted),
        "late": result.late, "helped": helped, "why": why,
    }  # fmt: skip
