"""The experiments on the page: numbers as measured, curves as in the paper's Figure 5."""

import re
from dataclasses import replace

import numpy as np
import pytest

from report.synthetic import put
from report.synthetic_evaluation import experiment
from sixmax.base.errors import UserError
from sixmax.evaluation.experiments.experiment import Setup, TableHands, measure, to_json
from sixmax.evaluation.match.play import Played
from sixmax.report.checks import checks
from sixmax.report.gather import gather
from sixmax.report.sections.experiments import EDGE, courses, shown
from sixmax.scores.power import samples_needed


def searched():
    """Search alone: one hand a deal, seats in turn."""

    def source(measured, first, n):
        net = np.random.default_rng((3, first)).normal(20.0, 900.0, (n, 1, 6))
        played = Played(net, np.zeros_like(net), net[..., 0] > 0)
        return TableHands(played, np.zeros((n, 5), np.int64))

    setup = Setup("alone", "search", ("blueprint",), 6, 100, "00ff" * 4)
    return measure(setup, source, 60, 20, 1)


def test_shown__scores_and_participants(inputs):
    alone, copies = shown(inputs)
    assert alone["title"] == "1 + 5: blueprint among five others"
    assert copies["title"] == "5 + 1: blueprint in five seats, another in one"
    for section, result in ((alone, experiment("alone")), (copies, experiment("copies"))):
        assert [r["mean"] for r in section["scores"]] == [
            s.result.deals.mean for s in result.scores
        ]
        assert [r["hands"] for r in section["each"]] == [r.hands for r in result.each]
        first, *_, last = section["scores"]
        assert first["variance"] == 1.0
        deviation = last["standard_error"] * np.sqrt(last["deals"])
        assert last["needed"] == 6 * samples_needed(deviation, EDGE)
        # independent hands: six of one deal are worth six hands
        assert last["variance"] == pytest.approx(1.0, abs=0.15)
    assert [r["name"] for r in alone["each"]] == [
        "rule bot", "snapshot after interval 2", "continuation (raise ×5)",
    ]  # fmt: skip


def test_courses__a_figure_each_with_the_result_in_its_title(inputs):
    drawn = courses(inputs)
    assert set(drawn) == {"course-alone", "course-copies"}
    for name, result in inputs.experiments.items():
        sums = result.best.result.deals
        assert f"{sums.mean:+.1f} ± {sums.standard_error:.1f}" in drawn[f"course-{name}"]
        assert not re.findall(r"#[0-9a-f]{6}", drawn[f"course-{name}"])
        assert "thousand hands" in drawn[f"course-{name}"]


def test_courses__of_two_hands(inputs):
    """No error after one hand, and nothing to be drawn of it."""
    few = experiment("alone")
    best = replace(few.best, course=few.best.course[:1] + few.best.course[-1:])
    changed = inputs._replace(experiments={"alone": replace(few, scores=(best,))})
    assert "Win rate" in courses(changed)["course-alone"]


@pytest.mark.parametrize(("mean", "expected"), [(84.0, True), (-20.0, False), (-84.0, False)])
def test_checks__an_experiment_is_won_by_its_test(inputs, mean, expected):
    result = {kind: experiment(kind, mean) for kind in ("alone", "copies")}
    claims = [c for c in checks(inputs._replace(experiments=result)) if "at a table" in c.claim]
    assert [c.shown for c in claims] == [expected, expected]
    assert "one-tailed p" in claims[0].evidence


def test_page__search_alone_where_it_was_played(run, shown):
    put(run / "evaluation" / "experiment" / "search.json", to_json(searched()))
    page = shown("experiments")
    for words in (
        "1 + 5: search among five copies of blueprint", 'id="course-search-',
        "from blueprint; cards and draws", "because agent and Control",
        "because participant and Control",
    ):  # fmt: skip
        assert words in page


def test_gather__an_experiment_on_another_game_is_refused(run):
    values = to_json(experiment("alone"))
    for row in [*values["scores"], *values["each"]]:
        row["protocol"]["game"] = "another"
    put(run / "evaluation" / "experiment" / "alone.json", values)
    with pytest.raises(UserError, match=r"alone\.json: played on game another"):
        gather(run)
