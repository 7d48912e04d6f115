"""The page of a spot says the same as the command line."""

import time

import numpy as np
import pytest

from commands import called
from sixmax.api.walk import Address
from sixmax.base.errors import UserError
from sixmax.cards.deck import class_names
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.preflop_chart import find
from sixmax.serve.spot import spot, typed

FLOP = Address("r350cf/", "AhKd9c")  # a pot of 800, 350 put in by each


def printed(folder, agent, *actions):
    """The table of ``sixmax strategy``: its columns, and rows by hand class in percent."""
    done = called("strategy", "--run", folder, "--agent", agent, *actions)
    lines = done.output.splitlines()
    cells = {line.split()[0]: line.replace("%", "").split()[1:] for line in lines[3:]}
    return lines[2].split()[1:], {name: list(map(float, row)) for name, row in cells.items()}


@pytest.mark.parametrize("agent", ["blueprint", "blueprint-purified", "snapshot-00001"])
@pytest.mark.parametrize("actions", [(), ("c",), ("r350", "c")])
def test_spot__has_the_frequencies_that_strategy_prints(folder, run, library, agent, actions):
    columns, expected = printed(folder, agent, *actions)
    (actual,) = spot(library, Address("".join(actions), agent=agent))["strategies"]
    assert [option["word"] for option in actual["options"]] == columns
    for name, row in zip(class_names(run.ranks), actual["classes"], strict=True):
        assert np.abs(100 * np.array(row) - expected[name]).max() <= 0.51, name
    if not actions:  # later the site weighs hands by their reach, and the command does not
        assert np.abs(100 * np.array(actual["total"]) - expected["all"]).max() <= 0.051


def test_spot__after_the_flop_has_each_combo_with_its_bucket(run, library):
    actual = spot(library, Address("r350cf/", "AhKd9c"))
    (strategy,) = actual["strategies"]
    board = np.array([22, 17, 0], np.int8)
    bucket = blueprint_buckets(run, board)
    node = find(run, ("r350", "c", "f"))
    rows = blueprint_rows(run, run.policy("blueprint"), node, bucket)
    combos = [combo for combos in strategy["holes"].values() for combo in combos]
    assert len(combos) == (bucket >= 0).sum() == 21 * 20 / 2
    names = "9TJQKA"
    for cards, number, _, row in combos:
        a, b = (4 * names.index(cards[k]) + "cdhs".index(cards[k + 1]) for k in (0, 2))
        hole = max(a, b) * (max(a, b) - 1) // 2 + min(a, b)
        assert number == bucket[hole]
        assert np.allclose(row, rows[hole], atol=1e-4)
    assert actual["table"]["board"] == ["Ah", "Kd", "9c"]
    assert strategy["combos"][class_names(run.ranks).index("AA")] == 3


def test_reach__is_the_product_of_the_own_decisions(run, library):
    (strategy,) = spot(library, Address("cr400c"))["strategies"]  # the button called first
    policy, empty = run.policy("blueprint"), np.empty(0, np.int8)
    bucket = blueprint_buckets(run, empty)
    first = blueprint_rows(run, policy, find(run, ()), bucket)[:, 1]
    assert strategy["name"] == "blueprint"
    by_class = dict(zip(bucket, first, strict=True))
    assert np.allclose(strategy["reach"], [by_class[k] for k in range(36)], atol=1e-4)


def test_path__has_every_alternative_with_its_address(library):
    path = spot(library, Address("r350cf/r950", "AhKd9c"))["path"]
    assert [entry.get("seat") or entry["deal"] for entry in path] == [
        "BTN", "SB", "BB", ["Ah", "Kd", "9c"], "SB",
    ]  # fmt: skip
    taken = [[o["word"] for o in e["options"] if o["taken"]] for e in path if "options" in e]
    assert taken == [["r350"], ["c"], ["f"], ["r950"]]
    fold = path[2]["options"][0]
    assert fold["address"] == {"actions": "r350cf/", "board": ""}
    assert path[4]["options"][0]["address"] == {"actions": "r350cf/c", "board": "AhKd9c"}


def test_path__shares_are_those_of_the_spot_itself(library):
    """Not weighed by the action that was then taken there."""
    first = spot(library, Address("r350cf/", "AhKd9c"))["path"][0]["options"]
    here = spot(library, Address())["now"]["options"]
    assert [o["share"] for o in first] == [o["share"] for o in here]
    assert len({o["share"] for o in first}) > 1


def test_path__every_address_on_it_opens(library):
    start = spot(library, Address("r350cf/c", "AhKd9c"))
    entries = [e for e in [*start["path"], start["now"]] if "options" in e]
    for option in (option for entry in entries for option in entry["options"]):
        assert spot(library, Address(**option["address"]))["state"] in ("decide", "deal", "over")


def test_off_tree__size_is_followed_by_the_likelier_and_says_so(library):
    off = spot(library, Address("r350cf/r950", "AhKd9c"))  # three quarters of a pot of 800
    sizes = off["path"][-1]["translation"]
    assert [(size["word"], size["pots"]) for size in sizes["sizes"]] == [
        ("r750", 0.5), ("r1550", 1.5),
    ]  # fmt: skip
    # The pseudo-harmonic mapping (Ganzfried & Sandholm 2013) by hand.
    expected = (1.5 - 0.75) * (1 + 0.5) / ((1.5 - 0.5) * (1 + 0.75))
    assert [size["share"] for size in sizes["sizes"]] == pytest.approx(
        [expected, 1 - expected], abs=1e-4
    )
    assert sizes["followed"] == "r750"
    on = spot(library, Address("r350cf/r750", "AhKd9c"))
    assert off["strategies"][0]["classes"] == on["strategies"][0]["classes"]
    assert on["path"][-1]["translation"] is None


def test_table__counts_bets_of_the_round(library):
    table = spot(library, Address("r350cf/r950", "AhKd9c"))["table"]
    seats = {seat["name"]: seat for seat in table["seats"]}
    assert table["pot"] == 950 + 100 + 350
    assert {name: seat["bet"] for name, seat in seats.items()} == {"SB": 600, "BB": 0, "BTN": 0}
    assert [seat["stack"] for seat in table["seats"]] == [1050, 1900, 1650]
    assert (seats["BB"]["folded"], seats["BTN"]["acts"]) == (True, True)
    assert table["to_call"] == 600
    before = spot(library, Address("c"))["table"]["seats"]
    assert [seat["bet"] for seat in before] == [50, 100, 100]


@pytest.mark.parametrize(
    ("address", "state", "needs"),
    [
        (Address(), "decide", 0), (Address("r350cf"), "deal", 3), (Address("r350cf/"), "deal", 3),
        (Address("r350cf/cc", "AhKd9c"), "deal", 1), (Address("ff"), "over", 0),
        (Address("r2000cf"), "over", 0),
    ],
)  # fmt: skip
def test_state__says_what_comes_next(library, address, state, needs):
    actual = spot(library, address)
    assert (actual["state"], actual["needs"]) == (state, needs)


@pytest.mark.parametrize("name", ["continuation-call", "against:snapshot-00001", "rule"])
def test_beside__has_the_other_strategy_of_the_same_spot(library, name):
    mine, other = spot(library, Address("r350", beside=name))["strategies"]
    assert (mine["name"], other["name"]) == ("blueprint", name)
    assert [o["word"] for o in mine["options"]] == [o["word"] for o in other["options"]]
    assert mine["classes"] != other["classes"]
    pure = {x for row in other["classes"] for x in row} == {0.0, 1.0}
    assert pure == (not name.startswith("against"))


@pytest.mark.parametrize("name", ["snapshot-00009", "search", "../x", "against:nobody"])
def test_beside__of_an_unknown_agent_is_refused(library, name):
    with pytest.raises(UserError, match="unknown"):
        spot(library, Address(beside=name))


def test_spot__takes_a_moment_once_it_is_warm(library):
    address = Address("r350cf/r950", "AhKd9c", beside="against:snapshot-00001")
    spent = []
    for _ in range(6):
        begun = time.process_time()  # of this process: others may have the machine
        spot(library, address)
        spent.append(time.process_time() - begun)
    assert min(spent[1:]) < 0.1  # seconds


@pytest.mark.parametrize(
    ("text", "word", "chips"),
    [
        ("600", "r950", 600), (" 6bb ", "r950", 600), ("6.5 bb", "r1000", 650),
        ("75%", "r950", 600), ("r950", "r950", 600), ("All-in", "r2000", 1650),
    ],
)  # fmt: skip
def test_typed__counts_chips_of_the_round(library, text, word, chips):
    actual = typed(library, FLOP, text)
    assert (actual["word"], actual["chips"]) == (word, chips)
    assert actual["address"] == {"actions": f"r350cf/{word}", "board": "AhKd9c"}
    assert actual["kind"] == "bet"


def test_typed__shows_the_translation_before_it_is_played(library):
    assert typed(library, FLOP, "400")["translation"] is None
    sizes = typed(library, FLOP, "600")["translation"]["sizes"]
    assert [size["word"] for size in sizes] == ["r750", "r1550"]


@pytest.mark.parametrize(
    ("address", "text", "why"),
    [
        (FLOP, "", "wanted chips as in 300"), (FLOP, "much", "found|wanted chips as in 300"),
        (FLOP, "-5", "wanted chips"), (FLOP, "1e9", "wanted chips"), (FLOP, "٣٠٠", "wanted chips"),
        (FLOP, "1", "SB raises to 351, wanted 450 to 2000"),
        (FLOP, "999999999", "wanted 450 to 2000"),
        (Address("r2000c"), "5bb", "no raise is possible"),
        (Address("ff"), "5bb", "the hand is over"),
    ],
)  # fmt: skip
def test_typed__mistakes_are_told(library, address, text, why):
    with pytest.raises(UserError, match=why):
        typed(library, address, text)
