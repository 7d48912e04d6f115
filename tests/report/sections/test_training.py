"""Figures over training, whatever the size of a run."""

from report.synthetic_evaluation import first_in, match
from sixmax.report.sections.training import figures


def test_figures__long_and_short_training(inputs):
    for n in (1, 20):
        history = [
            {**inputs.history[0], "interval": k, "iterations": 1000 * k} for k in range(1, n + 1)
        ]
        rows = [{"after_interval": k, **match("snapshot", "rule", 5.0)} for k in range(1, n + 1)]
        changed = inputs._replace(
            history=history,
            snapshots={k: first_in(13) for k in range(1, n + 1)},
            matches={**inputs.matches, "over_training": {"opponent": "rule", "snapshots": rows}},
        )
        assert "thousand iterations" in figures(changed)["raises"]
