"""The local best response: exact values where they are known, and its parts against slow twins."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from oracles.games import holdem
from search.holdem import RANKS, small_run
from sixmax.cards.deck import as_cards, hole_cards, hole_id
from sixmax.cards.evaluate import hand_value
from sixmax.cfr.layout import layout
from sixmax.cfr.policy import from_sums
from sixmax.errors import UserError
from sixmax.evaluation import lbr, lbr_kernels
from sixmax.evaluation.lbr import PROTOCOLS, bound, gather, open_policy, opponent, respond
from sixmax.evaluation.lbr_places import (
    PLACES,
    Scene,
    fill_buckets,
    has_met,
    meet,
    move,
    real_action,
    remove,
    translate,
)
from sixmax.evaluation.lbr_value import bet_values, call_value, look_ahead
from sixmax.evaluation.pairings import BOUNDS
from sixmax.game.config import RoundSizes
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    FOLD,
    HIGH,
    LENGTH,
    PHASE,
    POT,
    ROUND,
    apply,
    begin,
    limits,
)
from sixmax.game.tree import build
from sixmax.search.shadow import Shadow
from sixmax.search.view import actions, blueprint_buckets, blueprint_rows


@functools.cache
def two_sizes():
    """The small run with two raises to choose from, so that others lie between two sizes."""
    run, _ = small_run(2)
    sizes = RoundSizes(sizes=[[0.5, 1], [0.5, 1, "A"]], max_raises=2, max_players=2)
    game = run.game.model_copy(update={"rounds": [sizes] * 4})
    tree = build(game)
    where = layout(tree, run.dealer.buckets)
    weight = np.random.default_rng(7).integers(1, 100, where.size)
    return run._replace(game=game, tree=tree, layout=where), from_sums(tree, where, weight)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", PROTOCOLS)
def test_respond__always_fold_loses_exactly_what_the_blinds_say(name):
    """DeepStack supplement, table 3: 250 by fold and call, 750 by all others, without error."""
    run, _ = small_run(2)
    plain, mean = respond(run, open_policy(run, "fold"), name, 40, 1)
    expected = 250 if name == "fc" else 750
    assert plain.deals.mean == expected
    assert plain.deals.standard_error == 0
    assert plain.hands == 160
    if name != "fc":  # nothing is shown down
        assert mean.deals == plain.deals


F, C = "fold", "call"
THREE, EVEN = [0.75], "56 sizes, even in logarithm from the smallest to all-in"
DOUBLED = [0.33, 0.66, 1.32, 2.64, "all-in"]  # .33 x 2^(0..10), up to the stack
# DeepStack supplement, table 3; Brown, Sandholm and Amos 2018, section 7: what is offered by round,
# the first decision of the hand and all later ones where they differ.
OFFERED = {
    "fc": [[F, C], [F, C], [F, C], [F, C]],
    "fcpa": [[C], [C], [F, C, [1.0, "all-in"]], [F, C, [1.0, "all-in"]]],
    "56bets": [[C], [C], [F, C, EVEN], [F, C, EVEN]],
    "56flop": [[C], [F, C, EVEN], [F, C], [F, C]],
    "modicum-1": [[F, C], [F, C], [F, C], [F, C]],
    "modicum-2": [[C], [F, C, DOUBLED], [F, C], [F, C]],
}
OPENING = {"modicum-1": [F, THREE], "modicum-2": [THREE]}


def facing_a_bet(in_round):
    """Somebody is to act against 100 chips in that round, before the flop against the blind."""
    real = begin(holdem([2000, 2000]))
    while real[ROUND] < in_round:
        apply(real, CALL)
    if in_round:
        apply(real, 200)
    assert real[ROUND] == in_round
    return real


def offers(monkeypatch, menu, real, first):
    """What ``decide`` may do in ``real``, its raises as chips: seen by what it asks to be valued,
    and by what it takes where nothing or everything is worth it."""
    raises, python = [], getattr(lbr_kernels.decide, "py_func", lbr_kernels.decide)

    def value(worth):
        def bet_values(player, scene, places, real, amounts, n, out):
            raises.extend(int(a) for a in amounts[:n] if a not in raises)
            out[:n] = worth

        return bet_values

    monkeypatch.setattr(lbr_kernels, "look_ahead", lambda *given: None)
    found = []
    for worth in (-1.0, 1.0):  # of raises, and of calls the other way round
        for call in (-1.0, 2.0):
            monkeypatch.setattr(lbr_kernels, "bet_values", value(worth))
            monkeypatch.setattr(lbr_kernels, "call_value", lambda *given, call=call: call)
            found.append(int(python(menu, None, None, 1, real, first, None, None, RANKS, None)))
    raises.extend(a for a in found if a > 0 and a not in raises)
    return [F] * (FOLD in found) + [C] * (CALL in found), raises


def test_decide__offers_what_the_papers_table_says(monkeypatch):
    assert set(OFFERED) == set(PROTOCOLS)
    for name, rounds in OFFERED.items():
        menu = PROTOCOLS[name].menu
        situations = [(r, False, expected) for r, expected in enumerate(rounds)]
        situations.append((0, True, OPENING.get(name, rounds[0])))
        for in_round, first, expected in situations:
            real = facing_a_bet(in_round)
            to_call, low, high = (int(v) for v in limits(real))
            words, raises = offers(monkeypatch, menu, real, first)
            assert words == [w for w in expected if w in (F, C)], (name, in_round, first)
            sizes = expected[-1] if expected[-1] not in (F, C) else []
            pot, top = int(real[POT]) + to_call, int(real[HIGH])
            if sizes == EVEN:
                assert len(raises) == 56, (name, in_round)
                assert (raises[0], raises[-1]) == (low, high)
                steps = np.diff(np.log(np.array(raises) - top))
                np.testing.assert_allclose(steps, steps.mean(), atol=0.012)
            else:
                chips = [high if s == "all-in" else round(top + s * pot) for s in sizes]
                assert raises == chips, (name, in_round, first)


@pytest.mark.usefixtures("one_thread")
def test_respond__who_always_calls_breaks_even_with_who_never_bets():
    run, _ = small_run(2)
    plain, _ = respond(run, open_policy(run, "call"), "fc", 40, 1)
    assert plain.deals.mean == plain.deals.standard_error == 0


@pytest.mark.usefixtures("one_thread")
def test_respond__beats_bad_play_and_its_mean_over_the_range_is_the_same():
    run, policy = two_sizes()
    plain, mean = respond(run, policy, "56flop", 500, 2)
    error = np.hypot(plain.deals.standard_error, mean.deals.standard_error)
    assert abs(plain.deals.mean - mean.deals.mean) < 3 * error
    assert plain.deals.mean > 5 * plain.deals.standard_error


@pytest.mark.usefixtures("one_thread")
def test_respond__same_seed_same_result_and_protocols_differ():
    run, policy = small_run(2)
    first, again = (respond(run, policy, "modicum-2", 30, 4)[0] for _ in range(2))
    assert first == again
    assert first.protocol != respond(run, policy, "fc", 30, 4)[0].protocol


def test_respond__one_deal_has_no_error():
    run, policy = small_run(2)
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        respond(run, policy, "fc", 1, 1)


def test_respond__two_players_only():
    run, policy = small_run(3)
    with pytest.raises(UserError, match="3 seats, 4 rounds of holdem; the local best response"):
        respond(run, policy, "fc", 10, 1)


def test_bound__unknown_protocol(tmp_path):
    with pytest.raises(UserError, match="protocol 'pot': unknown; wanted one of fc, fcpa"):
        bound(tmp_path, "blueprint", "pot", 10, 1, 1, tmp_path / "x.json")


def test_protocols__are_those_that_the_workflow_runs():
    assert tuple(PROTOCOLS) == BOUNDS


@pytest.mark.usefixtures("one_thread")
def test_bound_and_gather__a_table_and_files_that_are_none(tmp_path, monkeypatch):
    run, policy = small_run(2)
    monkeypatch.setattr(lbr, "open_run", lambda folder: run)
    monkeypatch.setattr(type(run), "policy", lambda self, name: policy)
    files = [tmp_path / f"{name}.json" for name in ("fc", "fcpa")]
    for file in files:
        bound(Path("small"), "fold", file.stem, 20, 1, 1, file)
    gather(files, tmp_path / "bounds.json", tmp_path / "bounds.txt")
    rows = json.loads((tmp_path / "bounds.json").read_text())["bounds"]
    assert [(row["a"], row["b"], row["mean"]) for row in rows] == [
        ("lbr-fc", "fold", 250.0), ("lbr-fcpa", "fold", 750.0),
    ]  # fmt: skip
    assert "lbr-fcpa wins +750.0 mbb/game" in (tmp_path / "bounds.txt").read_text()
    again = tmp_path / "again.json"
    again.write_text(files[0].read_text())
    with pytest.raises(UserError, match=r"lbr-fc vs fold is in .*fc\.json and in .*again\.json"):
        gather([*files, again], tmp_path / "x.json", tmp_path / "x.txt")
    other = json.loads(files[1].read_text())
    for key, value in (("game", "another"), ("big_blind", 2), ("payoff", "AIVAT")):
        changed = json.loads(json.dumps(other))
        changed["as_dealt"]["protocol"][key] = value
        again.write_text(json.dumps(changed))
        with pytest.raises(UserError, match=f"{key} is .*{value}.* in lbr-fcpa vs fold"):
            gather([files[0], again], tmp_path / "x.json", tmp_path / "x.txt")
    assert not (tmp_path / "x.json").exists()
    files[0].write_text("{}")
    with pytest.raises(UserError, match=r"fc\.json: no local best response"):
        gather(files, tmp_path / "bounds.json", tmp_path / "bounds.txt")


def scene_of(run, board, hole):
    """Before the first action, to who holds ``hole``."""
    cards = hole_cards(run.ranks)
    holes = len(cards)
    made = Scene(
        np.empty((4, holes), np.int32), np.empty((4, holes)), np.zeros(4, np.bool_),
        np.zeros((PLACES, holes)), np.empty(PLACES, np.int64),
        np.empty((PLACES, LENGTH), np.int64), np.empty(holes), cards,
    )  # fmt: skip
    made.at[0], made.hands[0], made.belief[0] = 0, begin(run.game), 1.0
    remove(made, 1, hole)
    fill_buckets(run.dealer.tables, board, cards, made.bucket)
    return made


def test_places__where_the_shadow_is_whatever_is_raised():
    run, policy = two_sizes()
    player, random, off_tree = opponent(run, policy), np.random.default_rng(2), 0
    for _ in range(60):
        real, x, hand = begin(run.game), 0, begin(run.game)
        shadow = Shadow(run.game, run.tree)
        while real[PHASE] == BETTING:
            x = meet(player, x, hand, real)
            met = shadow.copy().meet(real)
            assert has_met(hand, real) == met
            to_call, low, high = (int(v) for v in limits(real))
            choices = [CALL] + [FOLD] * (to_call > 0 and random.random() < 0.1)
            if high:
                choices += [int(random.integers(low, min(low + 400, high) + 1)), high]
            action, u = int(random.choice(choices)), float(random.random())
            if met:
                shadow.meet(real)
                assert shadow.node == x
                n = len(actions(run.tree, x))
                found = [int(real_action(player, x, hand, real, a)) for a in range(n)]
                assert found == shadow.real(real)
                one, other, share = translate(player, x, hand, real, action)
                expected = shadow.translate(real, action, u)
                actual = int(one if u < share else other)
                assert actual == expected
                off_tree += one != other
                x = int(player.node[x, 1]) + actions(run.tree, x).index(actual)
                apply(hand, actual)
            shadow.act(real, action, u)
            assert shadow.node == x
            apply(real, action)
    assert off_tree > 10


def test_move__beliefs_by_bayes_rule():
    run, policy = small_run(2)
    hole, board = as_cards("AhKd", RANKS), as_cards("QcTd9s9hQs", RANKS)
    player, scene, real = opponent(run, policy), scene_of(run, board, hole), begin(run.game)
    seat, offered = int(real[ACTOR]), actions(run.tree, 0)
    places, true = move(player, scene, 1, real, offered[2], True, 0.3, 0)
    assert (places, true) == (1, 0)
    rows = blueprint_rows(run, policy, 0, blueprint_buckets(run, np.empty(0, np.int8)))
    prior = ~np.isin(hole_cards(RANKS), hole).any(axis=1)
    expected = prior * rows[:, 2]
    np.testing.assert_allclose(scene.belief[0], expected / expected.sum(), rtol=1e-12)
    assert seat == 0


def test_move__a_raise_between_two_sizes_leaves_two_places():
    run, policy = two_sizes()
    hole, board = as_cards("AhKd", RANKS), as_cards("QcTd9s9hQs", RANKS)
    player, scene, real = opponent(run, policy), scene_of(run, board, hole), begin(run.game)
    small, large = (a for a in actions(run.tree, 0) if a > 0)
    raise_to = (small + large) // 2
    one, other, share = translate(player, 0, scene.hands[0], real, raise_to)
    assert (one, other) == (small, large)
    places, true = move(player, scene, 1, real, raise_to, False, 0.999, 0)
    assert places == 2
    weights = sorted(scene.belief[:2].sum(axis=1))
    np.testing.assert_allclose(weights, sorted([share, 1 - share]))
    assert run.tree.action[scene.at[true]] == large


def test_look_ahead__equity_by_every_board():
    run, policy = small_run(2)
    hole, board = as_cards("AhKd", RANKS), as_cards("QcTd9s9hQs", RANKS)
    for in_round, seen in ((1, 3), (2, 4), (3, 5)):
        scene = scene_of(run, board, hole)
        look_ahead(scene, in_round, hole, board, RANKS, np.zeros((36, 36)))
        for text in ("AcAd", "JhTh", "9c9d"):
            other = as_cards(text, RANKS)
            used = {*hole.tolist(), *board[:seen].tolist(), *other.tolist()}
            left = [c for c in range(4 * RANKS) if c not in used]
            runs = [[]] if seen == 5 else [[c] for c in left]
            if seen == 3:
                runs = [[a, b] for a in left for b in left if a < b]
            won = []
            for extra in runs:
                full = [*board[:seen].tolist(), *extra]
                mine, theirs = (hand_value([*h, *full], RANKS) for h in (hole, other))
                won.append((mine > theirs) + (mine == theirs) / 2)
            assert scene.equity[in_round, hole_id(*other)] == pytest.approx(np.mean(won))


def test_values__of_a_call_and_a_bet_by_the_formula():
    """Lisy and Bowling 2017, algorithm 1."""
    run, policy = small_run(2)
    hole, board = as_cards("AhKd", RANKS), as_cards("QcTd9s9hQs", RANKS)
    player, scene, real = opponent(run, policy), scene_of(run, board, hole), begin(run.game)
    places = 1
    for _ in range(2):  # limp and check; then the big blind is first to act
        places, _ = move(player, scene, places, real, CALL, real[ACTOR] == 0, 0.5, 0)
        apply(real, CALL)
    remove(scene, 1, board[:3])
    look_ahead(scene, 1, hole, board, RANKS, np.zeros((36, 36)))
    belief, equity = scene.belief[0].copy(), scene.equity[1].copy()
    wp = (belief * equity).sum()
    assert call_value(scene, 1, real) == pytest.approx(wp * 200)
    node = int(scene.at[0])
    bet = next(a for a in actions(run.tree, node) if a > 0)
    child = int(run.tree.node[node, 1]) + actions(run.tree, node).index(bet)
    rows = blueprint_rows(run, policy, child, blueprint_buckets(run, board[:3]))
    fp = (belief * rows[:, 0]).sum()
    called = belief * (1 - rows[:, 0])
    wp = (called * equity).sum() / called.sum()
    more = bet - 100
    expected = fp * 200 + (1 - fp) * (wp * (200 + more) - (1 - wp) * more)
    actual = np.empty(1)
    bet_values(player, scene, 1, real, np.array([bet]), 1, actual)
    assert actual[0] == pytest.approx(expected)
