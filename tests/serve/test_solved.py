"""A solved endgame as pages: its numbers are the solver's own, mistakes are a line."""

import itertools
import json
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sixmax as sx
from oracles.cards import best_hand
from serve.conftest import client_of, finished, post
from sixmax.api.endgame import PLAYERS
from sixmax.api.strategy import hole_names
from sixmax.base.errors import UserError
from sixmax.cards.deck import hole_cards, parse_cards
from sixmax.cfr.layout import strategy_at
from sixmax.search.solvers.ranges.values import action_values, values_by_hole
from sixmax.serve.app import SolvedSite
from sixmax.serve.server import Listening, serve
from sixmax.serve.solved import Solved, equity
from sixmax.store import write

RANGES = "AA,KQs,9d9c:0.5", "QQ,T9s,A5s"
TURN = {"actions": "cr150c/", "board": "4s8hTcQd"}
RIVER = {"actions": "cr150c/cc/c", "board": "4s8hTcQd2d"}


@pytest.fixture(scope="session")
def flop():
    """A flop: 150 in front of each in a pot of 100, so the first bet of 100 is a raise to 150."""
    end = sx.endgame("4s8hTc", 100, 300, RANGES, bets=[[1, "A"], ["A"]])
    return sx.solve(end, iterations=12)


@pytest.fixture(scope="session")
def solved(flop, tmp_path_factory):
    path = tmp_path_factory.mktemp("solved") / "answer.zarr"
    flop.save(path)
    return Solved(path)


@pytest.fixture(scope="module")
def client(solved):
    return client_of(SolvedSite(solved))


def by_hand(shown, holes=None):
    """{hand: its row} of the combos of a page; ``holes`` has rows in the same order."""
    combos = [combo for k in shown["holes"] for combo in shown["holes"][k]]
    if holes is None:
        return {name: row for name, _, _, row in combos}
    rows = [row for k in shown["holes"] for row in holes[k]]
    return dict(zip([name for name, *_ in combos], rows, strict=True))


def worth(client, address, player):
    job = post(client, "/api/worth", {**address, "agent": player})
    assert job.status_code == 202, job.text
    done = finished(client, job.json(), path="/api/worth")
    assert done["state"] == "done", done["error"]
    return done["result"]["ev"]


def test_page__two_rounds_later_has_the_numbers_of_the_solver(client, flop):
    """The solver alone, led to the river by the nodes of its own trees."""
    page = client.get("/api/spot", params=RIVER).json()
    queen, deuce = parse_cards("Qd2d").tolist()
    turn = flop.solver.after(flop.game.tree.find([0, 150, 0]), queen)
    river = turn.after(turn.game.tree.find([0, 0]), deuce)
    node = river.game.tree.find([0])
    rows = strategy_at(river.game.tree, river.game.layout, river.strategy(), node)
    chips, _ = action_values(river, node)
    seat = river.game.tree.seat(node)
    assert PLAYERS[seat] == page["now"]["seat"] == "IP"
    shown = page["strategies"][0]
    actual, names = by_hand(shown), hole_names(13)
    own, other = (river.game.hands[player].first for player in (seat, 1 - seat))
    assert len(own) > 800
    assert max(abs(rows[h] - actual[names[h]]).max() for h in own) <= 5e-5
    ev = worth(client, RIVER, "IP")
    values = by_hand(shown, ev["holes"])
    known = [h for h in own if np.isfinite(chips[:, h]).all()]
    assert len(known) > 800
    for h in known:
        expected = [rows[h] @ chips[:, h] + 150, *(chips[:, h] + 150)]
        assert [mean for mean, _ in values[names[h]]] == pytest.approx(expected, abs=6e-3)
    expected = values_by_hole(river, 2, node, False)[1 - seat] + 150
    values = by_hand(page["strategies"][1], worth(client, RIVER, "OOP")["holes"])
    known = [h for h in other if np.isfinite(expected[h])]
    assert len(known) > 800
    assert [values[names[h]][0][0] for h in known] == pytest.approx(expected[known], abs=6e-3)


@pytest.mark.parametrize("address", [{}, {"actions": "cr150"}, TURN, RIVER])
def test_worth__of_both_is_the_pot_and_so_is_equity(client, address):
    """What both add to the pot one of them wins back."""
    page = client.get("/api/spot", params=address).json()
    pot, options = page["table"]["pot"], page["now"]["options"]
    first, second = (worth(client, address, player) for player in PLAYERS)
    assert first["range"][0][0] + second["range"][0][0] == pytest.approx(pot, abs=0.02)
    assert first["equity"]["range"][0][0] + second["equity"]["range"][0][0] == pytest.approx(100)
    acts, waits = (first, second) if len(first["range"]) > 1 else (second, first)
    assert (len(acts["range"]), len(waits["range"])) == (1 + len(options), 1)


def test_equity__is_the_mean_over_rivers_and_hands_of_the_other(solved, flop):
    """Hand by hand: every pair of holes, every river, the better of seven cards."""
    spot = flop.at("c b100 c /", "Qd")
    held = [np.flatnonzero(spot.range(player).weights) for player in PLAYERS]
    weights, cards = [spot.range(player).weights for player in PLAYERS], hole_cards(13)
    board, actual = spot.cards.tolist(), equity(spot)
    for mine in held[0][::3]:
        won = dealt = 0.0
        for theirs in held[1]:
            seen = {*cards[mine].tolist(), *cards[theirs].tolist(), *board}
            if len(seen) < 8:
                continue
            rivers = [card for card in range(52) if card not in seen]
            for river in rivers:
                a, b = (best_hand((*cards[h].tolist(), *board, river)) for h in (mine, theirs))
                won += weights[1][theirs] * ((a > b) + (a == b) / 2) / len(rivers)
            dealt += weights[1][theirs]
        assert actual[0, mine] == pytest.approx(won / dealt, abs=1e-5)
    assert np.isnan(actual[:, ~(weights[0] > 0) & ~(weights[1] > 0)]).all()


def test_page__is_a_path_with_the_address_of_every_other_action(client):
    page = client.get("/api/spot", params=RIVER).json()
    path = [entry.get("seat") or "".join(entry["deal"]) for entry in page["path"]]
    assert path == ["OOP", "IP", "OOP", "Qd", "OOP", "IP", "2d", "OOP"]
    assert page["table"]["board"] == ["4s", "8h", "Tc", "Qd", "2d"]
    assert (page["table"]["round"], page["table"]["pot"]) == ("river", 300)
    entries = [e for e in [*page["path"], page["now"]] if "options" in e]
    for option in itertools.chain(*(entry["options"] for entry in entries)):
        answer = client.get("/api/spot", params=option["address"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["state"] in ("decide", "deal", "over")
    shares = [s["label"] for s in page["strategies"]]
    assert shares[0].startswith("IP to act, ")
    assert shares[1].startswith("OOP, ")


def test_page__waits_for_a_card_and_ends(client):
    waits = client.get("/api/spot", params={"actions": "cr150c/", "board": "4s8hTc"}).json()
    assert (waits["state"], waits["table"]["round"], waits["strategies"]) == ("deal", "turn", [])
    assert waits["address"] == {"actions": "cr150c/", "board": "4s8hTc"}
    over = client.get("/api/spot", params={"actions": "r150f"}).json()
    assert (over["state"], over["table"]["result"]) == ("over", "OOP wins the pot")
    allin = client.get("/api/spot", params={"actions": "r350c"}).json()
    assert (allin["state"], allin["table"]["result"]) == ("over", "showdown: OOP, IP")


WRONG = [
    ({"actions": "r100"}, "action 'r100': OOP is to act, wanted one of c, r150, r350"),
    ({"actions": "ccc"}, "the round is over; put a / before it"),
    ({"actions": "c/"}, "the round is not over at the slash"),
    ({"actions": "r350c/", "board": "4s8hTcQd"}, "the hand is over at the slash"),
    ({"actions": "cc/c", "board": "4s8hTc"}, "wanted the card of the turn"),
    ({"actions": "c", "board": "4s8hTcQd"}, "found 1 cards after the start, the actions want 0"),
    ({"board": "4s8hTd"}, "the endgame begins on 4s8hTc"),
    ({"board": "4s8hTcTc"}, "Tc"),
    ({"actions": "x"}, "wanted f, c and rN"),
    ({"agent": "rule"}, "a solved endgame has one strategy"),
    ({"beside": "blueprint"}, "a solved endgame has one strategy"),
    ({"run": "x"}, "field 'run'"),
]


@pytest.mark.parametrize(("query", "why"), WRONG)
def test_mistakes__are_one_line(client, query, why):
    answer = client.get("/api/spot", params=query)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"agent": "blueprint"}, "found 'blueprint', wanted OOP or IP"),
        ({"agent": "OOP", "actions": "r150f"}, "nobody is to act"),
        ({"agent": "OOP", "actions": "f"}, "wanted one of c"),
    ],
)
def test_worth__of_what_is_not_there_is_a_line(client, body, why):
    answer = post(client, "/api/worth", body)
    if answer.status_code == 202:
        assert why in finished(client, answer.json(), path="/api/worth")["error"]
    else:
        assert (answer.status_code, why in answer.json()["error"]) == (400, True)


def test_site__has_explore_alone(client):
    text = client.get("/").text
    assert "answer.zarr" in text
    assert "exploitability" in text
    assert "<script>" not in text
    assert "style=" not in text
    for path in ("/play", "/review", "/api/size"):
        assert client.get(path).status_code == 404
    assert post(client, "/api/search", {}).status_code in (404, 405)


def test_serve__refuses_another_kind_of_store(tmp_path):
    write(tmp_path / "s.zarr", "strategy", {"policy": np.zeros(9, np.uint8)})
    with pytest.raises(UserError, match="wanted 'sixmax/endgame'"):
        serve(tmp_path / "s.zarr", None, None, None, 1, Listening(port=0))
    with pytest.raises(UserError, match="no such store"):
        serve(tmp_path / "none.zarr", None, None, None, 1, Listening(port=0))
    with pytest.raises(UserError, match="goes without --run, --against and --config"):
        serve(tmp_path / "s.zarr", tmp_path, None, None, 1, Listening(port=0))


WORDS = st.one_of(
    st.text(max_size=20), st.text(alphabet="fcr/0123459", max_size=24),
    st.text(alphabet="48TQAcdhs/ x", max_size=12),
)  # fmt: skip
FIELDS = st.dictionaries(
    st.sampled_from(["actions", "board", "agent", "beside", "x"]), WORDS, max_size=4
)


@settings(max_examples=150)
@given(fields=FIELDS)
def test_fuzz__no_query_is_an_error_of_the_server(client, fields):
    answer = client.get("/api/spot", params=fields)
    assert answer.status_code in (200, 400), quote(str(fields))
    json.loads(answer.text, parse_constant=lambda name: pytest.fail(name))
