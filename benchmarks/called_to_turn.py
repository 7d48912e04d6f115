"""The turn of an opponent who calls until then with all hands, as local best responses do.

    python -m benchmarks.called_to_turn --run results/libratus-200bb --setting fast --deals 40 \\
        --seed 1 --out called.json

The local best response by `fcpa` and `56bets` calls before the turn. On the deals of `sixmax lbr`
all hands that come to the turn are valued there, in ways that differ: nobody bets any more; the
opponent plays its part of the player's first solution of the turn; it responds best to that. Then
the player is told the hands that come there, and solves the turn for them: the same two ways. In
the last way the opponent responds best to the first solution, too, but brings the hands that the
player believes in: that tells what ``PlayerKind.any_hand`` costs.

Nobody bets off the tree, and the player keeps the strategy of its first solution to the end. The
real one solves anew after bets or on the river, so these are no figures of the whole player. Draws
before the turn are set off as in :mod:`sixmax.evaluation.exploitability.lbr_walk`.
"""

from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.blueprint.run import open_run
from sixmax.cli.command import command
from sixmax.evaluation.exploitability.lbr import PROTOCOLS, refuse_other_games
from sixmax.evaluation.exploitability.lbr_ranges import RangeOpponent
from sixmax.evaluation.exploitability.lbr_search import ResponseToSearch
from sixmax.evaluation.exploitability.lbr_walk import ResponseWalk
from sixmax.scores.statistics import Sums, figure, told
from sixmax.search.config import SearchConfig
from sixmax.search.nested import Nested
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache, SearchResult, Solution
from sixmax.search.searcher import Searcher

WAYS = (
    "nobody bets", "solution", "best response", "told: solution", "told: best response",
    "believed hands: best response",
)  # fmt: skip
TURN = 2


class ToTurn(ResponseWalk):
    """The walk of a response up to the turn; there values are float64[WAYS]."""

    def value(
        self, opponent: RangeOpponent, reach: np.ndarray, first: bool = False
    ) -> float | np.ndarray:
        hand = opponent.hand
        if hand.betting.over or hand.needs_cards or hand.betting.round < TURN:
            return super().value(opponent, reach, first)
        (only,) = opponent.hypotheses  # calls are never translated
        pairs = reach * self.deal.met(only.weight)
        values = [
            np.nan_to_num(of.values_at(0, best)[self.me])
            for of in (first_of(hand.search()), first_of(self.informed(hand, reach).search()))
            for best in (False, True)
        ]
        believed = hand.beliefs()[self.me] * self.deal.met(only.weight)
        usual = believed @ values[1] / max(believed.sum(), 1e-300) * pairs.sum()
        return np.array([self.checked_down(opponent, reach), *(pairs @ v for v in values), usual])

    def informed(self, hand: PublicHand, reach: np.ndarray) -> PublicHand:
        """``hand`` of a player who is told the ``reach`` float64[holes] of the response."""
        twin, beliefs = hand.copy(), hand.beliefs()
        player = hand.config.player._replace(any_hand=0.0)
        twin.config = hand.config.model_copy(update={"player": player})
        beliefs[self.me] = reach / reach.sum()
        twin.rounds[-1].beliefs, twin.rounds[-1].result = beliefs[None], None
        return twin


def first_of(result: SearchResult) -> Solution:
    """The solution with which a round begins."""
    return result.links[0].solved if isinstance(result, Nested) else result


@options.stage
def called(
    folder: options.Run, config: Annotated[SearchConfig, options.SEARCH], deals: options.Deals,
    seed: options.Seed, threads: options.Threads, out: options.Out,
    begin: Annotated[int, Option("Number of the first deal.", least=0)] = 0,
) -> None:  # fmt: skip
    """Measure the turn of the run in FOLDER, of two players.

    Raises UserError for another game, and for a player that does not search the turn.
    """
    run, won = open_run(folder), []
    refuse_other_games(run)
    if config.first > TURN:
        raise UserError(f"search.first {config.first}: the turn is not searched; wanted 2 at most")
    policy = run.policy(config.blueprint)
    cache = SearchCache(Searcher(run, policy, config))
    response = ResponseToSearch(run, policy, config, PROTOCOLS["fcpa"].menu, ToTurn)
    with Progress(deals, "called to the turn", "deals") as bar:
        for number in range(begin, begin + deals):
            cache.forget()
            won.append(response.chips(seed, number, cache) * 1000 / run.big_blind)
            bar.add(1)
    rows = dict(zip(WAYS, np.array(won).T, strict=True))
    for name, row in rows.items():
        say(f"{name}: {told(figure(Sums.of(row)), digits=0)}")
    write_json(out, {
        "begin": begin, "deals": deals, "seed": seed, "unit": "mbb/game",
        "config": config.model_dump(),
        "won": {name: row.tolist() for name, row in rows.items()},
    })  # fmt: skip


main = command("called_to_turn", called)

if __name__ == "__main__":
    main()
