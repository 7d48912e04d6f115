"""The page of a league."""

import re

from sixmax.report.pages.league import render


def row(a, b, mean):
    return {"a": a, "b": b, "mean": mean, "standard_error": 2.0, "interval": [mean - 4, mean + 4]}


RECORD = {
    "protocol": {"design": "a < b", "payoff": "chips", "sample": "deal", "seats": 6},
    "entrants": ["old", "new", "<i>"],
    "matches": [
        row("old", "new", -30.0),
        row("new", "old", 25.0),
        row("<i>", "old", 1.0),
        row("old", "<i>", 2.0),
    ],
}


def test_page__ranks_entrants_and_marks_what_is_above_zero():
    text = render(RECORD)
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    assert re.findall(r"<tr><th>(.*?)</th>", table) == ["new", "&lt;i&gt;", "old"]
    cells = re.findall(r'<td class="(\w+)">(.\d+\.\d)', table)
    assert ("above", "+25.0") in cells
    assert ("below", "−30.0") in cells
    assert ("across", "+1.0") in cells
    assert "<i>" not in text
    assert not re.findall(r'(?:src|href)="https?:', text)
