"""The pages of a league and of the validation."""

import re

import pytest

from report.test_page import _Reader, text_of
from sixmax.report.pages import league, validation
from sixmax.studies.validate.known_numbers import rows
from studies.validate.curves import curve

SEEDS = ((0.05, 0.02), (0.07, 0.01), (0.06, 0.03))


def curves(first=0.1374):
    """Two games; ``first`` is NashConv of CFR on Kuhn poker after 10 iterations."""
    sampled = curve(method="mccfr", iterations=(1000, 10_000), scores=SEEDS)
    sampled["settings"] |= {"prune_after": 500, "prune_share": 0.95, "prune_below": -2000.0}
    kuhn = curve(scores=((first, 0.01646),))
    return [kuhn, sampled, curve(seats=3, iterations=(10,), scores=((0.3125,),))]


@pytest.fixture(scope="module")
def page():
    return validation.render(rows(curves()), curves())


def test_validation__stands_alone_and_its_links_lead_somewhere(page):
    read = _Reader(page)
    assert not read.open
    assert len(set(read.ids)) == len(read.ids)
    assert all(link.startswith("#") for link in read.links)
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert not re.search(r"https?://(?!www\.w3\.org)", page)


def test_validation__holds_every_number(page):
    text = text_of(page)
    for known in ("0.0687", "0.00823", "0.3125", "0.4583", "2.0625", "OpenSpiel, sampled"):
        assert known in text
    assert "Kuhn poker, three players" in text
    assert re.search(r"from 500 on 95\s% of the iterations prune below −2,000 chips", text)
    assert f"All {len(rows(curves()))} bounds are met." in text
    assert "missed" not in text


def test_validation__missed_bounds_come_first():
    result = curves(first=0.2)
    text = text_of(validation.render(rows(result), result))
    assert f"{len(rows(result)) - 1} of {len(rows(result))} bounds are met; one missed." in text
    assert text.index("✕ missed") < text.index("The score of every method")
    assert "wanted .0687 ±" in text


def test_figure__every_method_is_named_and_no_colour_is_fixed():
    drawn = validation.convergence(curves()[:2], rows(curves()[:2]))
    for name in ("CFR", "MCCFR", "uniform strategy", "Exploitability, chips a game"):
        assert f">{name}<" in drawn
    assert not re.findall(r"#[0-9a-f]{6}", drawn)


def row(a, b, mean):
    return {"a": a, "b": b, "mean": mean, "standard_error": 2.0, "interval": [mean - 4, mean + 4]}


LEAGUE = {
    "protocol": {"design": "a < b", "payoff": "chips", "sample": "deal", "seats": 6},
    "entrants": ["old", "new", "<i>"],
    "matches": [
        row("old", "new", -30.0), row("new", "old", 25.0), row("<i>", "old", 1.0),
        row("old", "<i>", 2.0),
    ],
}  # fmt: skip


def test_league__ranks_entrants_and_marks_what_is_above_zero():
    text = league.render(LEAGUE)
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    assert re.findall(r"<tr><th>(.*?)</th>", table) == ["new", "&lt;i&gt;", "old"]
    cells = re.findall(r'<td class="(\w+)">(.\d+\.\d)', table)
    assert ("above", "+25.0") in cells
    assert ("below", "−30.0") in cells
    assert ("across", "+1.0") in cells
    assert "<i>" not in text
    assert not re.findall(r'(?:src|href)="https?:', text)
