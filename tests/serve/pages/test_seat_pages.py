"""Play and Review in a real browser: a hand by clicks and keys, a file stepped through."""

import json

import pytest

from serve.browser import SECONDS, Page, needs_browser
from session.person import Person, play
from sixmax.hands.formats import FORMATS, text_of
from sixmax.session.session import Session

pytestmark = needs_browser
TURN = "document.querySelector('#call') || document.querySelector('#next')"


class Seat(Page):
    """The page of a session."""

    def sit(self, seed="4", against="call", seat="rotate"):
        self.driver.get(f"{self.home}/play")
        for field, value in (("against", against), ("seat", seat), ("seed", seed)):
            self.js(f"document.querySelector('#{field}').value = {json.dumps(value)}")
        self.click("#setup button[type=submit]")
        self.until(f"!document.querySelector('#table').hidden && ({TURN})", SECONDS)

    def act(self, css):
        before = self.js("document.querySelectorAll('#log li').length")
        self.click(css)
        self.until(f"document.querySelectorAll('#log li').length !== {before}", SECONDS)
        self.until(TURN, SECONDS)

    def finish(self):
        while not self.js("!!document.querySelector('#next')"):
            self.act("#call")
        self.until("document.querySelector('#won')?.textContent.length > 0", SECONDS)


@pytest.fixture
def page(page):
    return Seat(page.driver, page.home)


def test_play__a_hand_to_its_end_by_clicks(page):
    page.sit()
    backs = "document.querySelectorAll('.seat .back').length"
    assert page.js(backs) == 4  # two cards each of two others
    page.finish()
    assert page.js(backs) == 0
    assert page.js("document.querySelectorAll('.seat .hole [aria-label]').length") == 6
    assert page.text("#review h2").startswith("Your decisions")
    assert page.js("document.querySelectorAll('.decision').length") >= 1
    assert page.text("#result dt") == "1 hand"
    assert not {"false", "null", "undefined"} & set(page.text("main").split())
    assert page.js("document.activeElement.id") == "next"
    page.click("#next")
    page.until("document.querySelector('#log h2').textContent.startsWith('Hand 2')", SECONDS)


def test_play__by_keys(page):
    from selenium.webdriver import ActionChains

    page.sit(seat="BTN")
    before = page.text("#log h2")
    ActionChains(page.driver).send_keys("o").perform()
    page.until("document.querySelectorAll('.decision').length === 1", SECONDS)
    assert "counted as help" in page.text("#review h2")
    ActionChains(page.driver).send_keys("r").perform()
    assert page.js("document.activeElement.id") == "size"
    page.find("#size").send_keys("2.5bb\n")
    page.until("document.querySelector('#log').textContent.includes('Raise 2.5 bb')", SECONDS)
    page.until(TURN, SECONDS)
    page.finish()
    ActionChains(page.driver).send_keys("n").perform()
    page.until(f"document.querySelector('#log h2').textContent !== {json.dumps(before)}", SECONDS)


def test_play__the_address_is_the_session(page):
    page.sit(seat="BTN")
    assert page.query.startswith("table=")
    page.driver.refresh()
    page.until("document.querySelector('#call')", SECONDS)
    page.driver.get(f"{page.home}/play?table=0123456789abcdef")
    page.until("!document.querySelector('#problem').hidden")
    assert "this session is gone" in page.text("#problem")
    assert all("404 (Not Found)" in line for line in page.errors())


def test_play__a_size_that_is_not_legal_is_told(page):
    page.sit(seat="BTN")
    page.find("#size").send_keys("1\n")
    page.until("!document.querySelector('#problem').hidden")
    assert "to 1 is not legal; legal: 200 to 2,000" in page.text("#problem")
    page.find("#size").clear()
    page.act("#size-min")
    assert page.js("document.querySelector('#problem').hidden")
    assert all("400 (Bad Request)" in line for line in page.errors())


def test_play__seats_of_their_own(page):
    page.driver.get(f"{page.home}/play")
    page.choose("#against", "")
    page.js("document.querySelector(\"[data-chair='0']\").value = 'rule'")
    page.js("document.querySelector(\"[data-chair='1']\").value = 'random'")
    page.click("#setup button[type=submit]")
    page.until(f"!document.querySelector('#table').hidden && ({TURN})", SECONDS)
    assert sorted(page.all(".seat small")) == ["random", "rule", "you"]


def test_play__a_search_shows_its_progress_and_is_ended(page):
    page.driver.get(f"{page.home}/play")
    for field, value in (("against", "search"), ("seat", "BB"), ("setting", "full")):
        page.js(f"document.querySelector('#{field}').value = {json.dumps(value)}")
    page.click("#setup button[type=submit]")
    for _ in range(12):  # until an agent searches, which takes hours here
        page.until(f"document.querySelector('#enough') || {TURN}", SECONDS)
        if page.js("!!document.querySelector('#enough')"):
            break
        page.click("#call, #next")
    page.until("document.querySelector('#searching')?.textContent.includes('%')", SECONDS)
    page.click("#enough")
    page.until("!document.querySelector('#enough')", SECONDS)
    page.until("document.querySelector('#log').textContent.includes('search cut short')", SECONDS)


def test_review__a_file_is_stepped_through(page, run, tmp_path):
    records = play(Session(run, ["blueprint", "random"], seed=3), 4, Person(1))
    file = tmp_path / "hands.log"
    file.write_text(text_of(FORMATS["acpc"], run.game, records))
    page.driver.get(f"{page.home}/review")
    page.find("#file").send_keys(str(file))
    page.until("document.querySelectorAll('#hands li').length === 4", SECONDS)
    page.until("!document.querySelector('#table').hidden", SECONDS)
    assert page.js("document.querySelector('#player').value") == "you"
    page.until("document.querySelector('#review h2').textContent.startsWith('This decision')")
    while page.js("!document.querySelector('#on').disabled"):
        page.click("#on")
    assert page.text("#where") == "the end"
    assert page.text("#review h2").startswith("All decisions")
    page.click("[data-hand='2']")
    number = records[2].number
    page.until(f"document.querySelector('#status').textContent === 'hand {number}'", SECONDS)
    broken = tmp_path / "broken.log"
    broken.write_text("STATE:1:x\n")
    page.find("#file").send_keys(str(broken))
    page.until("!document.querySelector('#problem').hidden")
    assert page.text("#problem").startswith("broken.log: line 1: found")
    assert all("400 (Bad Request)" in line for line in page.errors())


def test_layout__nothing_leaves_the_page(page):
    page.sit()
    page.finish()
    for width in page.screens():
        assert page.js("document.documentElement.scrollWidth") <= width
        assert page.outside(width, ".unseen") == []
