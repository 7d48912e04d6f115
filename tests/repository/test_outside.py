"""The exact comparison is held to matches that are played, a match over a wire to its log."""

import json
import re
import shlex

import numpy as np
import pytest
from benchmarks import outside

from commands import app, called
from evaluation.seated import joined
from processes import ROOT
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.cfr.policy import from_sums
from sixmax.evaluation.match.duplicate import net_chips
from sixmax.ongoing.policies import match_game, mixed

DEALS = 300
GUIDE = (ROOT / "docs" / "guide" / "outside.md").read_text(encoding="utf-8")


class Laid(outside.OfRun):
    """A policy in memory, as a module of others gives one."""

    def __init__(self, run, policy):
        self._run, self._policy = run, policy


def pure(run, seed):
    """A policy that takes one action in each infoset."""
    weight = np.random.default_rng(seed).integers(1, 1 << 20, run.layout.size)
    policy = np.zeros(run.layout.size, np.uint8)
    for x in run.tree.decision_nodes():
        at = outside.entries(run.tree, run.layout, int(x))
        policy[np.take_along_axis(at, weight[at].argmax(1)[:, None], 1)] = 255
    return policy


def test_compare__of_pure_policies_is_the_match_deal_by_deal():
    run, _ = small_run(2)
    policies = [pure(run, seed) for seed in (1, 2)]
    actual = outside.compare(run, *(Laid(run, p) for p in policies), DEALS, 7)
    game = match_game(run.tree, run.layout)
    expected = net_chips(tuple(mixed(run, p) for p in policies), game, run.dealer, 7, 0, DEALS)
    assert np.abs(expected).max() == 2000
    np.testing.assert_allclose(actual, expected)


def test_compare__of_mixed_policies_is_the_mean_of_many_matches():
    run, policy = small_run(2)
    weight = np.random.default_rng(9).integers(1, 100, run.layout.size)
    other = from_sums(run.tree, run.layout, weight.astype(np.int32))
    actual = outside.compare(run, Laid(run, policy), Laid(run, other), DEALS, 7)
    back = outside.compare(run, Laid(run, other), Laid(run, policy), DEALS, 7)
    np.testing.assert_allclose(actual, -back[:, ::-1], atol=1e-9)
    game, agents = match_game(run.tree, run.layout), (mixed(run, policy), mixed(run, other))
    won = net_chips(agents, game, run.dealer, 7, 0, 40_000).mean(0)
    assert outside.compare(run, *map(Laid, [run] * 2, (policy, other)), 40_000, 7).mean(0) == (
        pytest.approx(won, abs=20)
    )
    assert np.abs(won).max() > 60


def test_compare__refuses_more_players():
    run, policy = small_run(3)
    with pytest.raises(UserError, match="3 seats"):
        outside.compare(run, Laid(run, policy), Laid(run, policy), 2, 1)


def test_compare__refuses_rows_that_are_no_probabilities():
    run, policy = small_run(2)
    wrong = Laid(run, policy)
    right = wrong.rows
    wrong.rows = lambda node: 2 * right(node)
    with pytest.raises(UserError, match="probabilities of sum 1"):
        outside.compare(run, wrong, Laid(run, policy), 2, 1)


def test_strategy__names_what_is_missing():
    run, _ = small_run(2)
    with pytest.raises(UserError, match=r"no_such_module:player: .*wanted module:function"):
        outside.strategy(run, "no_such_module:player")


def test_main__takes_the_module_of_the_guide(tmp_path, monkeypatch):
    """It lays out `call`: the run's blueprint wins from it."""
    (tmp_path / "my_player.py").write_text(re.findall(r"```python\n(.*?)```", GUIDE, re.S)[0])
    monkeypatch.syspath_prepend(tmp_path)
    out = tmp_path / "both.json"
    asked = ["blueprint", "my_player:calls", "--run", "hunl.sixmax", "--deals", "200"]
    called(*asked, "--about", "883 s", "--out", str(out), on=outside.main)
    assert json.loads(out.read_text())["about"] == "883 s"
    figures = json.loads(out.read_text())["mbb/game"]
    assert figures["both seats"]["mean"] == (
        pytest.approx((figures["SB"]["mean"] + figures["BB"]["mean"]) / 2)
    )
    assert figures["both seats"]["interval"][0] > 300


def test_main__plays_a_program_over_the_wire_as_the_guide_says(tmp_path, capsys):
    """By seat as in the log of the hands: the big blind is first there."""
    words = re.search(r"outside acpc:\d+ (.*?)\n```", GUIDE, re.S)[1].replace("\\\n", "")
    out, log = tmp_path / "match.json", tmp_path / "hands.log"
    ours = shlex.split(f"{words.replace('--all-in 0', '')} --deals 6 --log {log} --out {out}")
    theirs = "acpc random localhost {} --run hunl.sixmax --hands 12"
    port = joined(
        lambda port: outside.main([f"acpc:{port}", *ours], standalone_mode=False),
        lambda port: app(theirs.format(port).split(), standalone_mode=False),
    )
    said, record = capsys.readouterr().err, json.loads(out.read_text())
    assert record["about"] == "ours 883 s, theirs 930 s; versions"
    assert (record["a"], record["seed"], record["hands"]) == (f"acpc-{port}", 1, 12)
    hands = [line.split(":")[-2:] for line in log.read_text().splitlines() if line[0] == "S"]
    for k, seat in enumerate(("BB", "SB")):
        each = [(net.split("|")[k], names.split("|")[k]) for net, names in hands]
        won = [10 * float(net) for net, name in each if name == f"acpc-{port}"]  # a blind is 100
        half = 2.5706 * np.std(won, ddof=1) / np.sqrt(len(won))  # Student's t of six deals
        interval = record["mbb/game"][seat]["interval"]
        assert interval == pytest.approx([np.mean(won) - half, np.mean(won) + half], rel=1e-4)
        assert f"acpc:{port} against blueprint, {seat}: {np.mean(won):+.1f} mbb/game, 95 %" in said
    with pytest.raises(UserError, match="wants --about, with both budgets"):
        called(f"acpc:{port}", *ours, "--about", "", on=outside.main)
