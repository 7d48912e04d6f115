"""The cost of search, of all made ahead for it, and of its measurements."""

import math
from collections.abc import Sequence

from sixmax.abstraction.flop.store import SHOWN, chosen, parts
from sixmax.betting.tree import MAX_ACTIONS
from sixmax.cards.isomorphism import boards
from sixmax.config import Config
from sixmax.continuation.generate import GENERATOR, GENERATORS
from sixmax.evaluation.match.pairings import bounded
from sixmax.leaf_function.config import NETWORK, names
from sixmax.leaf_function.stage import UNSEEN_ROLLOUTS, UNSEEN_STATES
from sixmax.plan import rates
from sixmax.plan.rates import PlanLine, share_of_default


def flops(config: Config, threads: int) -> list[PlanLine]:
    """The flops that are made ahead for the search; no line where there are none."""
    numbers = chosen(config.search.flops, config.deck.ranks, config.seed)
    count, share = len(numbers), share_of_default(config)
    seconds = len(parts(numbers, config.seed)) * (rates.START_S + rates.FIRST_FLOP_S * share)
    seconds += count * rates.FLOP_S * share + min(count, SHOWN) * rates.FLOP_SECOND_S * share
    memory, disk = 0.4 * share + rates.PROCESS_GB, count * 3.7e-3 * share
    return [PlanLine("flops", "flops", count, memory, disk, seconds, threads)] if count else []


def leaf_function(config: Config, threads: int) -> list[PlanLine]:
    """The learned values of leaves; no line without them.

    The strength of the hands of every flop, the roll-outs of states seen and unseen, the fit.
    """
    section, flops = config.leaf_function, len(boards(config.deck.ranks, 3).count)
    if not section.states:
        return []
    choices = len(GENERATORS[GENERATOR].names)
    inputs, units = len(names(config.game.seats, choices)), NETWORK.units
    weights = units * (inputs + (NETWORK.layers - 1) * units + choices)
    unseen = 2 * UNSEEN_STATES * UNSEEN_ROLLOUTS
    rolled = (section.states * NETWORK.rollouts + unseen) / rates.ROLLED
    shared = flops * share_of_default(config) / rates.STRONG_FLOPS + rolled
    fitting = section.states * NETWORK.epochs * weights / rates.FITTED
    memory = section.states * (8 * inputs + 24 * choices) / 1e9 + 2 * rates.PROCESS_GB
    seconds = rates.START_S + shared / threads + fitting
    return [PlanLine("leaf function", "states", section.states, memory, 4 * weights / 1e9, seconds)]


def search_seconds(
    config: Config, setting: str, threads: int, branches: Sequence[int] = (1, 1, 1)
) -> float:
    """The mean seconds of a search in ``setting`` full or fast, on so many cores of speed 1.

    The buckets of its flop are not included. All rounds are searched equally often, with branches
    each way into them; then it is the mean of a way. From the turn on there is no Monte Carlo CFR.
    """
    search = config.search.at_speed(setting)
    sampled = search.iterations * rates.LEFT / rates.SUBGAME_TRAVERSALS
    player, (before, on_flop, on_turn, on_river) = search.player, search.vector_iterations
    more = rates.MORE_BETS if any(search.bets[1:2]) else 1.0
    flop, turn = (n * rates.BOARD_ITERATION_S[r] * more for r, n in ((1, on_flop), (2, on_turn)))
    limited = rates.ALL_IN_S + search.roll_outs * rates.LIMITED_LEAVES / rates.ROLL_OUTS
    limited += on_flop * rates.LIMITED_ITERATION_S
    turn = turn if player.exact_from > 2 else on_turn * rates.TURN_ITERATION_S
    searched = [(2, turn), (3, on_river * rates.RIVER_ITERATION_S)]
    if search.first < 2:
        of_flop = [limited] if 1 in player.limited else [sampled, flop]
        searched = [*((1, seconds) for seconds in of_flop), *searched]
    if search.first == 0:
        values = min(config.self_generated.values, player.leaf_values or MAX_ACTIONS)
        kept = before * values * rates.FIRST_ROUND_ITERATION_S
        searched.append((0, kept if 0 in player.limited else sampled))
    most = search.seconds * config.machine.speed * threads or math.inf
    whole = sum(min(seconds, most) * _ways(search.first, r, branches) for r, seconds in searched)
    return whole / len(searched) / threads


def _ways(first: int, in_round: int, branches: Sequence[int]) -> int:
    """The ways in which a hand comes to a round, if it branches after the round ``first``."""
    return math.prod(branches[r - 1] for r in range(first + 1, in_round + 1))


def gate(config: Config, entries: int) -> list[PlanLine]:
    """The gain of search, as far as the config asks for it: one core a job."""
    asked, seats, threads = config.evaluation, config.game.seats, config.machine.threads
    search_s = search_seconds(config, asked.search_setting, 1)
    gain_s = search_seconds(config, asked.search_setting, 1, asked.search_branches)
    met, deal_s = asked.lbr_search, rates.SEARCHES_LBR * search_s + rates.LBR_KNOWN_S
    meeting = sum(n * (deal_s + rates.LBR_RIVERS_S.get(name, 0)) for name, n in met.items())
    flops = 0.0
    if config.search.at_speed(asked.search_setting).buckets and config.search.flops != "all":
        flops = rates.FLOPS_SEEN * rates.FLOP_S * share_of_default(config)
    if config.search.player.nested != "none" and config.search.player.nested_bets == "all":
        search_s, gain_s = search_s * rates.NESTED_SEARCHES, gain_s * rates.NESTED_SEARCHES
    elif config.search.player.by_seat:
        gain_s *= rates.OWN_SEARCHES
    memory = 1.25 * entries / 1e9 + rates.PROCESS_GB + 0.5
    jobs = 2 + asked.search_hands // asked.search_hands_of_job
    seen = 0.0 if config.on_flops else flops  # made ahead
    gain = jobs * rates.START_S + asked.search_hands * (rates.SEARCHES_GAIN * gain_s + seen)
    duel = rates.START_S + asked.search_deals * (rates.SEARCHES_DUEL * search_s + flops)
    held = asked.pluribus_search_hands if asked.pluribus_hands else 0
    searching = held * (rates.SEARCHES_HELD * search_s + flops)
    bounds = 2 * sum(met.values()) if bounded(config.game) else 0
    lines = [
        PlanLine("search gain", "hands", asked.search_hands, memory, 0.0, gain, threads),
        PlanLine("search duel", "hands", asked.search_deals * seats, memory, 0.0, duel, threads),
        PlanLine("search bounds", "hands", bounds, memory, 0.0, rates.START_S + meeting, threads),
        PlanLine("search held", "hands", held, memory, 0.0, rates.START_S + searching),
    ]
    return [line for line in lines if line.rows]
