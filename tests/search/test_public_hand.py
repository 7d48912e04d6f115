"""A hand as the table sees it: beliefs by Bayes, when it is searched, knowledge used."""

import numpy as np
import pytest

from search.holdem import RANKS, SEARCH, on, small_run
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import hole_cards, hole_id, parse_cards
from sixmax.cfr.layout import infoset
from sixmax.ongoing.hand import Play, blueprint_buckets
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchResult

NEVER = SEARCH.model_copy(update={"first": 4, "off_tree": None})


class Half(SearchResult):
    """A search that finds: call with an even hole, raise to 600 with an odd one."""

    def __init__(self, position, frozen, seed):
        self.position, self.frozen, self.seed = position, frozen, seed
        self.known = position.state.taken

    def covers(self, done):
        return done == self.known[: len(done)]

    def play(self, done):
        rows = np.zeros((len(hole_cards(RANKS)), 2))
        rows[::2, 0] = rows[1::2, 1] = 1.0
        return Play([CALL, 600], rows)


class Recorder:
    def __init__(self):
        self.asked = []

    def __call__(self, position, frozen, seed):
        self.asked.append(Half(position, frozen, seed))
        return self.asked[-1]


def hand(config=NEVER, searcher=None, seats=3):
    run, policy = small_run(seats)
    return PublicHand(run, policy, config, searcher or Recorder(), seed=7)


def on_the_flop(config=NEVER, searcher=None):
    """All three called, and the flop is dealt."""
    return on(hand(config, searcher), CALL, CALL, CALL, "AhKd9c")


def test_rows__agree_with_the_policy_of_the_dealers_bucket():
    run, policy = small_run()
    at = on_the_flop()
    rows = at.play().rows
    hole = 57
    bucket = blueprint_buckets(run, at.board)[hole]
    seat, node = at.betting.actor, at.node
    start = infoset(run.layout, 1, seat, bucket, run.tree.node[node, 2])
    expected = policy[start : start + rows.shape[1]] / 255
    np.testing.assert_allclose(rows[hole], expected)


def test_beliefs__equal_bayes_by_hand():
    run, policy = small_run()
    at = hand()
    first = at.play().rows
    at.act(CALL)
    second = at.play().rows
    on(at, FOLD, CALL, "AhKd9c")
    blocked = np.isin(hole_cards(RANKS), parse_cards("AhKd9c", RANKS)).any(axis=1)
    for seat, likelihood in ((2, first[:, 1]), (0, second[:, 0])):
        expected = np.where(blocked, 0, likelihood)
        np.testing.assert_allclose(at.beliefs()[seat], expected / expected.sum(), rtol=1e-12)


def test_beliefs__after_a_search_use_what_it_found():
    recorder = Recorder()
    at = on_the_flop(SEARCH, recorder)
    before = at.beliefs()
    on(at, CALL, CALL, CALL, "Td")
    assert at.searches == 0, "a search that nobody asked for was made"
    expected = before[0] * (np.arange(before.shape[1]) % 2 == 0)
    expected = np.where((hole_cards(RANKS) == parse_cards("Td", RANKS)).any(axis=1), 0, expected)
    np.testing.assert_allclose(at.beliefs()[0], expected / expected.sum(), rtol=1e-12)
    assert at.searches == 1


def test_beliefs__weigh_a_player_who_searches_and_one_who_plays_the_blueprint():
    """A call on the flop: the search calls with even holes, the blueprint by its own row."""
    share, mistake = 0.4, 0.1
    update = {"believe_blueprint": share, "tremble": mistake}
    at, aside = on_the_flop(SEARCH.model_copy(update=update)), on_the_flop()
    before, call = at.beliefs(), aside.play()
    searching = np.where(np.arange(before.shape[1]) % 2 == 0, 1.0, 0.0)
    blueprint = call.rows[:, call.offered.index(CALL)]
    seat = at.betting.actor
    at.act(CALL)
    after = (1 - share) * ((1 - mistake) * searching + mistake / 2)
    after += share * ((1 - mistake) * blueprint + mistake / len(call.offered))
    expected = before[seat] * after
    np.testing.assert_allclose(at.now()[seat], expected / expected.sum(), rtol=1e-12)


def test_beliefs__of_players_who_tremble_rule_no_hand_out():
    """The search calls with no odd hole."""
    configs = [SEARCH.model_copy(update={"tremble": t}) for t in (0.0, 0.02)]
    sure, trembling = (on(on_the_flop(config), CALL) for config in configs)
    left = ~np.isin(hole_cards(RANKS), parse_cards("AhKd9c", RANKS)).any(axis=1)
    seat = sure.rounds[-1].actors[0]
    assert (trembling.now()[:, left] > 0).all()
    assert (trembling.now()[:, ~left] == 0).all()
    assert (sure.now()[seat, left] == 0).any()


def test_search__is_asked_on_the_flop_always():
    recorder = Recorder()
    at = on_the_flop(SEARCH, recorder)
    at.play()
    assert [search.position.state.taken for search in recorder.asked] == [()]
    at.act(CALL)
    at.play()
    assert at.searches == 2, "Half covers only what it was asked"


@pytest.mark.parametrize(
    ("raise_to", "off_tree", "searched"),
    [(350, 50, False), (400, 50, False), (401, 50, True), (299, 50, True), (401, None, False)],
)
def test_search__before_the_flop_wants_a_raise_far_off(raise_to, off_tree, searched):
    """The tree offers a raise to 350: the pot after calling is 250, the highest bet 100."""
    run, _ = small_run()
    assert run.tree.offered(0)[-1] == 350
    config = SEARCH.model_copy(update={"off_tree": off_tree})
    recorder = Recorder()
    on(hand(config, recorder), raise_to).play()
    assert bool(recorder.asked) == searched


def test_search__does_not_depend_on_the_hand_held():
    """Two agents with other cards ask for the same searches, until one has frozen its own row."""
    asked = []
    for cards in ("AcKc", "9d9s"):
        recorder = Recorder()
        at = on_the_flop(SEARCH, recorder)
        at.decide(hole_id(*parse_cards(cards, RANKS)), 0.5)
        asked.append(recorder.asked[0])
    first, second = asked
    assert first.seed == second.seed
    assert first.frozen == second.frozen == ()
    np.testing.assert_array_equal(first.position.beliefs, second.position.beliefs)
    np.testing.assert_array_equal(first.position.state.root, second.position.state.root)


def test_freeze__is_for_the_hand_held_and_the_decision_taken():
    recorder = Recorder()
    at, hole = on_the_flop(SEARCH, recorder), hole_id(*parse_cards("AcKc", RANKS))
    at.act(at.decide(hole, 0.5))
    at.play()
    frozen = recorder.asked[-1].frozen
    assert [(f.before, f.hole) for f in frozen] == [((), hole)]
    np.testing.assert_array_equal(frozen[0].row, [hole % 2 == 0, hole % 2 == 1])


def test_agent__same_seed_same_play():
    decisions = []
    for _ in range(2):
        # Between call and a raise to 350: the translation draws nothing here.
        at = on(hand(SEARCH, Recorder()), 300, 700)
        decisions.append((at.node, at.play().offered))
    assert decisions[0] == decisions[1]


@pytest.mark.parametrize(
    ("cards", "why"), [("AhKd", "wanted 3"), ("AhAhKd", "twice"), ("AhKd2c", "wanted a rank")]
)
def test_deal__wrong_cards_are_refused(cards, why):
    at = on(hand(), CALL, CALL, CALL)
    with pytest.raises(UserError, match=why):
        at.deal(cards)


def test_decide__a_card_on_the_board_and_another_seat_are_refused():
    at = on_the_flop()
    hole = hole_id(*parse_cards("AhAc", RANKS))
    with pytest.raises(UserError, match="shares a card"):
        at.decide(hole, 0.5)
    with pytest.raises(UserError, match="seat 3 is asked, but seat 1 is to act"):
        at.copy(seat=2).decide(hole, 0.5)


def test_search__before_its_round_is_for_the_first_round_and_for_others_raises():
    config = SEARCH.model_copy(update={"first": 4, "off_tree": 100})
    at = on_the_flop(config)
    at.act(1300)  # far off the tree's bet, but the flop is not searched here
    assert not at.rounds[-1].searching

    at = hand(config)
    offered = [a for a in at.offered() if a > CALL]
    at.act(offered[0] + 90)  # near a size of the tree
    mine = [a for a in at.offered() if a > CALL]
    at.act(mine[-1])  # a size of the tree, at the scale of the real pot
    assert not at.rounds[-1].searching


def test_now__counts_what_was_done_in_the_round():
    at = on_the_flop(SEARCH.model_copy(update={"first": 1}))
    seat, before = at.betting.actor, at.beliefs()
    np.testing.assert_array_equal(at.now(), before)
    found_play = at.play()
    at.act(600)
    expected = before[seat] * found_play.rows[:, 1]
    np.testing.assert_allclose(at.now()[seat], expected / expected.sum())
    np.testing.assert_array_equal(at.beliefs(), before)
