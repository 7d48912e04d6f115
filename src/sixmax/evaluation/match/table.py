"""The commands ``table`` and ``acpc``: players at our table, and one of ours at a dealer's."""

import functools
from contextlib import ExitStack
from typing import Annotated

import numpy as np

from sixmax.agents.acpc_client import Clock, Follower, Limits, connect, seated, serve
from sixmax.agents.acpc_player import PREFIX, AcpcPlayer, Listener
from sixmax.agents.open_players import SEARCH, check_run, open_players
from sixmax.agents.openspiel import player as openspiel
from sixmax.agents.player import Player
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.betting.rules import CALL
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.match.by_hand import play, play_hand, terms
from sixmax.evaluation.match.pairings import Pairing
from sixmax.evaluation.match.stage import histories, line
from sixmax.games.holdem import deal_cards
from sixmax.hands.acpc import read_game
from sixmax.hands.record import big_blind, shift
from sixmax.scores.statistics import PAYOFF, RESULT, Sums, figure, told
from sixmax.search.config import BATCH, SearchConfig
from sixmax.store.records import write

_PRACTICE = 1  # the seed of hands in private
NO_LIMITS = Limits()
PATIENCE = Option("Give up when an ACPC player is silent for so long.", least=0.1, default=60.0)


@options.stage
def acpc(
    folder: options.FoundRun, name: Annotated[str, argument("AGENT")],
    host: Annotated[str, argument()], port: Annotated[int, argument(least=1, most=65535)],
    game: options.Game | None, config: Annotated[SearchConfig, options.SEARCH],
    seed: Annotated[int, options.seed("Of draws and searches.", default=1)],
    most: Annotated[
        int, Option("Leave after so many hands; 0: never.", "--hands", least=0, default=0)
    ],
    threads: options.Threads,
    seconds: Annotated[
        float, Option("Give up when the dealer is silent for so long; 0: never.", least=0)
    ] = 600.0,
    limits: Limits = NO_LIMITS,
) -> None:  # fmt: skip
    """Let an agent play at an ACPC dealer.

    AGENT connects to the dealer at HOST and PORT, and plays until it ends the match. Agents:
    search, blueprint, snapshot-00004 (after interval 4), continuation-unbiased, -fold, -call,
    -raise, random, call, rule. The run must be of the dealer's game. The exit code is 2 if the
    connection breaks within a hand, or if the dealer sends a line that makes no sense.

    The limits --t_response, --t_hand and --t_per_hand are spelled as the dealer's own. A few hands
    in private then compile all kernels first, and searches are cut to the time left; without a
    limit a seed gives the same play everywhere.

    \b
    sixmax acpc blueprint localhost 18791 --run results/default
    sixmax acpc search localhost 18791 --run results/hunl --t_per_hand 7000

    Raises UserError where the dealer says nothing for ``seconds``, and as serve.
    """
    run = open_run(folder)
    clock = Clock(limits) if any(limits) else None
    if clock:
        practise(run, name, config)
    player = open_players(run, [name], config, left=clock and clock.left)[0]
    rules, by = (run.game, shift(run.game)) if game is None else seated(run.game, read_game(game))
    follower = Follower(player, rules, run.ranks, by, int(child(seed, "acpc")), clock)
    connection = connect(host, port)
    say(f"{name} plays at {host}:{port}")
    try:
        serve(follower, connection, most, seconds)
    finally:
        sums = Sums.of(np.array(follower.won) * 1000 / big_blind(rules))
        if sums.n:
            say(
                f"{name}: {sums.n:,} hands, {told(figure(sums), digits=1)}, standard error "
                f"{sums.standard_error:.1f}; {PAYOFF}"
            )


class _Calling(Player):
    """Lets another player decide, and calls all the same: every hand goes to the river."""

    name = "calling"

    def __init__(self, player: Player):
        self._player = player
        self.begin, self.deal, self.see = player.begin, player.deal, player.see

    def act(self, u: float) -> int:
        self._player.act(u)
        return CALL


def practise(run: Run, name: str, config: SearchConfig) -> None:
    """Let agent ``name`` decide in hands of all players, and of two, before its time counts.

    The hands compile, or load, every kernel that it plays with. Searches are short, with its own
    buckets and with the blueprint's. Raises UserError as open_players.
    """
    say(f"{name} plays a few hands in private first: kernels are compiled before time counts")
    short = {"iterations": BATCH, "vector_iterations": [1] * 4, "roll_outs": 1}
    cards = deal_cards(_PRACTICE, 0, run.game.seats, run.ranks)
    for buckets in sorted({0, config.buckets}):
        quick = config.model_copy(update=short | {"buckets": buckets})
        for others in ("call", "fold"):
            names = [name, *[others] * (run.game.seats - 1)]
            player, *rest = open_players(run, names, quick)
            play_hand([_Calling(player), *rest], run.game, run.ranks, cards, 0, _PRACTICE)


@options.stage
def table(
    folder: options.FoundRun, names: Pairing,
    config: Annotated[SearchConfig, options.SEARCH],
    deals: options.Deals, seed: options.Seed, boards: options.Boards | None,
    seconds: Annotated[float, PATIENCE],
    threads: options.Threads, out: options.Out | None, log: options.Log | None,
    phh: options.Phh | None,
) -> None:  # fmt: skip
    """Play a match hand by hand: search and ACPC players may take part.

    A plays against copies of B, every deal once with A in each seat. Agents as of `sixmax acpc`,
    and acpc:18791: a player that connects to that port of this machine as to an ACPC dealer;
    openspiel:NAME: a bot that OpenSpiel registers, or the result of module:function, which is
    imported and called with the game and the player. Where somebody searches the result says by
    which settings, and its protocol has their digest.

    \b
    sixmax table search rule --run results/default --setting fast --deals 5 --seed 1 --out x.json
    sixmax table acpc:18791 blueprint --run results/default --deals 100 --seed 1 --log hands.log
    sixmax table blueprint openspiel:uniform_random --run results/default --deals 100 --seed 1
    """
    run = open_run(folder)
    seats = run.game.seats
    searched = {"config": config.model_dump(mode="json")} if SEARCH in names else {}
    shared = terms(run, [config] if searched else [], boards)
    with ExitStack() as stack:
        players = seat(run, [names[0], *[names[1]] * (seats - 1)], config, seconds)
        for player in players:
            stack.callback(player.close)
        bar = Progress(deals * seats, f"{names[0]} vs {names[1]}", "hands")
        listener = stack.enter_context(histories(run, log, phh, bar))
        result = play(
            players[0], players[1:], run.game, run.ranks, shared, deals,
            int(child(seed, "table")), boards, listener,
        )  # fmt: skip
    say(f"{line(result)}; {result.hands:,} hands; {shared.payoff}")
    if out is not None:
        write(out, RESULT, result.to_json() | searched)


def seat(run: Run, names: list[str], config: SearchConfig, seconds: float) -> list[Player]:
    """The players ``names`` in their order; ``acpc:PORT`` awaits one that connects.

    ``openspiel:NAME`` is a bot of OpenSpiel. Raises UserError for a name unknown and a port that
    cannot be had.
    """
    check_run(run)
    outside = PREFIX, openspiel.PREFIX
    ours = iter(open_players(run, [n for n in names if not n.startswith(outside)], config))

    @functools.cache
    def listener(name: str) -> Listener:
        port = name.removeprefix(PREFIX)
        if not port.isdecimal() or not int(port) < 1 << 16:
            raise UserError(
                f"agent {name!r}: wanted acpc: and a port from 1 to 65535, as in acpc:18791; "
                "0 takes any that is free"
            )
        return Listener(int(port), seconds)

    def player(name: str) -> Player:
        if name.startswith(PREFIX):
            return AcpcPlayer(listener(name), run.ranks)
        if name.startswith(openspiel.PREFIX):
            return openspiel.openspiel_player(name, run.ranks)
        return next(ours)

    return [player(name) for name in names]
