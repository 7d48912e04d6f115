"""The time of a search, by the section `search` of a config."""

from sixmax.config import Config
from sixmax.plan import rates


def search_seconds(config: Config, setting: str, threads: int) -> float:
    """The mean seconds of a search in ``setting`` full or fast, on so many cores of speed 1.

    The buckets of its flop are not included. All rounds are searched equally often; from the turn
    on there is no Monte Carlo CFR.
    """
    search = config.search.at_speed(setting)
    sampled = search.iterations * rates.LEFT / rates.SUBGAME_TRAVERSALS
    board = search.board_iterations * rates.BOARD_ITERATION_S
    flop = board * (rates.MORE_BETS if any(search.bets[1:2]) else 1.0)
    limited = rates.ALL_IN_S + search.roll_outs * rates.ROLL_OUT_S
    limited += search.limited_iterations * rates.LIMITED_ITERATION_S
    turn = flop if search.exact_from > 2 else search.all_boards(2) * rates.TURN_ITERATION_S
    river = search.all_boards(1) * rates.RIVER_ITERATION_S
    searched = [turn, river] if search.first > 1 else [sampled, flop, turn, river]
    if search.first == 1 and 1 in search.limited:
        searched = [limited, turn, river]
    seconds = sum(searched) / len(searched) / threads
    return min(seconds, search.seconds * config.machine.speed) if search.seconds else seconds
