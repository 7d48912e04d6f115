"""Our hold'em and OpenSpiel's are one game, and its words are translated without loss."""

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

import pyspiel

from evaluation.seated import Wild
from oracles.games import holdem
from sixmax.agents.openspiel import holdem as openspiel
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.games.holdem import deal_cards
from sixmax.hands.record import UNSEEN


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_universal_poker__pays_allows_and_shows_what_our_rules_do(seats):
    """Decisions of players that raise to any number of chips: legal actions, knowledge, pay."""
    rules = holdem([1000] * seats)
    theirs, decisions, raises = openspiel.load(rules), 0, set()
    for number in range(40):
        cards = deal_cards(seats, number, seats, 13)
        record = play_hand([Wild() for _ in range(seats)], rules, 13, cards, number, number)
        state, betting, board = theirs.new_initial_state(), Betting(rules), cards[2 * seats :]
        for card in cards[: 2 * seats]:
            state.apply_action(int(card))
        for r, part in enumerate(record.actions):
            for card in board[SEEN[r - 1] if r else 0 : SEEN[r]]:
                state.apply_action(int(card))
            for k, (seat, action) in enumerate(part):
                seen, done = openspiel.seen_by(state, seat, 7), [*record.actions[:r], part[:k]]
                assert (seen.position, seen.number) == (seat, 7)
                assert [list(a) for a in seen.actions] == [[a for _, a in p] for p in done]
                np.testing.assert_array_equal(seen.board, board[: SEEN[r]])
                np.testing.assert_array_equal(seen.holes[seat], cards[2 * seat : 2 * seat + 2])
                assert (np.delete(seen.holes, seat, 0) == UNSEEN).all()
                expected = [CALL] if betting.to_call == 0 else [FOLD, CALL]
                if betting.raise_range:
                    expected += range(betting.raise_range[0], betting.raise_range[1] + 1)
                assert [openspiel.to_ours(a) for a in state.legal_actions()] == expected
                assert state.current_player() == seat == betting.actor
                state.apply_action(openspiel.to_theirs(action))
                betting.act(action)
                decisions += 1
                raises.add(action)
        while state.is_chance_node():  # all-in: the board is dealt to its end
            dealt = len([a for a in state.history()]) - 2 * seats - sum(map(len, record.actions))
            state.apply_action(int(board[dealt]))
        assert state.is_terminal()
        assert state.returns() == pytest.approx(record.payoffs.tolist())
        assert openspiel.betting_of(state)[: len(record.actions)] == tuple(
            tuple(a for _, a in part) for part in record.actions
        )
    assert decisions > 150
    assert len(raises) > 30


def test_rules_of__reads_the_game_back_and_refuses_others():
    rules = holdem([1000, 1000, 1000])
    read, ranks = openspiel.rules_of(openspiel.load(rules))
    keys = ("stacks", "blinds", "antes", "first")
    assert [getattr(read, key) for key in keys] == [getattr(rules, key) for key in keys]
    assert ranks == 13
    with pytest.raises(UserError, match="wanted universal_poker"):
        openspiel.rules_of(pyspiel.load_game("leduc_poker"))
    with pytest.raises(UserError, match="numRounds"):
        openspiel.rules_of(pyspiel.load_game("universal_poker"))


def test_nearest__takes_the_raise_of_an_abstract_table_by_its_chips():
    """The pot is 300 after a call of 100: fcpa has raises to 300 and to 1,000."""
    parameters = dict(
        openspiel.load(holdem([1000, 1000])).get_parameters(), bettingAbstraction="fcpa"
    )
    state = pyspiel.load_game("universal_poker", parameters).new_initial_state()
    for card in range(4):
        state.apply_action(card)
    raises = [a for a in state.legal_actions() if a > 1]
    sizes = [openspiel.betting_of(state.child(a))[0][-1] for a in raises]
    assert sizes == [300, 1000]
    for chips, expected in ((200, 300), (300, 300), (640, 300), (660, 1000), (1000, 1000)):
        assert openspiel.nearest(state, chips) == raises[sizes.index(expected)]
    assert openspiel.nearest(state, FOLD) == 0
    assert openspiel.nearest(state, CALL) == 1
