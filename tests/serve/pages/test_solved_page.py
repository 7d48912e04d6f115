"""A solved endgame in a real browser: spots by address, EV unasked, the choice of a card."""

import pytest

import sixmax as sx
from serve.browser import needs_browser, served

pytestmark = needs_browser
RIVER = "?actions=cr150c/cc/c&board=4s8hTcQd2d"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    path = tmp_path_factory.mktemp("solved") / "answer.zarr"
    end = sx.endgame("4s8hTc", 100, 300, ("AA,KQs", "QQ,T9s"), bets=[[1, "A"], ["A"]])
    sx.solve(end, iterations=5).save(path)
    with served(path) as home:
        yield home


def valued(page):
    """Wait until EV and equity of both stand over their charts."""
    page.until("[...document.querySelectorAll('.chart figcaption')]"
               ".filter(e => /EV .*equity/.test(e.textContent)).length == 2", 120)  # fmt: skip


def test_address__two_rounds_later_opens_its_spot_with_ev(page):
    page.open(RIVER)
    assert page.text("#actions h2").startswith("IP to act")
    assert page.js("document.querySelectorAll('.chart .cell').length") == 2 * 169
    assert page.all(".taken") == ["Check", "Bet 100", "Call 100", "Check", "Check", "Check"]
    assert "null" not in page.text("main")
    valued(page)
    assert page.text("#solved").startswith("value ")
    assert not page.find("#search").is_displayed()
    page.click(".chart .cell", "QQ")
    page.until("document.querySelectorAll('#detail .combos tbody tr').length > 0")
    heads = page.all("#detail .combos thead th")
    assert heads[-2:] == ["EV", "equity"]


def test_path__goes_by_actions_and_a_card_to_the_turn(page):
    page.open()
    valued(page)
    page.click("#actions .tile", "Check")
    page.until("document.title.startsWith('IP to act')")
    page.click("#actions .tile", "Check")
    page.until("!document.querySelector('#deal').hidden")
    assert page.query == "actions=cc/&board=4s8hTc"
    page.click(".deck-card:has([aria-label='Q of diamonds'])")
    page.click("#deal button.primary")
    page.until("document.title.startsWith('OOP to act')")
    assert page.query == "actions=cc/&board=4s8hTcQd"
    page.click(".step.dealt")
    page.until("!document.querySelector('#deal').hidden")
    page.click(".deck-card:has([aria-label='2 of clubs'])")
    page.click("#deal button.primary")
    page.until("document.querySelector('#deal').hidden")
    assert page.query == "actions=cc/&board=4s8hTc2c"
    page.driver.back()
    page.until("document.querySelector('.step.dealt [aria-label=\"Q of diamonds\"]')")


def test_screens__nothing_is_wider_than_a_phone(page):
    page.open(RIVER)
    for width in page.screens():
        assert page.outside(width, ".strip, .scroll, .seats") == [], width
