"""The commands ``acpc`` and ``table``: players opened, seated, and their hands written down."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from sixmax.agents.acpc_client import Follower, connect, seated, serve
from sixmax.agents.acpc_player import PREFIX, AcpcPlayer, Listener
from sixmax.agents.clock import Clock, Limits
from sixmax.agents.open_players import SEARCH, check_run, open_players
from sixmax.agents.openspiel import player as openspiel
from sixmax.agents.player import Player
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.betting.rules import CALL
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.match.by_hand import play, play_hand, terms
from sixmax.evaluation.match.match_hands import hands
from sixmax.evaluation.match.stage import line
from sixmax.games.holdem import deal_cards
from sixmax.hands.acpc import read_game
from sixmax.hands.record import Record, big_blind, shift
from sixmax.hands.write import AcpcLog, PhhFile
from sixmax.scores.statistics import PAYOFF, RESULT, Sums, interval
from sixmax.search.config import SearchConfig
from sixmax.store.records import write

_PRACTICE = 1  # the seed of hands in private


@stage
def acpc(
    folder: Path, name: str, host: str, port: int, game: Path | None, config: SearchConfig,
    seed: int, most: int, threads: int, seconds: float = 0.0, limits: Limits | None = None,
) -> None:  # fmt: skip
    """Play agent ``name`` at the dealer ``host``:``port``, ``most`` hands (0: no limit).

    With ``limits`` it keeps to the dealer's time: a few hands in private compile all kernels
    first, and each search ends in time. Play then depends on the speed of the machine.
    Raises UserError where the dealer says nothing for ``seconds`` (0: no limit), and as serve.
    """
    run = open_run(folder)
    clock = None if limits is None else Clock(limits)
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
            low, high = interval(sums)
            say(
                f"{name}: {sums.n:,} hands, {sums.mean:+.1f} mbb/game, standard error "
                f"{sums.standard_error:.1f}, 95 % interval {low:+.1f} to {high:+.1f}; {PAYOFF}"
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
    short = {"iterations": config.batch, "vector_iterations": 1}
    short |= {"limited_iterations": 1, "roll_outs": 1}
    cards = deal_cards(_PRACTICE, 0, run.game.seats, run.ranks)
    for buckets in sorted({0, config.buckets}):
        changes = short | {"turn_iterations": None, "board_iterations": 1, "buckets": buckets}
        for others in ("call", "fold"):
            names = [name, *[others] * (run.game.seats - 1)]
            player, *rest = open_players(run, names, config.model_copy(update=changes))
            play_hand([_Calling(player), *rest], run.game, run.ranks, cards, 0, _PRACTICE)


@stage
def table(
    folder: Path, names: tuple[str, str], config: SearchConfig, deals: int, seed: int,
    boards: int | None, seconds: float, threads: int,
    out: Path | None, log: Path | None, phh: Path | None,
) -> None:  # fmt: skip
    """Play one against copies of the other, and write the files asked for.

    Where somebody searches the result says by which settings, and its protocol has their digest.
    """
    run = open_run(folder)
    seats = run.game.seats
    searched = {"config": config.model_dump(mode="json")} if SEARCH in names else {}
    shared = terms(run, config if searched else None, boards)
    with ExitStack() as stack:
        players = seat(run, [names[0], *[names[1]] * (seats - 1)], config, seconds)
        for player in players:
            stack.callback(player.close)
        files = _files(stack, run, log, phh)
        bar = stack.enter_context(Progress(deals * seats, f"{names[0]} vs {names[1]}", "hands"))
        result = play(
            players[0], players[1:], run.game, run.ranks, shared, deals,
            int(child(seed, "table")), boards, _tell(files, bar.add),
        )  # fmt: skip
    record = result.to_json() | searched
    say(f"{line(record)}; {result.hands:,} hands; {shared.payoff}")
    if out is not None:
        write(out, RESULT, record)


def written(
    folder: Path, names: tuple[str, str], deals: int, seed: int, log: Path | None, phh: Path | None
) -> None:
    """Write the hands of the match that the command ``match`` plays with the same arguments."""
    run = open_hands(folder)
    game, agents = open_agents(run, list(names))
    with ExitStack() as stack:
        files = _files(stack, run, log, phh)
        bar = stack.enter_context(Progress(deals * run.game.seats, "hands written", "hands"))
        listener = _tell(files, bar.add)
        for hand in hands(names, agents, game, run, deals, child(seed, "evaluation")):
            listener(hand)


def open_hands(folder: Path) -> Run:
    """The run in ``folder``. Raises UserError for one whose hands cannot be written."""
    run = open_run(folder)
    check_run(run)
    return run


def _files(stack: ExitStack, run: Run, log: Path | None, phh: Path | None) -> list:
    return [
        stack.enter_context(kind(path, run.game, run.ranks))
        for kind, path in ((AcpcLog, log), (PhhFile, phh))
        if path is not None
    ]


def _tell(files: list, progress: Callable[[int], None]) -> Callable[[Record], None]:
    def listener(record: Record) -> None:
        for file in files:
            file.add(record)
        progress(1)

    return listener


def seat(run: Run, names: list[str], config: SearchConfig, seconds: float) -> list[Player]:
    """The players ``names`` in their order; ``acpc:PORT`` awaits one that connects.

    ``openspiel:NAME`` is a bot of OpenSpiel. Raises UserError for a name unknown and a port that
    cannot be had.
    """
    check_run(run)
    outside = PREFIX, openspiel.PREFIX
    ours = iter(open_players(run, [n for n in names if not n.startswith(outside)], config))
    listeners: dict[str, Listener] = {}
    players: list[Player] = []
    for name in names:
        if not name.startswith(outside):
            players.append(next(ours))
            continue
        if name.startswith(openspiel.PREFIX):
            players.append(openspiel.openspiel_player(name, run.ranks))
            continue
        port = name.removeprefix(PREFIX)
        if not port.isdecimal() or not int(port) < 1 << 16:
            raise UserError(
                f"agent {name!r}: wanted acpc: and a port from 1 to 65535, as in acpc:18791; "
                "0 takes any that is free"
            )
        if name not in listeners:
            listeners[name] = Listener(int(port), seconds)
        players.append(AcpcPlayer(listeners[name], run.ranks))
    return players
