"""The lower bounds on the page."""

from report.synthetic import put
from sixmax.evaluation.lbr import protocol
from sixmax.evaluation.statistics import Result, Sums
from sixmax.report.gather import gather
from sixmax.report.page import render


def test_page__shows_bounds_where_the_run_has_them(run):
    assert "Lower bounds on exploitability" not in render(gather(run))
    how = protocol("fcpa", 100, "game", "net chips")
    sums = Sums(100, 50_000.0, 26_000_000.0)
    found = Result("lbr-fcpa", "blueprint", how, (1,), 400, sums, (sums, sums))
    put(run / "evaluation" / "bounds.json", {"bounds": [found.to_json()]})
    page = render(gather(run))
    assert "Lower bounds on exploitability" in page
    assert "<th>fcpa</th>" in page
    assert "turn and river fold, call, pot, all-in" in page
    assert "+500.0" in page
