"""The command ``duel``: a searching player against copies of the blueprint, in whole hands.

The blueprint first plays each deal in all seats: that hand shows the searching player without
search, with the same draws, as the number that decides an action depends on the deal and the
betting so far alone. A sample is the difference of the chips won in a seat, zero where nobody's
play changes. The mean over seats is the win rate against copies, as in
:mod:`sixmax.evaluation.match.duplicate`, because copies of one agent break even on every deal.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.progress import Done, Progress, quiet, say
from sixmax.base.rng import child, unit
from sixmax.betting.rules import FOLD
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import hole_id
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import COLUMNS, of_column, report
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.match.by_hand import result_of
from sixmax.evaluation.records import DUEL, terms
from sixmax.games.holdem import deal_cards
from sixmax.ongoing.policies import match_game, mixed
from sixmax.scores.job_parts import keep
from sixmax.scores.statistics import Protocol, Result, refuse_too_few, told
from sixmax.search.config import NEVER, SearchConfig, SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchFunction, draw
from sixmax.search.searcher import Searcher

DESIGN = (
    "1 who searches against copies of the blueprint, duplicate: cards and draws of a deal fixed"
)
PAYOFF = "net chips less those of the same seat where all play the blueprint"
SAMPLE = "deal (mean over the seats)"


class Duellists(NamedTuple):
    """The player who searches and the blueprint ``policy`` uint8[layout.size]; ``seed`` draws."""

    run: Run
    policy: np.ndarray
    config: SearchConfig
    searcher: SearchFunction
    seed: int


@options.stage
def duel(
    folder: options.Run, search: SearchSettings, deals: options.Deals, seed: options.Seed,
    threads: options.Threads, out: options.Out,
    store: Annotated[Path, options.Option("The store of `sixmax values`, for AIVAT.", "--values")]
    | None = None,
) -> None:  # fmt: skip
    """Play whole hands of search against copies of the blueprint.

    The result is the win rate minus the blueprint's in the same seat. Slow: `sixmax gain` sees far
    smaller edges in the same time, and `sixmax table` seats search among other agents. With
    --values AIVAT scores the hands too.

    \b
    sixmax duel --run results/default --setting fast --deals 20 --seed 1 --out duel.json
    """
    run, (config, setting) = open_run(folder), search
    policy = run.policy(config.blueprint)
    plain = shared = terms(run, DESIGN, PAYOFF, SAMPLE)
    scored = None
    if store:
        values, digest = load(run, store)
        own = match_game(run.tree, run.layout)
        scored = Recorded(run, own, values, (mixed(own, policy),) * 2)
        shared = replace(plain, payoff=f"AIVAT with the values {digest}, of {PAYOFF}")
    searcher, begun = Searcher(run, policy, config), time.perf_counter()
    players = Duellists(run, policy, config, searcher, int(child(seed, "duel")))
    with Progress(deals, "search vs blueprint", "deals") as bar:
        results = play(players, shared, deals, scored, bar.add)
    record, hands = replace(results[0], protocol=plain).to_json(), results[0].hands
    spent = time.perf_counter() - begun
    words = f"{told(record, digits=1)}; {hands:,} hands, {spent / hands:.2f} s a hand"
    say(f"search vs blueprint: {words}")
    if scored is not None:
        record["aivat"] = report(results)
        say(f"by AIVAT {told(record['aivat'], digits=1)}")
    record |= {"setting": setting, "config": config.model_dump()}
    keep(out, record, spent, threads, DUEL)


def play(
    players: Duellists, protocol: Protocol, deals: int, scored: Recorded | None = None,
    progress: Done = quiet,
) -> list[Result]:  # fmt: skip
    """Play ``deals`` deals, each with the searching player in every seat.

    One result, or with ``scored`` one for each of COLUMNS of AIVAT, the first being the same: the
    column of the searching player's hand less that of the blueprint's hand. ``protocol`` is that of
    the last. ``progress`` counts deals. Raises ValueError for fewer than two deals.
    """
    refuse_too_few(deals)
    run, seed, seats = players.run, players.seed, players.run.game.seats
    won = np.zeros((deals, seats, len(COLUMNS) if scored else 1))
    for number in range(deals):
        cards, plain = deal_cards(seed, number, seats, run.ranks), []
        base, reached = play_hand(players, cards, number, -1, plain)
        for hero in range(seats):
            if not reached >> hero & 1:
                continue
            searched = []
            net, _ = play_hand(players, cards, number, hero, searched)
            won[number, hero] = net[hero] - base[hero]
            if scored is not None:
                boards = child(seed, "boards", number, hero)
                won[number, hero] = scored.columns(cards, hero, searched, boards)
                won[number, hero] -= scored.columns(cards, hero, plain, boards)
        progress(1)
    won *= 1000 / protocol.big_blind
    names = COLUMNS if scored else COLUMNS[-1:]
    return [
        result_of(("search", "blueprint"), of_column(protocol, name), seed, won[:, :, i])
        for i, name in enumerate(names)
    ]


def play_hand(
    players: Duellists, cards: np.ndarray, number: int, hero: int, decisions: list[Taken]
) -> tuple[np.ndarray, int]:
    """Play one hand with the searching player in seat ``hero``, -1 for none.

    ``cards`` are int8[2 seats + 5]. Returns net chips float64[seats], and the mask of seats with a
    decision that a searching player would search. Appends every decision to ``decisions``.
    """
    run, policy, config, searcher, seed = players
    seats, reached, own = run.game.seats, 0, int(child(seed, "hand", number))
    plain = PublicHand(run, policy, config.model_copy(update=NEVER), searcher, own)
    mine = PublicHand(run, policy, config, searcher, own, seat=hero) if hero >= 0 else plain
    holes = [hole_id(*cards[2 * p : 2 * p + 2]) for p in range(seats)]
    for seat in plain.decisions(cards[2 * seats :]):
        if mine.needs_cards:
            mine.deal(plain.board[len(mine.board) :])
        reached |= (plain.betting.round >= config.first) << seat
        so_far = "".join(f"{a}," for r in plain.rounds for a in r.done)
        u = unit(child(seed, "draw", number, so_far))
        play = (mine if seat == hero else plain).play()
        if seat == hero:
            mine.freeze(holes[seat], play)
        action = draw(play, holes[seat], u)
        decisions.append(Taken(play.offered, action, play.rows, seat == hero and mine.knows))
        plain.act(action)
        if mine is not plain:
            mine.act(action)
        if seat == hero and action == FOLD:  # nothing changes its chips any more
            break
    if not plain.betting.over:
        return -plain.betting.contributed.astype(np.float64), reached
    return plain.betting.payoffs(run.dealer.look_up(cards[None]).rank[0, 0]), reached
