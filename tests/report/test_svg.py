"""Figures: inline, and in the colours of the page."""

import re
from pathlib import Path

import pytest

from report.synthetic_evaluation import first_in, match
from sixmax.report import svg, template
from sixmax.report.sections import pluribus
from sixmax.report.sections.training import figures


@pytest.fixture(scope="module")
def drawn(inputs):
    raises, limps = pluribus.context(inputs)["beside"]
    return figures(inputs) | {"pluribus-raise": raises, "pluribus-limp": limps}


def test_figures__no_color_is_fixed(drawn):
    for name, text in drawn.items():
        assert not re.findall(r"#[0-9a-f]{6}", text), name
        assert "var(--sans)" in text
        assert "DejaVu" not in text


def test_figures__colours_are_declared_for_light_and_dark(drawn):
    folder = Path(template.__file__).parent
    colours, page = ((folder / name).read_text() for name in ("colours.css", "page.css"))
    used = set(re.findall(r"var\(--(\w+)\)", " ".join([page, *drawn.values()])))
    light, dark = colours.split("@media screen and (prefers-color-scheme: dark)")[:2]
    dark = dark.split("}")[0]
    for name in used - {"sans", "mono", "least", "columns", "row", "column", "colour"}:
        assert f"--{name}:" in light, name
        assert f"--{name}:" in dark, name


def test_figures__ids_carry_the_name(drawn):
    for name, text in drawn.items():
        ids = re.findall(r' id="([^"]+)"', text)
        assert ids
        assert all(i.startswith(f"{name}-") for i in ids)


def test_inline__user_settings_do_not_matter(inputs, drawn):
    import matplotlib

    with matplotlib.rc_context({"lines.linewidth": 9, "axes.facecolor": "red", "font.size": 30}):
        assert figures(inputs)["touched"] == drawn["touched"]


def test_inline__names_are_no_formulas():
    with svg.pyplot() as plt:
        figure, axes = plt.subplots()
        axes.set_title("$a_b$ & <c>")
        assert "$a_b$ &amp; &lt;c&gt;" in svg.inline(plt, figure, "x", "y")


def test_colours__of_ranges_are_those_of_the_explorer():
    """One hand looks alike on both pages, in light and in dark."""
    names = ("fold", "call", "raise-low", "raise-high", "all-in", "cell-ink", "empty")
    folder = Path(template.__file__).parents[1]
    pages = [(folder / name).read_text() for name in ("report/colours.css", "api/colours.css")]
    ours, theirs = ([re.findall(rf"--{name}: (#\w+);", css) for name in names] for css in pages)
    assert all(len(set(each)) == 2 for each in ours)
    assert ours == theirs


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
