"""OpenSpiel's bots at our table."""

import json

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

import pyspiel

from commands import called
from evaluation.seated import Opened, Wild
from oracles.games import holdem
from sixmax.agents.openspiel.player import OpenSpielPlayer, maker
from sixmax.base.errors import UserError
from sixmax.evaluation.match import by_hand, table
from sixmax.games.holdem import deal_cards


class Spy(pyspiel.Bot):
    """Plays at random by itself, and writes down all that it is shown."""

    def __init__(self, game, player, log):
        super().__init__()
        self._random, self._me, self._log = np.random.default_rng(player), player, log

    def restart(self):
        self._log.append(("restart", self._me))

    def inform_action(self, state, player, action):
        assert state.current_player() == player
        assert action in state.legal_actions()
        self._log.append(("told", player, action))

    def step(self, state):
        assert state.current_player() == self._me
        self._log.append(("asked", state.history(), state.information_state_string(self._me)))
        return int(self._random.choice(state.legal_actions()))


@pytest.mark.parametrize("seats", [2, 3])
def test_player__sees_its_cards_and_the_betting_and_never_those_of_others(seats):
    rules, log = holdem([1000] * seats), []
    bot = OpenSpielPlayer("spy", lambda game, player: Spy(game, player, log))
    real = asked = 0
    for number in range(30):
        cards = deal_cards(1, number, seats, 13)
        log.clear()
        seat = number % seats
        team = [bot if k == seat else Wild() for k in range(seats)]
        record = by_hand.play_hand(team, rules, 13, cards, number, number)
        me = log[0][1]
        own = [int(c) for c in cards[2 * seat : 2 * seat + 2]]
        done = [a for part in record.actions for _, a in part]
        for entry in log:
            if entry[0] != "asked":
                continue
            asked += 1
            history = entry[1]
            assert history[2 * me : 2 * me + 2] == own
            others = [c for k, c in enumerate(history[: 2 * seats]) if k // 2 != me]
            theirs = [int(c) for k, c in enumerate(cards[: 2 * seats]) if k // 2 != seat]
            real += sorted(others) == sorted(theirs)
            assert len({*others, *own}) == 2 * seats
        message = [e for e in log if e[0] == "told"]
        assert len(message) == sum(s != seat for part in record.actions for s, _ in part)
        assert len(done) >= 1
    assert asked > 30
    assert real <= 2, "drawn cards are rarely the real ones"


def test_player__draws_by_the_table_where_the_bot_gives_its_policy():
    """So the same seed gives the same hand, and others another one."""
    rules = holdem([1000] * 3)

    def hand(seed):
        bot = OpenSpielPlayer("random", maker("uniform_random"))
        cards = deal_cards(1, 0, 3, 13)
        return by_hand.play_hand([bot, Wild(), Wild()], rules, 13, cards, 0, seed).actions

    assert hand(1) == hand(1)
    assert len({hand(seed) for seed in range(8)}) > 4


class Illegal(pyspiel.Bot):
    def restart(self):
        pass

    def step(self, state):
        return 5


def test_player__an_illegal_action_is_named():
    bot = OpenSpielPlayer("illegal", lambda game, player: Illegal())
    with pytest.raises(UserError, match="illegal, hand 3: found action 5, wanted one of"):
        by_hand.play_hand([bot, Wild()], holdem([1000] * 2), 13, deal_cards(1, 0, 2, 13), 3, 1)


def test_maker__unknown_names_are_one_line():
    with pytest.raises(UserError, match=r"'uniform_randm': unknown; .*uniform_random"):
        maker("uniform_randm")
    with pytest.raises(UserError, match="cannot be imported"):
        maker("no_such_module:make")
    with pytest.raises(UserError, match="cannot be imported"):
        maker("json:no_such_function")
    assert maker("json:dumps") is json.dumps


@pytest.mark.parametrize("seats", [2, 3])
def test_table__a_match_has_an_interval_and_its_hands_replay(seats, tmp_path, monkeypatch):
    run = Opened(seats)
    monkeypatch.setattr(table, "open_run", lambda folder: run)
    run.run = run.run._replace(identity={"settings": {"ranks": 6, "game": {}, "abstraction": {}}})
    out, log = tmp_path / "match.json", tmp_path / "hands.log"
    words = ["--deals", 30, "--seed", 1, "--out", out, "--log", log]
    called("table", "openspiel:uniform_random", "call", "--run", "x", *words)
    record = json.loads(out.read_text())
    low, high = record["interval"]
    assert low < record["mean"] < high
    assert record["hands"] == 30 * seats
    assert record["a"] == "openspiel-uniform_random"
    lines = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    assert len(lines) == 30 * seats
    assert any("r" in line.split(":")[2] for line in lines)
