"""The stage ``response``: what each player would win by a best response to the others, exactly.

For games whose deals can be listed (Kuhn and Leduc, any number of players) and for two players'
hold'em of one or two rounds. The others stay as they are: for more than two players the sum of the
gains (NashConv) bounds how far the strategy is from an equilibrium and says nothing of what a
coalition could do, nor of what the strategy earns against others.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sixmax.blueprint.run import Run, open_run
from sixmax.cfr.policy import shares
from sixmax.cfr.response import NashConv
from sixmax.cfr.response import nash_conv as listed
from sixmax.errors import UserError
from sixmax.evaluation import exact
from sixmax.evaluation.stage import game_digest
from sixmax.files import write_json
from sixmax.game.betting import positions
from sixmax.game.toy import deals
from sixmax.progress import say


def respond(folder: Path, agent: str, out: Path) -> None:
    """Write to ``out`` what best responses win from ``agent`` of the run in ``folder``, beside what
    they win from who plays uniformly.

    Raises UserError where the game is too large to be judged exactly.
    """
    run = open_run(folder)
    game = game_digest(run.identity["settings"]) if run.identity else ""
    how = {
        "agent": agent,
        "game": game,
        "unit": "mbb/game",
        "sample": "none: exact, over all deals",
    }
    record = {**how, **_record(run, score(run, run.policy(agent)))}
    record["uniform"] = _record(run, score(run, np.zeros(run.layout.size, np.uint8)))
    write_json(out, record)
    for seat in record["seats"]:
        say(
            f"{seat['name']}: wins {seat['value']:+.2f} mbb/game in self-play of the {agent}, "
            f"{seat['gain']:.2f} more by a best response"
        )
    say(
        f"NashConv {record['nash_conv']:.2f} mbb/game, uniform play "
        f"{record['uniform']['nash_conv']:.2f}"
        + (f"; exploitability {record['nash_conv'] / 2:.2f}" if len(record["seats"]) == 2 else "")
    )


def score(run: Run, policy: np.ndarray) -> NashConv:
    """How far ``policy`` uint8[layout.size] is from an equilibrium, in chips a game."""
    strategy, game = shares(run.tree, run.layout, policy), run.game
    if game.cards != "holdem":
        return listed(run.tree, run.layout, deals(game.cards, game.seats), strategy)
    if game.seats != 2 or len(game.rounds) > 2:
        raise UserError(
            f"{run.folder}: {game.seats} seats and {len(game.rounds)} rounds of hold'em are too "
            "many for an exact best response; wanted Kuhn, Leduc, or two players and two rounds; "
            "`sixmax lbr` bounds two players from below"
        )
    cards = exact.cards(game, run.buckets, run.ranks)
    return exact.nash_conv(run.tree, run.layout, cards, strategy)


def _record(run: Run, found: NashConv) -> dict[str, Any]:
    scale = 1000 / run.big_blind
    names = positions(run.game.seats, run.game.first[0])
    return {
        "nash_conv": scale * found.total,
        "seats": [
            {"name": name, "value": scale * float(value), "gain": scale * float(gain)}
            for name, value, gain in zip(names, found.values, found.gains, strict=True)
        ],
    }
