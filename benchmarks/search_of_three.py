"""The chips that a search of a flop with three players loses to a player who answers it.

    python -m benchmarks.search_of_three starter.sixmax --spots 16 --out three.json

Hands of blueprint play reach the flop with three players. The game is that of the search: it ends
with the round, where each player chooses a continuation and the hand is rolled out. Two players
keep the rows of a strategy; the third learns a best response to them, and plays fresh deals. The
chips that it wins more than the strategy's own rows are the *loss*, in % of the pot: a lower bound,
for the response is learned from deals, with one row for hands alike.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from sixmax.base.files import write_json
from sixmax.base.jit import in_parts, inlined, njit
from sixmax.base.progress import say
from sixmax.base.rng import child, step, stream, unit
from sixmax.betting.rules import CALL, POT
from sixmax.betting.tree import CHOICE, is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import format_cards
from sixmax.cfr.advance import advance
from sixmax.cfr.layout import entries, slabs
from sixmax.cfr.regret import sample
from sixmax.cfr.sampled.leaves import LeafDeal, Learned, end_scratch, value_of_end
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.evaluation.search_gain.spots import HandsAsked, entering
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache
from sixmax.search.searcher import Searcher
from sixmax.search.settings import search_config
from sixmax.search.solvers.deal import SearchDeals, SubgameDealer, hands_alike
from sixmax.search.solvers.problem import Problem
from sixmax.search.solvers.sampled import Effort, beyond, linear_schedule, solve_for

PLAYERS = 3
_WHOLE = 1 << 20  # of a row, as regrets
_FIRST = ("bets first", "bets after a check", "bets after two")


class OneShares(NamedTuple):
    """The deals of ``dealer``, where hands alike of ``seat`` have one bucket in round 0."""

    dealer: SubgameDealer
    like: np.ndarray
    seat: int

    def deal(self, seed: np.uint64, first: int, n: int) -> SearchDeals:
        deals = self.dealer.deal(seed, first, n)
        deals.bucket[:, self.seat, 0] = self.like[deals.bucket[:, self.seat, 0]]
        return deals


class Three:
    """A subgame of a flop with three players."""

    def __init__(self, problem: Problem):
        self.problem, self.state = problem, problem.subgame.state
        self.tree, self.layout = problem.subgame.tree, problem.subgame.layout
        self.leaves = beyond(problem.subgame, problem.leaf_values)
        rounds = len(self.tree.columns)
        learned = isinstance(self.leaves, Learned)
        given = problem.beliefs, self.state.board, rounds, problem.cards
        self.dealer = SubgameDealer(*given, holes=learned)
        self.like = hands_alike(self.state.board, problem.cards.ranks)
        head = self.tree.node[:, 0]
        self.decisions = np.flatnonzero(is_decision(head)).tolist()
        self.seats = sorted({self.tree.seat(x) for x in self.decisions})

    def table(self, strategy: np.ndarray) -> np.ndarray:
        """``strategy`` float64[layout.size] as regrets, int32: regret matching gives it back."""
        return np.rint(strategy * _WHOLE).astype(np.int32)

    def blueprint(self) -> np.ndarray:
        """The blueprint's rows as regrets; at the end of the round it goes on as it is."""
        out = np.zeros(self.layout.size)
        for node, rows in self.problem.warm_start():
            out[entries(self.tree, self.layout, node)] = rows
        for x in self.decisions:
            if self.tree.offered(x)[0] == CHOICE:
                out[entries(self.tree, self.layout, x)[..., 0]] = 1.0
        return self.table(out)

    def response(self, rows: np.ndarray, seat: int, iterations: int, seed: int) -> np.ndarray:
        """``rows`` int32[layout.size] with a best response of ``seat`` in the place of its own."""
        own = np.zeros(len(rows), np.bool_)
        mine = [entries(self.tree, self.layout, x) for x in self.decisions
                if self.tree.seat(x) == seat]  # fmt: skip
        for at in mine:
            own[at] = True
        table = new_table(self.layout, len(self.tree.columns))
        table.regret[:] = np.where(own, 0, rows)
        schedule, last = linear_schedule(self.problem.subgame, Effort(iterations))
        schedule = schedule._replace(discount_until=0, count_after=last)  # the others do not change
        dealer = OneShares(self.dealer, self.like, seat)
        given = self.tree, self.layout, dealer, table, schedule, seed, self.leaves
        train(Training(*given, learner=seat), 1, last)
        answer = rows.copy()
        for at in mine:
            regret = table.regret[at[self.like]]
            pure = np.arange(at.shape[1]) == regret.argmax(axis=1)[:, None]
            met = (regret != 0).any(axis=1, keepdims=True)
            answer[at] = np.where(met, pure * _WHOLE, rows[at])
        return answer

    def values(self, rows: np.ndarray, seat: int, seed: int, first: int, n: int) -> np.ndarray:
        """Net chips of ``seat`` where all play ``rows``, in n fresh deals: float64[n]."""
        deals = self.dealer.deal(np.uint64(child(seed, "deal")), first, n)
        offset = slabs(self.layout, deals.bucket.transpose(1, 2, 0))
        out = np.empty(n)
        dealt = offset.transpose(2, 0, 1).copy(), deals.rank, deals.future
        given = self.tree, self.leaves, rows, dealt, seat, child(seed, "play"), first
        in_parts(n, _values_part, *given, out)
        return out

    def loss(self, rows: np.ndarray, seat: int, effort: "Answers") -> tuple[float, float]:
        """The chips that ``seat`` wins more by its response, and the standard error."""
        answer = self.response(rows, seat, effort.iterations, int(child(effort.seed, "learn")))
        seed, parts = int(child(effort.seed, "judge")), []
        for first in range(0, effort.deals, 1 << 18):
            deals = seed, first, min(1 << 18, effort.deals - first)
            parts.append(self.values(answer, seat, *deals) - self.values(rows, seat, *deals))
        gain = np.concatenate(parts)
        return float(gain.mean()), float(gain.std(ddof=1) / np.sqrt(len(gain)))

    def bets(self, rows: np.ndarray) -> dict[str, float]:
        """How often the first player bets, and the next ones where nobody has."""
        out, path = {}, ()
        for name in _FIRST:
            x = self.tree.find(path)
            row = rows[entries(self.tree, self.layout, x)].astype(np.float64)
            weight = self.problem.beliefs[self.tree.seat(x)]
            row /= np.maximum(row.sum(axis=1, keepdims=True), 1)
            out[name] = float(weight @ row[:, np.array(self.tree.offered(x)) > CALL].sum(axis=1))
            path = (*path, CALL)
        return out


class Answers(NamedTuple):
    """The effort of a response: iterations to learn, fresh deals to judge."""

    iterations: int
    deals: int
    seed: int


@njit
def _one(tree, leaves, rows, dealt, me, state, scratch):
    offset, rank, future = dealt
    players = tree.node, rows, offset
    x, _ = advance(tree.node, np.int64(0), me, _turn, players, state)
    if is_decision(tree.node[x, 0]):
        return -np.float64(tree.node[x, 3])
    return value_of_end(leaves, tree, x, me, LeafDeal(rank, future), scratch)


@inlined
def _turn(players, x, state):
    node, rows, offset = players
    head, state = node[x, 0], step(state)
    at = offset[seat_of(head), round_of(head)] + node[x, 2]
    return sample(rows, at, n_actions(head), unit(state)), state


@njit
def _values_part(tree, leaves, rows, dealt, me, seed, first, out, start, stop):
    offset, rank, future = dealt
    scratch = end_scratch(rank.shape[2], leaves)
    for i in range(start, stop):
        one, state = (offset[i], rank[i], future[i]), stream(seed, np.uint64(first + i))
        out[i] = _one(tree, leaves, rows, one, me, state, scratch)


CASES = {"fast": 100_000, "full": 200_000, "five times full": 1_000_000}  # iterations


def spots(run: Run, config: SearchConfig, seed: int) -> Iterator[tuple[int, PublicHand]]:
    """Hands of blueprint play that reach the flop with three players."""
    policy = run.policy(config.blueprint)
    cache = SearchCache(Searcher(run, policy, config))
    asked = HandsAsked(1 << 30, seed, least=PLAYERS)
    for number, _, hand in entering(run, policy, config, cache, asked):
        if hand is not None and len(hand.betting.left) == PLAYERS:
            yield number, hand


def study(run: Run, config: SearchConfig, hand: PublicHand, effort: Answers) -> dict[str, Any]:
    """Losses, bets and seconds of the blueprint and of searches of ``hand``."""
    policy, position = run.policy(config.blueprint), hand.position()

    def three(config: SearchConfig) -> Three:
        return Three(Searcher(run, policy, config).problem(position, (), effort.seed))

    plain, game = three(config.changed(bets=[])), three(config)
    plays, seconds = {"blueprint": (plain, plain.blueprint())}, {}
    for name, iterations in CASES.items():
        begun = time.perf_counter()
        solution = solve_for(game.problem, Effort(iterations))
        seconds[name] = time.perf_counter() - begun
        plays[name] = game, game.table(solution.average)
    pot = int(position.state.root[POT])
    of = {
        name: [at.loss(rows, seat, effort) for seat in at.seats]
        for name, (at, rows) in plays.items()
    }
    return {
        "board": format_cards(position.state.board, run.ranks), "pot": pot,
        "before": list(position.state.before), "nodes": len(game.tree.node),
        "loss": {name: [100 * mean / pot for mean, _ in each] for name, each in of.items()},
        "error": {name: [100 * error / pot for _, error in each] for name, each in of.items()},
        "bets": {name: at.bets(rows) for name, (at, rows) in plays.items()},
        "seconds": seconds,
    }  # fmt: skip


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--spots", "count", type=int, default=16, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--iterations", type=int, default=500_000, show_default=True, help="To learn.")
@click.option("--deals", type=int, default=500_000, show_default=True, help="To judge by.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(folder: Path, count: int, seed: int, iterations: int, deals: int, out: Path) -> None:
    """Measure the searches of the run in FOLDER."""
    run, records = open_run(folder), []
    config = search_config(None, "fast", folder=run.folder).changed(first=1)
    for number, hand in spots(run, config, seed):
        record = study(run, config, hand, Answers(iterations, deals, seed))
        records.append({"hand": number} | record)
        write_json(out, records)
        losses = ", ".join(f"{name} {np.mean(of):.2f}" for name, of in record["loss"].items())
        say(f"{len(records)} of {count}, {record['board']}: {losses}")
        if len(records) == count:
            return


if __name__ == "__main__":
    main()
