"""Advice at a position: the strategy of the hand held, and of the whole range."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.base.options import Option, argument
from sixmax.base.progress import Bars
from sixmax.base.rng import child
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.notation import BOARD_CARDS, in_acpc_notation, parse
from sixmax.betting.state import spell
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import ROUNDS, as_cards, class_names, classes, format_cards, hole_id
from sixmax.ongoing.hand import Play
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import Begin, quiet

_ACTIONS = re.compile(r"(?:[fc/]|r[1-9]\d*)*")
LINES = 12  # hand classes to print, the likeliest first
Actions = tuple[tuple[int, ...], ...]  # by round


def position(actions: str, board: str) -> tuple[Actions, list[str]]:
    """Actions by round, and the cards that each later round deals. Raises UserError.

    ``actions`` is like ``r250fc/cr400``; ``board`` like ``8d4d3s/Qh``, the slashes optional.
    """
    cards = format_cards(as_cards(board))
    if not _ACTIONS.fullmatch(actions) and _ACTIONS.fullmatch(meant := in_acpc_notation(actions)):
        raise UserError(f"actions {actions!r}: wanted f, c and rN; did you mean {meant!r}?")
    rounds = actions.count("/") + 1
    seen = list(BOARD_CARDS[1:rounds])
    if rounds > len(BOARD_CARDS):
        raise UserError(f"actions {actions!r}: found {rounds} rounds, wanted {len(BOARD_CARDS)}")
    if len(cards) != 2 * sum(seen):
        raise UserError(_other_round(actions, board, len(cards) // 2))
    dealt = [cards[a:b] for a, b in pairwise(np.cumsum([0, *seen]) * 2)]
    line = ":".join(["STATE", "0", actions, "/".join(["|", *dealt]), "0|0", "a|b"])
    return parse(line, f"actions {actions!r}").actions, dealt


def _other_round(actions: str, board: str, cards: int) -> str:
    at = actions.count("/")
    if cards in SEEN[at + 1 :]:
        later = SEEN.index(cards)
        return (
            f"actions {actions!r}: found those of round {at + 1} ({ROUNDS[at]}) with board "
            f"{board!r} of round {later + 1} ({ROUNDS[later]}); put a / after each round's actions"
        )
    return (
        f"board {board!r}: found {cards} cards, wanted {SEEN[at]} in round {at + 1} "
        f"({ROUNDS[at]}), where actions {actions!r} are"
    )


def with_stacks(game: GameConfig, stacks: list[int] | None) -> GameConfig:
    """``game`` with other ``stacks``, one a seat. Raises UserError."""
    if stacks is None:
        return game
    if len(stacks) != game.seats:
        raise UserError(f"stacks: found {len(stacks)}, wanted {game.seats}, one for each seat")
    return GameConfig.parse({**game.model_dump(), "stacks": stacks}, "game")


def replay(
    hand: PublicHand, actions: Actions, dealt: list[str], hole: int | None = None
) -> PublicHand:
    """Play ``hand``, from its start, to the position. Raises UserError.

    The decisions of its seat in the last round are frozen for ``hole``, if one is given.
    """

    def freeze() -> None:
        mine = hole is not None and hand.betting.actor == hand.seat
        if mine and len(hand.rounds) == len(actions):
            hand.freeze(hole, hand.play())

    follow(hand, actions, dealt, freeze)
    if hand.betting.over:
        raise UserError("the hand is over: nobody is to act")
    if hand.needs_cards:
        raise UserError(
            f"round {len(hand.rounds)} is over; put a / after its actions, and deal the board"
        )
    return hand


def follow(
    hand: Any, actions: Actions, dealt: list[str], before: Callable[[], None] = lambda: None
) -> None:
    """Deal and act in ``hand`` from its start, and call ``before`` each action. UserError."""
    for number, part in enumerate(actions):
        if number:
            if hand.betting.over:
                raise UserError(f"the hand is over before round {number + 1}: nobody is to act")
            if hand.betting.round < number:
                actor = hand.betting.names[hand.betting.actor]
                raise UserError(f"round {number} is not over: {actor} is to act; mend the slashes")
            hand.deal(dealt[number - 1])
        for action in part:
            before()
            hand.act(action)


class Point(NamedTuple):
    """A point of a hand: what :func:`position` says, other stacks than the run's, a hand held."""

    played: Actions
    dealt: list[str]
    game: GameConfig | None = None
    hole: int | None = None


def hand_at(
    run: Run, config: SearchConfig, point: Point, seed: int, begin: Begin = quiet
) -> PublicHand:
    """The hand at ``point``, seen by the player to act. Raises UserError.

    Its decisions of the last round are frozen for the hand held, if one is given.
    """
    policy, (played, dealt, game, hole) = run.policy(config.blueprint), point
    searcher, own = Searcher(run, policy, config, begin), int(child(seed, "advise"))
    args = run, policy, config, searcher, own, game
    seat = replay(PublicHand(*args), played, dealt).betting.actor
    return replay(PublicHand(*args, seat), played, dealt, hole)


def text(run: Run, hand: PublicHand, play: Play, hole: int) -> str:
    """The strategy of ``hole``, of the whole range, and of its likeliest hand classes."""
    betting = hand.betting
    belief = hand.now()[betting.actor]
    source = "search" if hand.rounds[-1].searching else "the blueprint"
    named = {"f": "fold", "c": "call" if betting.to_call else "check"}
    words = [named.get(spell(action), spell(action)) for action in play.offered]
    seen = format_cards(hand.board, run.ranks) or "none"
    lines = [
        f"{betting.names[betting.actor]} to act, pot {int(betting.contributed.sum()):,}, "
        f"{betting.to_call:,} to call; board {seen}; by {source}",
        f"{'hand':14}" + "".join(f"{word:>12}" for word in words),
        f"{'held':14}" + _row(play.rows[hole]),
        f"{'whole range':14}" + _row(belief @ play.rows),
    ]
    label = classes(run.ranks)
    weight = np.bincount(label, belief)
    for k in np.argsort(-weight, kind="stable")[:LINES]:
        if weight[k] > 0:
            rows = (belief * (label == k)) @ play.rows / weight[k]
            name = f"{class_names(run.ranks)[k]} {100 * weight[k]:.1f} %"
            lines.append(f"{name:14}" + _row(rows))
    return "\n".join(lines)


def _row(row: np.ndarray) -> str:
    return "".join(f"{100 * p:10.1f} %" for p in row)


def advise(
    cards: Annotated[str, argument()],
    folder: options.FoundRun,
    config: Annotated[SearchConfig, options.SEARCH],
    actions: Annotated[str, Option("The betting so far, in ACPC notation: r250fc/cr400.")] = "",
    board: Annotated[str, Option("The cards seen, as in 8d4d3s/Qh.")] = "",
    stacks: Annotated[list[int], Option("By seat; default: those of the run.")] | None = None,
    seed: Annotated[int, options.seed("Of the search.")] = 1,
    threads: options.Threads = 1,
) -> str:  # fmt: skip
    """Ask for a decision at any point of a hand, by real-time search.

    CARDS are those in the hand of the player to act, as in AhKd. Search decides, or before the flop
    mostly the blueprint.

    \b
    sixmax advise AhKd --run results/default --actions ffr250ffc/c --board 8d4d3s

    Raises UserError for an impossible position.
    """
    set_threads(threads)
    run = open_run(folder)
    if run.buckets is None:
        raise UserError(f"{folder}: a run of {run.game.cards}, wanted one of hold'em")
    held = as_cards(cards, run.ranks)
    if len(held) != 2:
        raise UserError(f"cards {cards!r}: found {len(held)}, wanted 2, like AhKd")
    played, dealt = position(actions, board)
    as_cards([*held, *as_cards("".join(dealt), run.ranks)], run.ranks)  # refuses a card held twice
    point = Point(played, dealt, with_stacks(run.game, stacks), hole_id(*held))
    if len(played) > (most := len(run.game.rounds)):
        raise UserError(f"actions: found {len(played)} rounds, wanted {most} at most")
    with Bars("search", "iterations") as bars:
        hand = hand_at(run, config, point, seed, bars.begin)
        return text(run, hand, hand.play(), point.hole)
