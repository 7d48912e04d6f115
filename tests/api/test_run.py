"""A run by the face: spots, ranges, EV, searches, a seat; the same as by the commands."""

import numpy as np
import pytest

import sixmax as sx
from commands import called
from serve.conftest import QUICK, finished, post
from sixmax.cards.ranges import parse_range

FLOP = {"actions": "r350 c f /", "board": "AhKd9c"}


def test_open__says_what_it_is(opened, run):
    assert opened.run.identity == run.identity
    assert repr(opened).startswith("small: holdem, 3 players, stacks 2000, blinds")
    assert {"blueprint", "snapshot-00001", "continuation-fold", "rule", "search"} <= set(
        opened.agents
    )
    assert opened.to_dict()["infoset_actions"] == run.layout.size


def test_open__of_nothing_is_one_line(tmp_path):
    with pytest.raises(sx.UserError) as error:
        sx.open(tmp_path / "none")
    assert "\n" not in str(error.value)


def test_at__takes_actions_as_people_write_them(opened):
    first, second = opened.at(**FLOP), opened.at("r350cf/", "AhKd9c")
    assert first.path == second.path == "r350cf/"
    assert (first.player, first.pot, first.board) == (second.player, second.pot, "AhKd9c")
    assert first.players == ["SB", "BTN"]
    later = first.after("c c /", "Td")
    assert (later.path, later.board) == ("r350cf/cc/", "AhKd9cTd")


def test_strategy__of_words_is_the_mean_by_weight(opened):
    spot = opened.at(**FLOP)
    chart = spot.strategy()
    both = spot.strategy("QQ,JJ")
    one, other = spot.strategy("QQ"), spot.strategy("JJ")
    low, high = np.minimum(one.chances, other.chances), np.maximum(one.chances, other.chances)
    assert (both.chances >= low - 1e-12).all()
    assert (both.chances <= high + 1e-12).all()
    assert chart.total.sum() == pytest.approx(1)
    assert both.to_dict() == dict(zip(spot.actions, both.chances.tolist(), strict=True))
    assert both[spot.actions[0]] == both.chances[0]
    with pytest.raises(sx.UserError, match="the board has a card of it"):
        spot.strategy("AhQs")
    with pytest.raises(sx.UserError, match="found 'XX', wanted AA"):
        spot.strategy("XX")


def test_range__is_reach_and_its_words_read_back(opened):
    spot = opened.at(**FLOP)
    mine = spot.range()
    assert mine.player == spot.player
    assert mine.weights.max() == 1
    other = spot.range("btn")
    assert (other.weights[~spot.chart.range.free] == 0).all()
    read = parse_range(other.words, 6) * spot.chart.range.free  # words name whole classes
    assert np.abs(read - other.weights).max() < 6e-4
    with pytest.raises(sx.UserError, match=r"player 'CO': unknown; .*there are SB, BB, BTN"):
        spot.range("CO")


def test_ev__is_that_of_the_command(opened, folder):
    spot = opened.at("r350")
    values = spot.ev(deals=128)
    assert values.deals == 128
    assert opened.at("r350").ev(deals=65).deals == 128
    done = called("worth", "r350", "--less", "c", "--deals", 128, "--run", folder)
    line = next(row for row in done.output.splitlines() if row.startswith("range"))
    of_range = values.range
    wanted = [
        (of_range[a].mean - of_range["c"].mean) / opened.run.big_blind
        for a in spot.actions if a != "c"
    ]  # fmt: skip
    actual = [float(word) for word in line.split() if word[0] in "+-" and len(word) > 1]
    assert actual == pytest.approx(wanted, abs=1e-3)
    assert values.of("AA")["f"].mean == 0
    assert values.of("AA").mixed.half > 0


def test_search__is_that_of_the_site(opened, client):
    asked = {"actions": "r350cf/", "board": "AhKd9c", "setting": "full"}
    answer = post(client, "/api/search", asked)
    values = finished(client, answer.json())["result"]
    actual = opened.at(**FLOP).search(**QUICK)
    assert actual.chart.to_dict()["classes"] == values["classes"]
    assert actual.chart.to_dict()["total"] == values["total"]
    assert [list(map(float, actual.range(b["seat"]).heights.round(4))) for b in
            values["beliefs"]] == [b["grid"] for b in values["beliefs"]]  # fmt: skip
    with pytest.raises(sx.UserError, match="setting 'slow': wanted full or fast"):
        opened.at(**FLOP).search(setting="slow")
    with pytest.raises(sx.UserError, match="iteration"):
        opened.at(**FLOP).search(iterations=-1)


def test_search__has_exact_values_where_all_hands_are_solved(opened):
    spot = opened.at("r350 c f / c c / c c /", "AhKd9cTdQs").search(**QUICK)
    assert spot.has_values
    assert np.nanmax(np.abs(spot.chips)) > 0


def test_play__a_hand_to_its_end(opened):
    table = opened.play(against="call", seat="BTN", seed=4)
    assert "you are BTN" in repr(table)
    with pytest.raises(sx.UserError):
        table.act("o")
    while not table.over:
        table.act("c")
    assert "all cards" in repr(table)
    assert len(table.review()) >= 1
    assert "hand 2" in repr(table.next_hand())


MISTAKES = [
    (lambda run: sx.open(None), "path: found None, wanted text like 'starter.sixmax'"),
    (lambda run: run.agent(None), "agent: found None, wanted text"),
    (lambda run: run.agent("blueprnt"), "agent 'blueprnt': unknown; did you mean 'blueprint'"),
    (lambda run: run.agent("call", setting="fast"), "found setting, wanted no settings"),
    (lambda run: run.agent("search", setting="fsat"), "setting 'fsat': wanted full or fast"),
    (lambda run: run.agent("search", iterationz=1), "iterationz"),
    (lambda run: run.agent("search", iterations={1}), "wanted plain values"),
    (lambda run: run.at(None), "actions: found None, wanted text like"),
    (lambda run: run.at("c", board=5), "board: found 5, wanted text like"),
    (lambda run: run.at("b300"), "actions 'b300': wanted rN, a raise to N chips"),
    (lambda run: run.at().range(5), "player: found 5, wanted text like"),
    (lambda run: run.at().strategy(7), "hand: found 7, wanted text like 'AKs'"),
    (lambda run: run.at().strategy("AA")["x"], "action 'x': unknown; there are f, c"),
    (lambda run: run.at().chart.text("x"), "action 'x': unknown"),
    (lambda run: run.at().ev(deals=0), "deals: found 0, wanted a whole number, 1 or more"),
    (lambda run: run.at().ev(deals=64, seed=-1), "seed: found -1, wanted a whole number, 0 or"),
    (lambda run: run.at(agent="call").search(), "agent 'call': a search begins with beliefs by"),
    (lambda run: run.play(against=5), "against: found 5, wanted a name"),
    (lambda run: run.play(seat=None), "seat: found None, wanted text like 'BTN'"),
    (lambda run: run.play(against="call").act(None), "action: found None, wanted text"),
]


@pytest.mark.parametrize(("mistake", "expected"), MISTAKES)
def test_mistake__is_one_line(opened, mistake, expected):
    with pytest.raises(sx.UserError, match=expected) as error:
        mistake(opened)
    assert "\n" not in str(error.value)


def test_spot__where_nobody_acts_is_refused(opened):
    with pytest.raises(sx.UserError, match="the hand is over"):
        opened.at("f f")
    with pytest.raises(sx.UserError, match="has no table"):
        opened.at("", agent="search")


def test_repr_html__has_a_cell_for_each_class(opened):
    for shown in (opened.at("r350"), opened.at(**FLOP).range("BTN"), opened.at("r350").chart):
        assert shown._repr_html_().count("<span title=") == 36
