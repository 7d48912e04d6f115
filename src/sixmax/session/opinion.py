"""An agent's opinion about the decisions of somebody else, in a hand or in a hand's record.

The agent follows the hand from the seat that it is asked about, and sees the cards of this seat
alone. At each decision of the seat it names its own actions with this hand, and their shares. The
worth of actions is by the blueprint, for any agent.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.agents.open_players import open_players
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.betting.config import GameConfig
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id
from sixmax.hands.record import UNSEEN, Record
from sixmax.ongoing.hand import Play
from sixmax.ongoing.policies import Side
from sixmax.scores.statistics import Sums
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import no_search
from sixmax.search.solvers.problem import Begin, quiet
from sixmax.session.worth import Worth, worth


class Opinion(NamedTuple):
    """An agent's opinion about one decision. Amounts are chips.

    offered: FOLD, CALL and raises-to, ascending; the action taken is among them
    chance:  float64[offered], how often the agent does each with this hand
    worth:   of each action; None where it was not asked for or no deal agrees with the hand
    """

    number: int  # of the hand
    seat: int
    in_round: int
    at: int  # actions before it
    facing: bool  # whether there is a bet in the round, blinds among them
    board: np.ndarray  # int8[0, 3, 4 or 5]
    hole: np.ndarray  # int8[2]
    pot: int
    to_call: int
    before: int  # put in by the seat in earlier rounds
    offered: tuple[int, ...]
    chance: np.ndarray
    action: int | None  # taken; None where it is still to come
    worth: Worth | None = None

    @property
    def share(self) -> float:
        """The probability that the agent does the same."""
        return float(self.chance[self.offered.index(self.action)])

    @property
    def cost(self) -> Sums | None:
        """Chips that the agent's own play is worth more than the action taken; None if unknown."""
        if self.worth is None or self.action is None:
            return None
        return self.worth.cost(self.chance, self.action)


class AskedHand(NamedTuple):
    """A hand so far, about whose decisions of ``seat`` an agent is asked.

    hole: int8[2] of the seat
    actions: by round
    board: int8[0, 3, 4 or 5] seen
    seed: of translation, search and deals
    """

    game: GameConfig
    number: int
    seat: int
    hole: np.ndarray
    actions: Sequence[Sequence[int]]
    board: np.ndarray
    seed: int


class Adviser:
    """The agent ``name`` of ``run``, asked about the hands of others.

    ``begin`` watches its searches. Raises UserError for an unknown name, and for an agent that
    shows no strategy.
    """

    def __init__(
        self, run: Run, name: str = "blueprint", config: SearchConfig | None = None,
        begin: Begin = quiet,
    ):  # fmt: skip
        self._config = config or SearchConfig()
        self._player = open_players(run, [name], self._config, begin)[0]
        self._run, self.name = run, name
        self._policy = run.policy(self._config.blueprint)
        game, (table,) = open_agents(run, [self._config.blueprint])
        self._side = Side(game, table)

    def follow(self, asked: AskedHand, cost: bool = True) -> Iterator[Opinion]:
        """Opinions about each decision of the seat, the last of them perhaps still to come.

        With ``cost`` actions get their worth.
        """
        game, player, seen = asked.game, self._player, 0
        config = self._config.model_copy(update=NEVER)  # the hand as the blueprint reads it
        hand = PublicHand(self._run, self._policy, config, no_search, asked.seed, game)
        player.begin(asked.number, asked.seat, asked.hole, game, asked.seed)
        before = np.minimum(game.antes, game.stacks)
        done = [action for part in asked.actions for action in part]
        for at, actor in enumerate(hand.decisions(asked.board)):
            if len(hand.board) > seen:
                before = hand.betting.contributed.copy()
                player.deal(hand.board[seen:])
                seen = len(hand.board)
            action = done[at] if at < len(done) else None
            if actor == asked.seat:
                opinion = self._opinion(hand, asked, at, before, action)
                if cost:
                    seed = int(child(asked.seed, "worth", at))
                    known = opinion.hole, hand.now(), opinion.offered
                    opinion = opinion._replace(worth=worth(hand, self._side, *known, seed))
                yield opinion
            if action is None:
                return
            player.see(action)
            hand.act(action)

    def of_record(
        self, record: Record, seat: int, seed: int, cost: bool = True
    ) -> Iterator[Opinion]:
        """Opinions about each decision of ``seat`` in ``record``.

        Raises UserError where the record does not show the cards of ``seat``.
        """
        hole, number = record.holes[seat], record.number
        if UNSEEN in hole:
            raise UserError(f"hand {number}: the cards of {record.names[seat]} are unknown")
        actions = [[action for _, action in part] for part in record.actions]
        asked = AskedHand(record.rules, number, seat, hole, actions, record.board, seed)
        return self.follow(asked, cost)

    def _opinion(
        self, hand: PublicHand, asked: AskedHand, at: int, before: np.ndarray, action: int | None
    ) -> Opinion:
        play, betting, hole = self._player.strategy(), hand.betting, np.asarray(asked.hole, np.int8)
        if play is None:
            raise UserError(f"agent {self.name!r} shows no strategy; ask another")
        self._player.act(0.0)  # an agent that searches keeps to its own play in later searches
        offered, chance = shares(play, hole_id(*hole), action)
        return Opinion(
            asked.number, asked.seat, betting.round, at, bool((betting.contributed > before).any()),
            hand.board, hole, int(betting.contributed.sum()), betting.to_call,
            int(before[asked.seat]), offered, chance, action,
        )  # fmt: skip


def shares(play: Play, hole: int, action: int | None) -> tuple[tuple[int, ...], np.ndarray]:
    """The actions of ``play``, and ``action``, ascending; how often ``hole`` does each.

    The shares are float64[actions] and sum to 1.
    """
    offered = sorted({*play.offered} | ({action} - {None}))
    chance = np.zeros(len(offered))
    for each, share in zip(play.offered, play.rows[hole], strict=True):
        chance[offered.index(each)] += share
    return tuple(offered), chance / chance.sum()
