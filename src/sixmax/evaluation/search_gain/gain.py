"""The command ``gain``: the gain of search over its blueprint, measured and put together."""

from dataclasses import asdict
from typing import Annotated, Any

import numpy as np

from sixmax.abstraction.flop.store import chosen
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.progress import Done, Progress, quiet
from sixmax.base.rng import child
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import ROUNDS
from sixmax.evaluation.records import GAIN, terms
from sixmax.evaluation.search_gain.expected_gain import RIVER, Measurement, gain_in_round, gains
from sixmax.evaluation.search_gain.round_tree import fixed, round_tree
from sixmax.evaluation.search_gain.spots import ONE_WAY, HandsAsked, entering
from sixmax.scores.job_parts import PartKind, finish
from sixmax.scores.statistics import Sums, figure, told
from sixmax.search.config import SearchConfig, SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache
from sixmax.search.searcher import Searcher

SEARCH = "search"
ONE = "one subgame a hand of blueprint play, solved {}; gain in expectation over private hands"
WHOLE = (
    "1 who searches against copies of the blueprint; whole hands, in expectation over private hands"
)
PAYOFF = "chips won more than by the blueprint, in expectation over private hands"
SAMPLE = "hand of blueprint play (mean over the seats)"
SAMPLE_FLOP = "flop (hands of blueprint play on it, mean over the seats)"


@options.stage
def gain(
    folder: options.Run, search: SearchSettings, asked: HandsAsked,
    in_round: Annotated[int, options.Option(
        "Search in this round alone: 0 before the flop, 1 flop, 2 turn, 3 river. "
        "Default: from search.first on.", "--round", least=0, most=3,
    )] | None,
    deals: Annotated[int, options.Option("Scored a subgame.", least=1, default=2000)],
    threads: options.Threads, out: options.Out,
    agent: Annotated[
        str, options.Option("Or a policy of the run in place of the search, as blueprint-purified.")
    ] = SEARCH,
) -> None:  # fmt: skip
    """Measure the gain of search over its blueprint, in expectation.

    The score is an expectation over all private hands. A player who solves nested subgames searches
    each seat of its own. Hands are numbered: several jobs can share those of a seed.

    \b
    sixmax gain --run results/default --hands 200 --seed 1 --out gain.json

    Raises UserError for a search that begins in no round, or before the flop with more than two
    players, for branches of a round alone, and for an unknown agent.
    """
    run, (config, setting), alone = open_run(folder), search, in_round is not None
    if not alone and config.first > RIVER:
        raise UserError(f"search.first {config.first}: wanted 0 to 3, the round where it begins")
    first = in_round if alone else config.first
    if first == 0 and run.game.seats != 2:
        raise UserError(
            f"{folder}: found {run.game.seats} seats, and before the flop the gain is measured for "
            "two; wanted search.first or --round 1 to 3"
        )
    if alone and tuple(asked.branches) != ONE_WAY:
        raise UserError(
            f"--branches {' '.join(map(str, asked.branches))} with --round {in_round}: a round "
            "alone does not go on; wanted one of the two"
        )
    changes = {"first": first, "off_tree": None}
    if agent != SEARCH:
        changes["player"] = config.player._replace(nested="none")
    config = config.changed(**changes)
    policy = run.policy(config.blueprint)
    player = Searcher(run, policy, config) if agent == SEARCH else fixed(run, run.policy(agent))
    cache, label = SearchCache(player), f"gain of {agent}"
    if alone:
        label += f" in round {in_round}"
    flops = chosen(asked.flops, run.ranks, run.seed) if asked.flops else []
    measurement = Measurement(run, policy, deals, asked.branches, flops)
    with Progress(asked.hands, label, "hands") as bar:
        record = measured(measurement, config, cache, asked, alone, bar.add)
    if agent != SEARCH:
        record["design"] = f"{agent} in the place of the search; {record['design']}"
    protocol = terms(run, record["design"], PAYOFF, SAMPLE_FLOP if flops else SAMPLE)
    record |= {"protocol": asdict(protocol), "setting": setting, "config": config.model_dump()}
    finish(PARTS, record, out, cache.seconds, threads)


def measured(
    measurement: Measurement, config: SearchConfig, cache: SearchCache, asked: HandsAsked,
    alone: bool = False, progress: Done = quiet,
) -> dict[str, Any]:  # fmt: skip
    """The gain in mbb/game of searching from round ``config.first`` on, and its cost.

    A sample is a hand, the mean of its seats. Beside the whole stands the part of each round. With
    ``alone`` only the first round is searched, and its row stands alone.
    """
    (run, policy, *_), first = measurement, config.first
    won, flops = np.zeros((asked.hands, len(ROUNDS))), []
    played = entering(run, policy, config, cache, asked, measurement.flops)
    for k, (number, flop, hand) in enumerate(played):
        if hand is not None and alone:
            won[k, first] = _in_round(measurement, config, hand, asked.seed, number)
        elif hand is not None:
            won[k] = _of_seats(measurement, hand, asked.seed, number)
        flops.append(flop)
        progress(1)
    won *= 1000 / run.big_blind if alone else 1000 / run.big_blind / run.game.seats
    last = first if alone else RIVER
    rows = {ROUNDS[r]: won[:, r] for r in range(first, last + 1)}
    if alone:
        setting = {"design": ONE.format(_solved(config)), "round": first}
    else:
        setting = {"design": WHOLE, "first": first}
        rows = {"all": won.sum(axis=1)} | rows
    setting["deals"] = measurement.deals
    return _record(setting, measurement, cache, asked, flops, rows)


def _solved(config: SearchConfig) -> str:
    """How the subgames of a round alone are solved, in words."""
    if not config.player.by_seat:
        return "once"
    nested = config.player.nested != "none"
    return "by each seat in turn" + (", again after each bet" if nested else "")


def _in_round(
    measurement: Measurement, config: SearchConfig, hand: PublicHand, seed: int, number: int
) -> float:
    """The gain in chips of searching in the round that ``hand`` begins."""
    if config.player.by_seat:
        won = _of_seats(measurement, hand, seed, number, 1)
        return won[config.first] / measurement.run.game.seats
    beliefs, work = hand.beliefs(), int(child(seed, "search", number, "gain"))
    return gain_in_round(measurement, round_tree(hand, beliefs), beliefs, work).mean()


def _of_seats(
    measurement: Measurement, hand: PublicHand, seed: int, number: int, rounds: int = RIVER + 1
) -> np.ndarray:
    """The gain in chips of each seat by turns, their sum: float64[rounds]."""
    works = {p: int(child(seed, "search", number, p)) for p in hand.betting.left}
    return sum(gains(measurement, hand, p, work, rounds) for p, work in works.items())


def _record(
    setting: dict[str, Any], measurement: Measurement, cache: SearchCache, asked: HandsAsked,
    flop: list[int], won: dict[str, np.ndarray],
) -> dict[str, Any]:  # fmt: skip
    """The record of ``won``, rows by hand as of :func:`results`, so that jobs can be merged."""
    flops, branches = list(measurement.flops), list(measurement.branches)
    if flops:
        setting |= {"flops": flops, "flop": flop}
        setting["design"] += f"; hands on {len(flops)} flops alone"
    if tuple(branches) != ONE_WAY:
        setting["branches"] = branches
        ways = "; a hand goes on in {}, {} and {} ways into flop, turn and river"
        setting["design"] += ways.format(*branches)
    if asked.least > 2:
        setting["least"] = asked.least
        setting["design"] += f"; searched with {asked.least} players or more"
    of = [[asked.seed, asked.begin, asked.begin + asked.hands]]
    cost = {"hands": asked.hands, "searches": cache.searches, "of": of}
    return setting | cost | {"unit": "mbb/game"} | results(won, setting.get("flop"))


def results(won: dict[str, Any], flop: list[int] | None = None) -> dict[str, Any]:
    """``gain``, the mean, error and interval of each row of ``won``, and the rows themselves.

    Rows are by name, float64[hands] in mbb/game. Where hands have a ``flop`` each, flops are the
    samples.
    """
    rows = {name: np.asarray(row) for name, row in won.items()}
    figures = {
        name: figure(Sums.of(row if flop is None else by_flop(row, flop)))
        for name, row in rows.items()
    }
    return {"gain": figures, "won": {name: row.tolist() for name, row in rows.items()}}


def by_flop(values: np.ndarray, flop: list[int]) -> np.ndarray:
    """Samples float64[flops], one a flop, with the mean of ``values`` float64[hands].

    The mean is a ratio, of the sums of flops and of their hands, whose deviations are linearised,
    as hands on a flop are not independent of each other.
    """
    _, of = np.unique(flop, return_inverse=True)
    mean, flops = values.mean(), of.max() + 1
    return mean + np.bincount(of, values - mean) * flops / len(values)


def _lines(record: dict[str, Any], seconds: float) -> list[str]:
    """A line for each row of a gain; its searches took ``seconds``."""
    each = seconds / max(record["searches"], 1)
    hands, searches = f"{record['hands']:,} hands", f"{record['searches']:,} searches"
    return [
        f"gain of search, {name}: {told(row)}; {hands}, {searches} of {each:.2f} s"
        for name, row in record["gain"].items()
    ]


PARTS = gain.parts = PartKind(
    GAIN,
    alike=("protocol", "design", "deals", "setting", "config", "unit", "flops"),
    joined=("won", "flop"),
    added=("hands", "searches"),
    derived=lambda record: results(record["won"], record.get("flop")),
    lines=_lines,
)
