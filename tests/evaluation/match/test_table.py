"""The commands table and acpc on a run: seats, files, and mistakes in one line."""

import json

import pytest

from commands import called
from evaluation.seated import SETTINGS, joined
from oracles.games import holdem
from search.holdem import SEARCH, small_run
from sixmax.agents.open_players import open_players
from sixmax.base.errors import UserError
from sixmax.evaluation.match import contest, pairings, results, stage, table
from sixmax.hands import acpc, record, replay
from sixmax.scores.statistics import same_protocol


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run of three players of which nothing is on disk: random and call play from no table."""
    run = small_run(3)[0]._replace(folder=tmp_path, identity={"settings": SETTINGS})
    for module in (table, contest):
        monkeypatch.setattr(module, "open_run", lambda folder: run)
    return tmp_path


def play(folder, names, boards=None, seconds=120.0, deals=4):
    files = [folder / name for name in ("out.json", "x.log", "x.phhs")]
    table.table(folder, names, SEARCH, deals, 3, boards, seconds, 1, *files)
    return files


@pytest.mark.parametrize("boards", [None, 20])
def test_table__writes_result_and_hands(folder, boards):
    out, log, phh = play(folder, ("random", "call"), boards)
    result = json.loads(out.read_text())
    assert (result["a"], result["b"], result["hands"]) == ("random", "call", 12)
    assert ("20 boards" in result["protocol"]["payoff"]) == bool(boards)
    for file in (log, phh):
        tally = replay.replay([file])
        assert (tally.hands, tally.mismatches, tally.damaged) == (12, 0, 0)
        if boards is None:
            assert tally.players["random"].mean == pytest.approx(result["mean"])


def test_table__search_says_by_which_settings(folder, monkeypatch):
    def seated_as_random(run, names, config):
        return open_players(run, ["random" if n == "search" else n for n in names])

    monkeypatch.setattr(table, "open_players", seated_as_random)
    result = []
    for k, config in enumerate([SEARCH, SEARCH, SEARCH.model_copy(update={"iterations": 7})]):
        out = folder / f"{k}.json"
        table.table(folder, ("search", "call"), config, 4, 3, None, 1.0, 1, out, None, None)
        assert json.loads(out.read_text())["config"] == config.model_dump(mode="json")
        result.append(results.read_result(out))
    assert same_protocol(result[:2])
    with pytest.raises(UserError, match=r"design is .*search by settings [0-9a-f]{8}'"):
        same_protocol(result[1:])
    plain = json.loads(play(folder, ("random", "call"))[0].read_text())
    assert "config" not in plain
    assert "settings" not in plain["protocol"]["design"]


def connected(folder, other):
    """Play an ACPC player, which acts at random, against ``other``: its name, and the result."""
    port = joined(
        lambda port: play(folder, (f"acpc:{port}", other)),
        lambda port: table.acpc(folder, "random", "127.0.0.1", port, None, SEARCH, 1, 0, 1),
    )
    return f"acpc-{port}", json.loads((folder / "out.json").read_text())


def test_acpc__sits_at_our_own_table(folder, capsys):
    name, result = connected(folder, "call")
    assert result["a"] == name
    said = capsys.readouterr().err
    assert f"random: 12 hands, {result['mean']:+.1f} mbb/game, 95 % interval " in said
    assert ", standard error " in said
    assert "net chips as played" in said


def test_acpc__sits_beside_a_bot_of_openspiel(folder):
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    name, result = connected(folder, "openspiel:uniform_random")
    low, high = result["interval"]
    assert low < result["mean"] < high
    tally = replay.replay([folder / "x.log"])
    assert (tally.hands, tally.mismatches, tally.damaged) == (12, 0, 0)
    assert set(tally.players) == {name, "openspiel-uniform_random"}


def test_table__nobody_connects(folder):
    with pytest.raises(UserError, match=r"port \d+: no ACPC player connected in 0.1 s"):
        play(folder, ("acpc:0", "call"), seconds=0.1)
    assert not (folder / "x.log").exists()


@pytest.mark.parametrize("name", ["acpc:", "acpc:x", "acpc:-1", "acpc:70000"])
def test_table__no_port(folder, name):
    with pytest.raises(UserError, match="wanted acpc: and a port from 1 to 65535, as in acpc:"):
        play(folder, (name, "call"))


def test_written__the_hands_of_a_match(folder):
    log = folder / "m.log"
    stage.match(folder, pairings.Pairing("random", "call"), 5, 1, 1, folder / "m.json", log=log)
    tally = replay.replay([log])
    assert (tally.hands, tally.mismatches, tally.damaged) == (15, 0, 0)


def test_match__a_game_that_cannot_be_logged_is_refused_before_it_is_played(folder, monkeypatch):
    def refuse(*args):
        raise AssertionError("played")

    run = contest.open_run(folder)._replace(buckets=None)
    monkeypatch.setattr(contest, "open_run", lambda folder: run)
    monkeypatch.setattr(stage, "contest", refuse)
    words = ["match", "random", "call", "--run", str(folder), "--deals", "2", "--seed", "1"]
    for kind in ("--log", "--phh"):
        with pytest.raises(UserError, match="wanted hold'em with 4"):
            called(*words, "--out", "o.json", kind, "x")


def test_seated__two_players_either_way_round_with_the_dealers_stacks():
    ours = holdem([20_000, 20_000], blinds=[50, 100])
    ours = ours.model_copy(update={"first": [0, 1, 1, 1]})
    dealers = holdem([500, 900])
    assert record.shift(ours) == 1
    game, by = table.seated(ours, dealers)
    assert (game.blinds, game.first, game.stacks, by) == ([50, 100], [0, 1, 1, 1], [900, 500], 1)
    game, by = table.seated(dealers, dealers)
    assert (game.stacks, by) == ([500, 900], 0)
    assert record.turned_rules(dealers, 1).blinds == ours.blinds


def test_seated__another_game():
    with pytest.raises(UserError, match="wanted a run of the dealer's game"):
        table.seated(holdem([1000] * 3), holdem([1000] * 3, blinds=[10, 20, 0]))


def test_acpc__game_of_the_dealer(folder, tmp_path):
    path = tmp_path / "other.game"
    path.write_text(acpc.form_game(holdem([1000] * 4)))
    with pytest.raises(UserError, match="wanted a run of the dealer's game"):
        table.acpc(folder, "random", "127.0.0.1", 1, path, SEARCH, 1, 0, 1)
