"""A solved endgame as plain JSON values: its decisions by address, EV and equity of both."""

import functools
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.api.endgame import PLAYERS, RANKS, endgame
from sixmax.api.endgame_solution import EndgameSolution, EndgameSpot
from sixmax.api.strategy import Strategy
from sixmax.api.walk import Address, Decision
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.betting.config import SEEN
from sixmax.betting.notation import codes
from sixmax.betting.rules import CALL
from sixmax.betting.state import Betting, spell
from sixmax.cards.deck import ROUNDS, as_cards, class_names, format_cards
from sixmax.search.solvers.problem import Begin
from sixmax.search.solvers.ranges.game import compatible
from sixmax.search.solvers.ranges.game import endgame as laid_out
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import values_by_hole
from sixmax.serve.jobs.worth import WorthQuestion, as_values, exact_values
from sixmax.serve.spot import around, cards, entry_of, option_of, path_of

_ROUNDS = 8  # rounds that are kept laid out; one after a flop is 1/49 of the whole
_PAGES = 256  # spots that are kept as JSON values


class SolvedPath(NamedTuple):
    """The way to a point of an endgame.

    steps: the decisions made, with the action done
    spot: the decision there; where nobody is to act, the last one
    betting: there
    dealt: the cards after those that the endgame begins with
    state: "decide", "deal" (the next card) or "over"
    """

    steps: list[tuple[EndgameSpot, int]]
    spot: EndgameSpot
    betting: Betting
    dealt: list[int]
    state: str


class Solved:
    """The solved endgame of a store, for one reader at a time: ``lock`` is held meanwhile.

    Its kernels run on ``threads``.
    """

    def __init__(self, path: Path, threads: int = 1):
        """Raises UserError for another kind of store."""
        self.answer, self.path, self.threads = EndgameSolution.load(path), path, threads
        self.lock = threading.Lock()
        self._begun = functools.lru_cache(_ROUNDS)(self._round)
        self._shown = functools.lru_cache(_PAGES)(self._page)
        self._equal = functools.lru_cache(_PAGES)(lambda address: equity(self.at(address).spot))

    def page(self, address: Address) -> dict[str, Any]:
        """The page of ``address``, as :func:`sixmax.serve.spot.spot` has it. Raises UserError."""
        with self.lock:
            set_threads(self.threads)
            return dict(self._shown(address))

    def worth(self, question: WorthQuestion, begin: Begin) -> dict[str, Any]:
        """The exact EV of a player's actions, or of its range, and its equity, by hand.

        ``question.agent`` is the player: OOP or IP. Raises UserError.
        """
        if question.agent not in PLAYERS:
            raise UserError(f"agent: found {question.agent!r}, wanted {' or '.join(PLAYERS)}")
        address, player = Address(question.actions, question.board), PLAYERS.index(question.agent)
        done = begin(2)
        with self.lock:
            path = self.at(address)
            if path.state != "decide":
                raise UserError("nobody is to act here; wanted a decision")
            ev, strategy = _ev(path.spot, player)
            done(1)
            equity = 100 * self._equal(address)[player]
            done(1)
        shares = exact_values(equity, strategy) if np.isfinite(equity).any() else None
        return {"deals": 0, "ev": {**ev, "equity": shares}}

    def at(self, address: Address) -> SolvedPath:
        """The point at ``address``.

        Its actions are in ACPC notation, from the start of the endgame on, raises in chips of the
        whole hand; its board has all cards. Raises UserError for a point that is not there.
        """
        if address.agent != Address().agent or address.beside:
            raise UserError("a solved endgame has one strategy: leave out agent and beside")
        dealt, parts, played = self._dealt(address.board), address.actions.split("/"), []
        steps: list[tuple[EndgameSpot, int]] = []
        for number, part in enumerate(parts):
            spot = self._begun(tuple(played), tuple(dealt[:number]))
            betting, ended, actions = spot.betting, False, codes(part)
            if actions is None:
                raise UserError(f"actions {part[:40]!r}: wanted f, c and rN, as in cr400")
            for action in actions:
                if ended or action not in spot.offered:
                    raise UserError(_unknown(spot, action, ended))
                steps.append((spot, action))
                betting = spot.done(action)
                ended = betting.over or betting.round > spot.betting.round
                spot = spot if ended else spot.take(action)
            played.append(actions)
            more = len(parts) - number - 1
            if more and (betting.over or not ended):
                over = "the hand is over" if betting.over else "the round is not over"
                raise UserError(f"actions {address.actions!r}: {over} at the slash")
            if more == 1 and len(dealt) == number and not parts[-1]:
                break
            if more and len(dealt) == number:
                raise UserError(f"board: wanted the card of the {self._name(number + 1)}")
        if len(dealt) >= len(played):
            raise UserError(f"board: found {len(dealt)} cards after the start, the actions want "
                            f"{len(played) - 1}")  # fmt: skip
        state = "over" if betting.over else "deal" if ended else "decide"
        return SolvedPath(steps, spot, betting, dealt, state)

    def _round(self, played: tuple[tuple[int, ...], ...], dealt: tuple[int, ...]) -> EndgameSpot:
        """The first decision of the round after those ``played``."""
        if not played:
            return self.answer.root
        spot = self._begun(played[:-1], dealt[:-1])
        for action in played[-1][:-1]:
            spot = spot.take(action)
        return spot.take(played[-1][-1], dealt[-1])

    def _dealt(self, board: str) -> list[int]:
        """The cards of ``board`` after the first ones. Raises UserError."""
        start, seen = self.answer.game.board.tolist(), as_cards(board).tolist()
        if seen and set(seen[: len(start)]) != set(start):
            begin = format_cards(start)
            raise UserError(f"board {board!r}: the endgame begins on {begin}, wanted it in front")
        return seen[len(start) :]

    def _name(self, number: int) -> str:
        """The name of the round ``number`` of the endgame, counted from 0."""
        return ROUNDS[SEEN.index(len(self.answer.game.board)) + number]

    def _page(self, address: Address) -> dict[str, Any]:
        path, start = self.at(address), self.answer.game.board
        board = np.array([*start, *path.dealt], np.int8)
        waits, betting = path.state == "deal", path.betting
        table = around(betting, path.spot.base, cards(board, RANKS), 1, waits)
        made, first = [_decision(*step) for step in path.steps], SEEN.index(len(start))
        out = {
            "address": address.fields(), "state": path.state, "names": class_names(RANKS),
            "table": {**table, "big_blind": self.answer.game.pot,
                      "round": self._name(betting.round)},
            "path": path_of(made, betting, board, RANKS, first), "needs": int(waits),
            "strategies": [],
        }  # fmt: skip
        if path.state == "decide":
            out["now"] = entry_of(_decision(path.spot), address.actions, board, RANKS)
            out["raise"] = []  # no size off the tree
            actor = betting.actor
            out["strategies"] = [self._strategy(path.spot, seat) for seat in (actor, 1 - actor)]
        return out

    def _strategy(self, spot: EndgameSpot, seat: int) -> dict[str, Any]:
        """The strategy of the player to act; of the other its range, as one action of all."""
        name = PLAYERS[seat]
        whole = max(self.answer.game.ranges[seat].sum(), 1e-300)
        strategy, options = _range(spot, seat), [{"word": "", "kind": "hold"}]
        if acts := seat == spot.betting.actor:
            strategy = spot.chart
            options = [option_of(spot.betting, action, spot.base) for action in spot.offered]
        share = f"{100 * strategy.range.combos / whole:.3g} % of its range"
        return {
            "name": name, "label": f"{name}{' to act' if acts else ''}, {share}",
            "options": options, "waits": False, "buckets": 0, **strategy.to_dict(),
        }  # fmt: skip


def _decision(spot: EndgameSpot, action: int | None = None) -> Decision:
    return Decision(spot.betting, spot.chart, spot.chart.rows, False, spot.base, action)


def _unknown(spot: EndgameSpot, action: int, ended: bool) -> str:
    if ended:
        return f"action {spell(action)!r}: the round is over; put a / before it, and deal the card"
    words = ", ".join(map(spell, spot.offered))
    return f"action {spell(action)!r}: {spot.player} is to act, wanted one of {words}"


def _range(spot: EndgameSpot, seat: int) -> Strategy:
    """The range of ``seat`` as a strategy with one action."""
    own = spot.range(PLAYERS[seat])
    return Strategy(own, [CALL], own.free[:, None].astype(float), words=("in range",))


def _ev(spot: EndgameSpot, seat: int) -> tuple[dict[str, Any], Strategy]:
    """The EV of ``seat`` as JSON values; hands count as they are dealt beside the other's."""
    if seat == spot.betting.actor:
        ev = spot.ev()
        return as_values(*ev.every, ev.strategy, ev.known), ev.strategy
    game, strategy = spot.solver.game, _range(spot, seat)
    mine, theirs = game.hands[seat], game.hands[1 - seat]
    beside, other = np.zeros(len(strategy.rows)), spot.range(PLAYERS[1 - seat]).weights
    beside[mine.first] = compatible(mine, theirs, other[theirs.first])
    own = replace(strategy.range, weights=strategy.range.weights * beside)
    weighed = Strategy(own, [CALL], strategy.rows, words=strategy.words)
    chips = values_by_hole(spot.solver, 2, spot.node, False)[seat] + spot.betting.contributed[seat]
    return exact_values(chips, weighed), weighed


def equity(spot: EndgameSpot) -> np.ndarray:
    """The share of the pot that each hand of both wins if all check from here on: float64[2, H].

    Over all boards, against the range of the other as it comes here; NaN for a hand not held.
    """
    try:
        checks = endgame(
            spot.cards, 2, 1, [spot.range(player) for player in PLAYERS], [[]], max_raises=0
        )
        solver = RangeSolver(laid_out(checks.tree, checks.board, checks.ranges))
    except UserError:  # no hands that go together come here
        return np.full((2, len(spot.chart.rows)), np.nan)
    return (values_by_hole(solver, 2, 0, False) + 1) / 2
