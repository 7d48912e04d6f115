"""An opponent who calls to the turn, as local best responses do, and then plays well.

    python -m benchmarks.called_to_turn --run results/libratus-200bb --setting fast --deals 40 \\
        --seed 1 --out called.json

The local best response by `fcpa` and `56bets` calls before the turn with all hands. On the deals of
`sixmax lbr` another opponent takes over where the turn begins. It checks down; it plays its part of
the player's solution; or it responds best to that. Last, the player is told which hands come there,
and solves the turn for them: the opponent plays its part of this solution. The first says how much
calls cost, the others how much the player's turn and its beliefs leave to win. Nobody bets off the
tree. Draws before the turn are set off as in :mod:`sixmax.evaluation.exploitability.lbr_walk`.
"""

from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.files import write_json
from sixmax.base.progress import Progress, say
from sixmax.blueprint.run import open_run
from sixmax.cli.command import command
from sixmax.evaluation.exploitability.lbr import PROTOCOLS
from sixmax.evaluation.exploitability.lbr_ranges import RangeOpponent
from sixmax.evaluation.exploitability.lbr_search import ResponseToSearch
from sixmax.evaluation.exploitability.lbr_walk import ResponseWalk
from sixmax.scores.statistics import Sums, figure, told
from sixmax.search.config import SearchConfig
from sixmax.search.nested import Nested
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache, SearchResult, Solution
from sixmax.search.searcher import Searcher

WAYS = ("checks down", "plays the solution", "responds best", "is known, plays the solution")
TURN = 2


class ToTurn(ResponseWalk):
    """The walk of a response up to the turn; beyond it values are float64[WAYS]."""

    def value(self, opponent: RangeOpponent, reach: np.ndarray, first: bool = False) -> np.ndarray:
        hand = opponent.hand
        if hand.betting.over or hand.needs_cards or hand.betting.round < TURN:
            return super().value(opponent, reach, first)
        pairs = reach * self.deal.met(opponent.weight)
        played, known = first_of(hand.search()), first_of(self.knows(hand, reach).search())
        ways = (played, False), (played, True), (known, False)
        values = [pairs @ np.nan_to_num(of.values_at(0, best)[self.me]) for of, best in ways]
        return np.array([self.checked_down(opponent, reach), *values])

    def knows(self, hand: PublicHand, reach: np.ndarray) -> PublicHand:
        """``hand`` of a player who knows the ``reach`` float64[holes] of the response."""
        twin, beliefs = hand.copy(), hand.beliefs()
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
) -> None:  # fmt: skip
    """Measure opponents who call to the turn of the run in FOLDER, of two players."""
    run, won = open_run(folder), []
    policy = run.policy(config.blueprint)
    cache = SearchCache(Searcher(run, policy, config))
    response = ResponseToSearch(run, policy, config, PROTOCOLS["fcpa"].menu, ToTurn)
    with Progress(deals, "called to the turn", "deals") as bar:
        for number in range(deals):
            cache.forget()
            won.append(response.chips(seed, number, cache) * 1000 / run.big_blind)
            bar.add(1)
    rows = dict(zip(WAYS, np.array(won).T, strict=True))
    for name, row in rows.items():
        say(f"{name}: {told(figure(Sums.of(row)), digits=0)}")
    record = {"deals": deals, "seed": seed, "unit": "mbb/game", "config": config.model_dump()}
    write_json(out, record | {"won": {name: row.tolist() for name, row in rows.items()}})


main = command("called_to_turn", called)

if __name__ == "__main__":
    main()
