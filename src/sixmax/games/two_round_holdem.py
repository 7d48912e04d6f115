"""Two-player hold'em games small enough to judge exactly, as configs of the same tree.

All have the full rules of the betting, the whole deck, and blinds of 5 and 10 chips; the small
blind, seat 0, acts first before the flop and second after it.

* ``pushfold``: the small blind is all-in or out, the big blind calls or folds. Its equilibrium is
  published (Chen and Ankenman, "The Mathematics of Poker", 2006, chapter 12; holdemresources.net).
* ``preflop``: one round of limps, raises and all-ins, then five board cards and the showdown.
* ``flop``: flop hold'em: two rounds, then the showdown on two cards and the three of the flop.

A river stands beside them, for solvers of all hands: its hand is in `studies.validate.games`.
"""

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.games.game import SAMPLED, Game, Known, KnownAnswer

NAMES = ("pushfold", "preflop", "flop")
BIG_BLIND = 10  # chips
STACK = {"pushfold": 100, "preflop": 200, "flop": 100}  # chips


def game(name: str, stack: int | None = None) -> GameConfig:
    """The config of ``name``, with ``stack`` chips a player. Raises UserError."""
    if name not in NAMES:
        raise UserError(f"hold'em game: found {name!r}, wanted one of {', '.join(NAMES)}")
    jam = RoundSizes(sizes=[["A"]], max_raises=1, max_players=2, limps=False)
    preflop = RoundSizes(sizes=[[1], [1, "A"], ["A"]], max_raises=3, max_players=2)
    short = RoundSizes(sizes=[[1], ["A"]], max_raises=2, max_players=2)
    rounds = {"pushfold": [jam], "preflop": [preflop], "flop": [short, short]}[name]
    return GameConfig(
        stacks=[stack or STACK[name]] * 2,
        blinds=[BIG_BLIND // 2, BIG_BLIND],
        antes=[0, 0],
        first=[0, 1][: len(rounds)],
        rounds=rounds,
        board_cards=3 if name == "flop" else 5,
    )


def _game(name: str, title: str, known: Known) -> Game:
    return Game(name, title, {2: known}, lambda seats: game(name), methods=tuple(SAMPLED))


# The small blind's value of push or fold at ten big blinds: the equilibrium that the chart of
# holdemresources.net prints, solved as a matrix game
# (tests/evaluation/exploitability/test_pushfold.py).
_VALUE = KnownAnswer(
    "pushfold", "mccfr", 1_000_000, "value", "−0.4537", -0.5037, -0.4037, "matrix game"
)
_TRAINED = {name: (1_000_000, 0.02) for name in ("mccfr", "blueprint", "libratus")}
_FLOP = {name: (10_000_000, 0.1) for name in ("blueprint", "libratus")}
_ON_RIVER = ("linear", "dcfr")
_RIVER = tuple(
    KnownAnswer("river", name, 1000, "exploitability", "–", 0, 1.5, "ours: 0.3 % of the pot")
    for name in _ON_RIVER
)  # the accuracy that solvers of rivers are asked for
# NashConv of the uniform strategies is ours, in chips of which ten are a big blind. Flop hold'em:
# 3.4 million regrets after a minute have 6.6 % left of what the uniform strategy scores; CFR,
# without weights, 3.7 % after 100 iterations.
GAMES = (
    Game("river", "A river of hold’em", {2: Known(5889.0892736, more=_RIVER)}, methods=_ON_RIVER),
    _game("pushfold", "Push or fold", Known(9.9782922, ours=_TRAINED, more=(_VALUE,))),
    _game("preflop", "Preflop hold’em", Known(26.7603993, ours=_TRAINED)),
    _game("flop", "Flop hold’em", Known(36.2746156, ours=_FLOP)),
)
