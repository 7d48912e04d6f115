"""Experiments on games small enough to know the outcome, and on hands made up."""

import numpy as np
import pytest

from evaluation.small_games import CALLER, MIXED, RANDOM, RULE, agents_of, mean_win
from sixmax.base.errors import UserError
from sixmax.evaluation.experiments import experiment
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, Setup
from sixmax.evaluation.experiments.hands import lineups
from sixmax.evaluation.match.play import Played, play_controlled
from sixmax.scores.statistics import same_protocol

KINDS = {"a": MIXED, "random": RANDOM, "call": CALLER, "rule": RULE}


def setup(kind, *names, **payoffs):
    """The agent and the participants ``names`` of a made-up game of three seats."""
    return Setup(kind, names[0], names[1:], 3, 1, "toy", payoffs)


def source_of(game, kind, names, every=True):
    """As hands.tables, of agents without a run; else one hand of each deal, seats in turn."""
    team = tuple(agents_of(game)[KINDS[n]][0] for n in names)
    seats = game.config.seats

    def source(measured, first, n):
        if kind == COPIES:
            lineup = np.zeros((n, seats), np.int64)
            lineup[:, 0] = 1 + measured
        else:
            lineup = lineups(7, first, n, len(names) - 1, seats)
        played = play_controlled(team, lineup, 0, game.ground, game.dealer, 11 + measured, first)
        if not every:
            turn = np.arange(n), (first + np.arange(n)) % seats
            played = Played(*(part[turn][:, None] for part in played[:3]))
        return experiment.TableHands(played, lineup[:, 1:] - 1)

    return source


def run(game, kind, names, deals=6000, points=20, every=True):
    source = source_of(game, kind, names, every)
    return experiment.measure(setup(kind, *names), source, deals, points, 1)


def made_up(net, control=0.0, **more):
    """Hands of float64[n, k, places] ``net``; the other places are participant 0's."""
    net, other = np.asarray(net), np.zeros((len(net), np.shape(net)[2] - 1), np.int64)
    control = np.broadcast_to(control, net.shape)
    return experiment.TableHands(Played(net, control, np.zeros(net.shape[:2], bool)), other, more)


def expected(game, ours, others):
    """mbb/game of agent ``ours`` among copies of ``others``, by enumeration."""
    slow = [agents_of(game)[KINDS[n]][1] for n in (ours, others)]
    return 1000 * np.mean([mean_win(game, slow, seat) for seat in range(3)])


@pytest.mark.parametrize("name", ["kuhn3", "leduc3"])
def test_measure__copies_against_enumeration(name, request):
    game = request.getfixturevalue(name)
    hit = run(game, COPIES, ["a", "call", "rule"], 60_000)
    losses = {other: -expected(game, other, "a") for other in ("call", "rule")}
    for result in hit.each:
        sums = result.deals
        assert abs(sums.mean - losses[result.b]) < 4 * sums.standard_error
    # and that is far from nothing
    assert max(abs(losses[r.b]) / r.deals.standard_error for r in hit.each) > 10
    for score in hit.scores:
        sums = score.result.deals
        assert abs(sums.mean - np.mean(list(losses.values()))) < 4 * sums.standard_error


def test_measure__alone_against_enumeration(leduc3):
    """One participant: both others are copies of it."""
    result = run(leduc3, ALONE, ["a", "rule"], 60_000)
    won = expected(leduc3, "a", "rule")
    for score in result.scores:
        sums = score.result.deals
        assert abs(sums.mean - won) < 4 * sums.standard_error
        assert abs(won) > 5 * sums.standard_error
    (other,) = result.each  # two of them share what the agent wins
    assert other.deals.mean == pytest.approx(-result.best.result.deals.mean / 2)


def test_measure__everybody_at_a_table_together_breaks_even(kuhn3):
    result = run(kuhn3, ALONE, ["a", "random", "call", "rule"], 3000)
    won = sum(r.deals.mean * r.hands for r in result.each)
    own = result.best.result
    assert won == pytest.approx(-own.deals.mean * own.hands)
    assert sum(r.hands for r in result.each) == 2 * own.hands  # two others at each table


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_measure__hands_and_samples_by_score(kuhn3, kind):
    result = run(kuhn3, kind, ["a", "random", "rule"], 3000)
    assert [s.name for s in result.scores] == ["played", "control", "duplicate"]
    assert [s.result.deals.n for s in result.scores] == [3000, 3000, 3000]
    assert [s.result.hands for s in result.scores] == [3000, 3000, 9000]
    assert result.best.name == "duplicate"
    one = run(kuhn3, kind, ["a", "random", "rule"], 3000, every=False)
    assert [s.name for s in one.scores] == ["played", "control"]
    for a, b in zip(one.scores, result.scores, strict=False):
        assert a.result == b.result


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_measure__any_number_of_points(kuhn3, kind):
    few, many = (run(kuhn3, kind, ["a", "random", "rule"], 2000, p) for p in (3, 40))
    for a, b in zip(few.scores, many.scores, strict=True):
        assert a.course[-1] == a.result.deals
        assert len(a.course) <= 3 < len(b.course) <= 40
        assert a.result.deals.mean == pytest.approx(b.result.deals.mean, rel=1e-12)
        assert [s.n for s in b.course] == sorted(s.n for s in b.course)
    # the first point of few is one of many, of the same deals
    same = [s for s in many.best.course if s.n == few.best.course[-1].n]
    assert same[0].total == pytest.approx(few.best.course[-1].total)
    assert few.alike == many.alike


def test_measure__the_control_takes_luck_away_where_players_differ_little():
    """Cards' luck of 1,000 in both hands, an edge of 10 in one of ten."""
    random = np.random.default_rng(4)

    def source(measured, first, n):
        luck = random.normal(0, 1000, (n, 1, 1))
        return made_up(luck + 10.0 * (random.random((n, 1, 1)) < 0.1), luck)

    result = experiment.measure(setup(ALONE, "a", "b"), source, 4000, 10, 1)
    played, control = (s.result.deals for s in result.scores)
    assert control.standard_error < played.standard_error / 100
    assert abs(control.mean - 1000) < 4 * control.standard_error
    assert result.each == ()  # nobody else sat there


def test_measure__participants_of_unlike_strength_are_no_noise():
    """Each loses always the same: the mean of both is known without error."""

    def source(measured, first, n):
        return made_up(np.full((n, 1, 1), -1.0 - 4 * measured))

    result = experiment.measure(setup(COPIES, "a", "b", "c"), source, 1000, 10, 1)
    assert result.best.result.deals.mean == pytest.approx(3000)
    assert result.best.result.deals.standard_error == pytest.approx(0, abs=1e-6)
    assert [r.deals.mean for r in result.each] == [1000, 5000]


@pytest.mark.parametrize(("scored", "decides"), [(400, "duplicate"), (900, "AIVAT")])
def test_measure__a_score_of_the_source_decides_where_it_has_all_deals(scored, decides):
    random = np.random.default_rng(6)

    def source(measured, first, n):
        net, m = random.normal(-2.0, 100.0, (n, 3, 1)), max(0, min(n, scored - first))
        return made_up(net, AIVAT=np.full(m, -2.0) + random.normal(0.0, 1.0, m))

    players = setup(COPIES, "a", "b", "c", AIVAT="AIVAT with values x")
    result = experiment.measure(players, source, 1800, 10, 1)
    by_name = {s.name: s.result for s in result.scores}
    assert result.scores[0].name == "played"
    assert result.best.name == decides
    assert by_name["AIVAT"].deals.n == 2 * scored
    assert by_name["AIVAT"].hands == 3 * 2 * scored
    assert by_name["AIVAT"].deals.mean == pytest.approx(2000, abs=200)
    assert by_name["AIVAT"].protocol.payoff == "AIVAT with values x"
    assert [r.protocol for r in result.each] == 2 * [result.best.result.protocol]
    course = next(s.course for s in result.scores if s.name == "AIVAT")
    assert [s.n for s in course] == sorted({s.n for s in course})


def test_measure__a_score_that_is_no_number_is_refused():
    def source(measured, first, n):
        return made_up(np.zeros((n, 3, 1)), AIVAT=np.full(n, np.nan))

    with pytest.raises(ValueError, match="AIVAT of deals 0"):
        experiment.measure(setup(COPIES, "a", "b", AIVAT="x"), source, 20, 10, 1)


def test_measure__scores_are_never_put_together(kuhn3):
    result = run(kuhn3, ALONE, ["a", "rule"], 1000)
    other = run(kuhn3, COPIES, ["a", "rule"], 1000)
    played, control, duplicate = (s.result for s in result.scores)
    for a, b, field in (
        (played, control, "payoff"),
        (played, other.scores[0].result, "design"),
        (duplicate, result.each[0], "design"),
    ):
        with pytest.raises(UserError, match=f"{field} is"):
            same_protocol([a, b])


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_measure__other_participants_or_another_control_are_another_protocol(kuhn3, kind):
    one, other, third = (
        run(kuhn3, kind, names, 300)
        for names in (["a", "rule", "call"], ["a", "rule", "random"], ["random", "rule", "call"])
    )
    pairs = [(a.result, b.result) for a, b in zip(one.scores, other.scores, strict=True)]
    pairs.append((one.each[0], other.each[0]))
    if kind == ALONE:  # each won at tables of another agent; the copies' losses name it themselves
        pairs.append((one.each[0], third.each[0]))
    for pair in pairs:
        with pytest.raises(UserError, match="design is"):
            same_protocol(list(pair))
    with pytest.raises(UserError, match="payoff is"):
        same_protocol([one.scores[1].result, third.scores[1].result])


@pytest.mark.parametrize(("kind", "deals"), [(ALONE, 2), (COPIES, 5)])
def test_deals_each__fewer_than_one_from_each_seat(kind, deals, refused):
    with refused(f"{deals} deals, wanted at least {deals + 1}"):
        experiment.deals_each(kind, deals, 2, 3)
    assert experiment.deals_each(kind, deals + 1, 2, 3) == 3


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_measure__every_seat_counts_as_often(kind):
    """The winnings depend on the seat alone: their mean over the seats is zero."""
    played = []

    def source(measured, first, n):
        played.append(n)
        net = np.array([-1.0, -4.0, 5.0])[(first + np.arange(n)) % 3][:, None, None]
        return made_up(net, net)

    result = experiment.measure(setup(kind, "a", "b", "c"), source, 41, 4, 1)
    assert result.scores[0].result.deals.mean == 0
    assert sum(played) == result.scores[0].result.hands == (39 if kind == ALONE else 36)


@pytest.mark.parametrize("hands", [1, 3])
def test_measure__winnings_of_others_are_no_aivat(hands):
    """Where AIVAT decides for the agent, the others are still counted in chips."""

    def source(measured, first, n):
        net = np.random.default_rng(first).normal(0.0, 100.0, (n, hands, 3))
        return made_up(net, 1.0, AIVAT=net[..., 0].mean(axis=1))

    players = setup(ALONE, "a", "b", AIVAT="AIVAT with values x")
    result = experiment.measure(players, source, 300, 10, 1)
    assert result.best.name == "AIVAT"
    by_name = {s.name: s.result.protocol for s in result.scores}
    (other,) = result.each
    expected = by_name["duplicate" if hands == 3 else "control"]
    assert (other.protocol.payoff, other.protocol.sample) == (expected.payoff, expected.sample)
