"""docs/notebook/validation/answers.md has the table as the answers are today."""

from pathlib import Path

from sixmax.games import GAMES

ANSWERS = [answer for game in GAMES.values() for answer in game.answers()]

DOCUMENT = Path(__file__).parents[3] / "docs" / "notebook" / "validation" / "answers.md"


def test_document__has_a_row_for_every_answer():
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    actual = {(c[0], c[1], c[2], c[3], c[5], c[9]) for c in cells}
    expected = {
        (a.game, a.method, f"{a.iterations:,}", a.quantity, a.known, a.source) for a in ANSWERS
    }
    assert actual == expected
    assert all(c[8] == "yes" for c in cells)
