"""The stage ``gain``: the gain of search over its own blueprint."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.abstraction.flop.store import chosen
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.base.progress import Progress
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.betting.config import ROUNDS
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import open_run
from sixmax.evaluation.search_gain.fixed import fixed
from sixmax.evaluation.search_gain.merge import PARTS, results
from sixmax.evaluation.search_gain.one_round import enter, spots
from sixmax.evaluation.search_gain.one_round import gain as gain_at
from sixmax.evaluation.search_gain.round_tree import STRATEGIES, round_tree
from sixmax.evaluation.search_gain.whole_hands import ONE_WAY, RIVER, Measurement, gains
from sixmax.scores.job_parts import finish
from sixmax.scores.statistics import Protocol
from sixmax.search.agent import SearchCache
from sixmax.search.config import SearchConfig, SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher

ONE = "one subgame a hand of blueprint play, solved once; gain in expectation over private hands"
SEARCH = "search"
NESTED = ONE.replace("solved once", "solved by each seat in turn, again after each bet")
BY_SEAT = ONE.replace("solved once", "solved by each seat in turn")
WHOLE = (
    "1 who searches against copies of the blueprint; whole hands, in expectation over private hands"
)
GAIN = "chips won more than by the blueprint, in expectation over private hands"
SAMPLE = "hand of blueprint play (mean over the seats)"
ON_FLOPS = "; hands on {} flops alone"
OF_BRANCHES = "; a hand goes on in {}, {} and {} ways into flop, turn and river"
OF_PLAYERS = "; searched with {} players or more"
SAMPLE_FLOP = "flop (hands of blueprint play on it, mean over the seats)"
Count = Callable[[int], None]


class HandsAsked(NamedTuple):
    """Hands of blueprint play to search in, as a command asks for them."""

    hands: Annotated[int, Option("Hands of blueprint play to search in.", least=2)]
    seed: options.Seed
    begin: options.Begin = 0
    flops: Annotated[
        int,
        Option(
            "Hands on so many flops alone, those that search.flops makes ahead, with their "
            "buckets. Default: all flops.",
            least=1,
        ),
    ] | None = None  # fmt: skip
    least: Annotated[
        int,
        Option(
            "Only where so many players are left, or more; other hands gain nothing.",
            "--players",
            least=2,
            most=10,
        ),
    ] = 2
    branches: Annotated[
        tuple[int, int, int],
        Option(
            "Ways in which a hand goes on into flop, turn and river: 2 2 6 for less luck a second.",
            least=1,
        ),
    ] = (1, 1, 1)


class NumberedHands(NamedTuple):
    """The hands ``begin`` to ``begin + n`` of blueprint play by ``seed``.

    With ``flops`` those on these flops alone; one with fewer than ``least`` players left in the
    first searched round is not searched, and wins nothing.
    """

    n: int
    seed: int
    begin: int = 0
    flops: Sequence[int] = ()
    least: int = 2


@stage
def gain(
    folder: options.Run, search: SearchSettings, asked: HandsAsked,
    in_round: Annotated[
        int,
        Option(
            "Search in this round alone: 0 before the flop, 1 flop, 2 turn, 3 river. "
            "Default: from search.first on.",
            "--round",
            least=0,
            most=3,
        ),
    ]
    | None,
    deals: Annotated[int, Option("Scored a subgame.", least=1, default=2000)],
    threads: options.Threads, out: options.Out,
    agent: Annotated[
        str, Option("Or a policy of the run in the place of the search, as blueprint-purified.")
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
    run, (config, setting) = open_run(folder), search
    if in_round is None and config.first > RIVER:
        raise UserError(f"search.first {config.first}: wanted 0 to 3, the round where it begins")
    first = config.first if in_round is None else in_round
    if first == 0 and run.game.seats != 2:
        raise UserError(
            f"{folder}: found {run.game.seats} seats, and before the flop the gain is measured for "
            "two; wanted search.first or --round 1 to 3"
        )
    if in_round is not None and tuple(asked.branches) != (1, 1, 1):
        raise UserError(
            f"--branches {' '.join(map(str, asked.branches))} with --round {in_round}: a round "
            "alone does not go on; wanted one of the two"
        )
    changes = {"first": first, "off_tree": None}
    if agent != SEARCH:
        changes["player"] = config.player._replace(nested="none")
    config = config.changed(**changes)
    policy, measured = run.policy(config.blueprint), whole if in_round is None else one_round
    player = Searcher(run, policy, config) if agent == SEARCH else fixed(run, run.policy(agent))
    cache, label = SearchCache(player), f"gain of {agent}"
    if in_round is not None:
        label += f" in round {in_round}"
    on = chosen(asked.flops, run.ranks, run.seed) if asked.flops else []
    hands = NumberedHands(asked.hands, asked.seed, asked.begin, on, asked.least)
    measurement = Measurement(run, policy, deals, (1, *asked.branches))
    with Progress(asked.hands, label, "hands") as bar:
        record = measured(measurement, config, cache, hands, bar.add)
    if agent != SEARCH:
        record["design"] = f"{agent} in the place of the search; {record['design']}"
    digest = game_digest(run.identity["settings"])
    terms = Protocol(
        record["design"],
        GAIN,
        SAMPLE_FLOP if asked.flops else SAMPLE,
        run.game.seats,
        run.big_blind,
        digest,
    )
    record |= {"protocol": asdict(terms), "setting": setting, "config": config.model_dump()}
    finish(PARTS, record, out, cache.seconds, threads)


gain.parts = PARTS


def one_round(
    measurement: Measurement, config: SearchConfig, cache: SearchCache, hands: NumberedHands,
    progress: Count = lambda n: None,
) -> dict[str, Any]:  # fmt: skip
    """The gain in mbb/game of searching in round ``config.first`` alone, by strategy; its cost.

    Beside them stands their difference. A sample is a hand, the mean of its seats.
    """
    run, policy, scored, _ = measurement

    def chips(number: int, hand: PublicHand) -> list[float]:
        if config.player.by_seat:
            won = _of_seats(measurement, hand, hands.seed, number, 1)
            return won[:, config.first] / run.game.seats
        beliefs, work = hand.beliefs(), int(child(hands.seed, "search", number, "gain"))
        around = round_tree(hand, beliefs)
        return [gain_at(run, policy, around, beliefs, scored, work, s).mean() for s in STRATEGIES]

    won = np.zeros((len(STRATEGIES), hands.n))
    on = each_hand(measurement, config, cache, hands, chips, won.T, progress)
    won *= 1000 / run.big_blind
    design = NESTED if config.player.nested != "none" else BY_SEAT if config.player.by_seat else ONE
    setting = {"design": design, "round": config.first, "deals": scored} | on
    more = {} if config.player.average else {ROUNDS[config.first]: won[0] - won[1]}
    return _record(setting, cache, hands, dict(zip(STRATEGIES, won, strict=True)), more)


def whole(
    measurement: Measurement, config: SearchConfig, cache: SearchCache, hands: NumberedHands,
    progress: Count = lambda n: None,
) -> dict[str, Any]:  # fmt: skip
    """The gain in mbb/game of searching from round ``config.first`` on, and its cost.

    A sample is a hand, the mean of its seats. Beside the whole stand the part of each round,
    and the gain there of the last iterate over the average.
    """

    def chips(number: int, hand: PublicHand) -> np.ndarray:
        return _of_seats(measurement, hand, hands.seed, number)

    both = np.zeros((hands.n, len(STRATEGIES), len(ROUNDS)))
    on = each_hand(measurement, config, cache, hands, chips, both, progress)
    both *= 1000 / measurement.run.big_blind / measurement.run.game.seats
    won, searched = both[:, 0], range(config.first, RIVER + 1)
    setting = {"design": WHOLE, "first": config.first, "deals": measurement.deals} | on
    if tuple(measurement.branches) != ONE_WAY:
        setting["branches"] = list(measurement.branches[1:])
    rows = {"all": won.sum(axis=1)} | {ROUNDS[r]: won[:, r] for r in searched}
    more = {ROUNDS[r]: won[:, r] - both[:, 1, r] for r in searched if not config.player.average}
    return _record(setting, cache, hands, rows, more)


def _of_seats(
    measurement: Measurement, hand: PublicHand, seed: int, number: int, rounds: int = RIVER + 1
) -> np.ndarray:
    """The gain in chips of each seat by turns, their sum: float64[STRATEGIES, rounds]."""
    left = [p for p in range(measurement.run.game.seats) if hand.betting.contenders >> p & 1]
    works = {p: int(child(seed, "search", number, p)) for p in left}
    return sum(gains(measurement, hand, p, work, rounds) for p, work in works.items())


def each_hand(
    measurement: Measurement, config: SearchConfig, cache: SearchCache, hands: NumberedHands,
    chips: Callable[[int, PublicHand], Any], won: np.ndarray, progress: Count,
) -> dict[str, Any]:  # fmt: skip
    """Write to ``won`` float64[hands, rows] the ``chips`` of each of ``hands``.

    Returns ``flops``, if only hands on those are played, and the flop of each hand; and ``least``,
    if hands of fewer players are left out. A hand that reaches the first searched round is handed
    over there, as a PublicHand; the others win nothing.
    """
    (run, policy, *_), of, begin = measurement, [], hands.begin
    played = spots(run, policy, config.first, int(child(hands.seed, "spots")), hands.flops)
    numbered = enumerate(itertools.islice(played, begin, begin + hands.n), begin)
    for number, (flop, spot) in numbered:
        cache.forget()
        of.append(flop)
        if spot is not None and len(run.tree.players_left(spot.node)) >= hands.least:
            work = int(child(hands.seed, "search", number))
            hand = enter(PublicHand(run, policy, config, cache, work), spot)
            won[number - begin] = chips(number, hand)
        progress(1)
    on = {"flops": list(hands.flops), "flop": of} if hands.flops else {}
    return on | ({"least": hands.least} if hands.least > 2 else {})


def _record(
    setting: dict[str, Any], cache: SearchCache, hands: NumberedHands,
    won: dict[str, np.ndarray], more: dict[str, np.ndarray],
) -> dict[str, Any]:  # fmt: skip
    """``of``: the hands by seed; ``won``: mbb/game by hand, so that jobs can be merged.

    ``more``, by round, is the gain of the last iterate less that of the average; empty where the
    average is played.
    """
    of = [[hands.seed, hands.begin, hands.begin + hands.n]]
    cost = {"hands": hands.n, "searches": cache.searches, "of": of}
    rows = results({"won": won, "won_more": more}, setting.get("flop"))
    if "flops" in setting:
        setting["design"] += ON_FLOPS.format(len(setting["flops"]))
    if "branches" in setting:
        setting["design"] += OF_BRANCHES.format(*setting["branches"])
    if "least" in setting:
        setting["design"] += OF_PLAYERS.format(setting["least"])
    return setting | cost | {"unit": "mbb/game"} | rows
