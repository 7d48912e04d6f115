"""Explore in a real browser: headless Chromium clicks, types, goes back, and looks."""

import pytest

from serve.browser import SECONDS, needs_browser, tap

pytestmark = needs_browser
FLOP = "?actions=r350cf/&board=AhKd9c"
RIVER = "?actions=r350cf/cc/cc/&board=AhKd9cTsTd"


def test_address__opens_its_spot(page):
    page.open(FLOP)
    assert page.text("#actions h2").startswith("SB to act")
    board = page.all(".board [aria-label]", "ariaLabel")
    assert board == ["A of hearts", "K of diamonds", "9 of clubs"]
    assert page.js("document.querySelectorAll('.chart .cell').length") == 36
    assert page.js("document.title").startswith("SB to act")
    assert page.all(".taken") == ["Raise 3.5", "Call 3", "Fold"]


def test_path__is_clicked_through_and_back(page):
    page.open()
    page.click("#actions .tile", "Raise 3.5 bb")
    page.until("document.title.startsWith('SB to act')")
    assert page.query == "actions=r350"
    page.click(".step.now .choice", "Call 3")
    page.until("document.title.startsWith('BB to act')")
    page.click(".step.now .choice", "Fold")
    page.until("!document.querySelector('#deal').hidden")
    assert page.query == "actions=r350cf/"
    page.find("#deal input").send_keys("AhKd9c\n")
    page.until("document.title.startsWith('SB to act')")
    assert page.query == "actions=r350cf/&board=AhKd9c"
    page.driver.back()
    page.driver.back()
    page.until("document.title.startsWith('BB to act')")
    assert page.query == "actions=r350c"
    page.driver.forward()
    page.until("!document.querySelector('#deal').hidden")
    page.click(".step .choice", "All-in")  # an earlier decision taken otherwise
    page.until("document.title.startsWith('BB to act')")
    assert page.query == "actions=r350r2000"


def test_board__is_picked_card_by_card_and_changed(page):
    page.open("?actions=r350cf/")
    for name in ("Q of spades", "T of hearts", "9 of clubs"):
        page.click(f".deck-card:has([aria-label='{name}'])")
    page.click("#deal button.primary")
    page.until("document.title.startsWith('SB to act')")
    assert page.query == "actions=r350cf/&board=QsTh9c"
    page.click(".step.dealt")
    page.until("!document.querySelector('#deal').hidden")
    page.click(".deck-card:has([aria-label='9 of clubs'])")
    page.click(".deck-card:has([aria-label='9 of diamonds'])")
    page.click("#deal button.primary")
    page.until("document.querySelector('#deal').hidden")
    assert page.query == "actions=r350cf/&board=QsTh9d"


def test_size__off_the_tree_shows_its_translation_and_is_played(page):
    page.open(FLOP)
    page.find("#size").send_keys("6bb")
    page.until("document.querySelector('#size-means').textContent.includes('followed as')")
    assert "50 % of the pot (64.3 %) or 150 % of the pot (35.7 %)" in page.text("#size-means")
    page.find("#size").send_keys("\n")
    page.until("document.title.startsWith('BTN to act')")
    assert page.query == "actions=r350cf/r950&board=AhKd9c"
    assert page.text(".off") == "followed as 50 % pot (64 %) or 150 % pot (36 %)"
    page.open(FLOP)
    page.find("#size").send_keys("1\n")
    page.until("!document.querySelector('#problem').hidden")
    assert "wanted 450 to 2000" in page.text("#problem")


def test_chart__answers_pointer_and_keyboard(page):
    from selenium.webdriver import ActionChains, Keys

    page.open(FLOP)
    page.click(".cell[data-class='8']")
    assert page.text("#detail h2") == "KQs"
    rows = page.js("document.querySelectorAll('#detail tbody tr').length")
    assert rows == 3  # the king of diamonds lies on the board
    ActionChains(page.driver).send_keys(Keys.ARROW_DOWN, Keys.ARROW_LEFT).perform()
    assert page.text("#detail h2") == "KQo"
    assert page.js("document.activeElement.ariaLabel").startswith("KQo: Bet 12 bb")
    assert page.js("[...document.querySelectorAll('.cell')].every(e => e.ariaLabel)")
    assert page.js("document.querySelectorAll('.cell[tabindex=\"0\"]').length") == 1


def test_phone__taps_read_the_chart_and_take_an_action(page):
    with page.phone():
        page.open(FLOP)
        tap(page.driver, ".cell[data-class='8']")
        assert page.text("#detail h2") == "KQs"
        tap(page.driver, ".cell[data-class='0']")
        assert page.text("#detail h2") == "AA"
        tap(page.driver, "#actions .tile")
        page.until("!document.title.startsWith('SB to act')")


def test_beside__another_strategy_is_in_the_address(page):
    page.open(FLOP)
    page.choose("#beside", "continuation-call")
    page.until("document.querySelectorAll('.chart').length === 2")
    assert page.query == "actions=r350cf/&board=AhKd9c&beside=continuation-call"
    page.click("#actions .tile", "Check")
    page.until("document.title.startsWith('BTN to act')")
    assert "beside=continuation-call" in page.query


def choose(page, setting):
    page.js(f"document.querySelector('#setting').value = '{setting}'")
    page.click("#search-go")


def test_search__is_started_and_cancelled(page):
    page.open(RIVER)
    choose(page, "full")
    page.until("!document.querySelector('#search-progress').hidden")
    page.until("document.querySelector('#search-note').textContent.includes('Search')", SECONDS)
    page.click("#search-cancel")
    page.until("document.querySelector('#search-note').textContent === 'Cancelled.'", SECONDS)
    assert page.js("document.querySelectorAll('.chart').length") == 1


def test_search__stands_beside_the_blueprint_and_is_there_again(page):
    page.open(RIVER)
    choose(page, "fast")
    page.until("document.querySelectorAll('.chart').length === 2", SECONDS)
    assert page.all(".heats figcaption") == ["SB", "BTN"]
    assert "EV" in page.text(".chart:nth-of-type(2) figcaption")
    page.click("#actions .tile", "Check")
    page.until("document.title.startsWith('BTN to act')")
    page.driver.back()
    page.until("document.querySelectorAll('.chart').length === 2")


def test_ev__is_rolled_out_by_a_button_and_stands_with_the_frequencies(page):
    page.open(FLOP)
    page.click("#worth-go")
    page.until("document.querySelector('.bars .ev')", SECONDS)
    assert page.text(".chart figcaption").count("EV") == 1
    assert page.text("#detail .facts").count("EV") == 1
    assert not page.find("#worth-go").is_displayed()
    page.click(".cell[data-class='7']")
    assert len(page.all("#detail .bars .ev")) == len(page.all("#detail .bars li")) > 2
    assert len(page.all("#detail .bars .best")) == 1
    assert "±" in page.find(".cell[data-class='8']").get_attribute("aria-label")
    first = page.text("#detail .facts")
    page.click("[data-unit=chips]")
    assert page.text("#detail .facts") != first
    page.click("[data-unit=bb]")
    page.click("#actions .tile", "Check")
    page.until("document.title.startsWith('BTN to act')")
    page.driver.back()
    page.until("document.querySelector('.bars .ev')")  # the server has kept it
    assert page.text("#detail .facts").count("EV") == 1


def test_ev__comes_by_itself_where_the_cells_show_it(page):
    page.open(RIVER)
    page.choose("#numbers", "ev")
    page.until("document.querySelector('.cell small')?.textContent", SECONDS)
    numbers = [float(n.replace("−", "-")) for n in page.all(".cell small") if n]
    assert max(numbers) > 2 > min(numbers) >= 0  # bb: a check is worth no less than nothing
    page.choose("#numbers", "")


def test_mistake__is_told_and_leads_on(page):
    page.open("?actions=r350cf/")
    page.find("#deal input").send_keys("AhKdXx\n")
    page.until("!document.querySelector('#problem').hidden")
    assert "found 'Xx', wanted a rank of" in page.text("#problem")
    assert page.query == "actions=r350cf/"
    page.open("?actions=r120")
    page.until("!document.querySelector('#problem').hidden")
    assert "raises to 120, wanted 200 to 2000" in page.text("#problem")
    page.click("#problem a")
    page.until("document.title.startsWith('BTN to act')")
    refused = page.errors()  # the browser notes that two requests were refused
    assert len(refused) == 2
    assert all("400 (Bad Request)" in line for line in refused)


@pytest.mark.parametrize("query", ["", RIVER + "&beside=rule", "?actions=r350cf/"])
def test_layout__nothing_leaves_the_page(page, query):
    page.open(query)
    for width in page.screens():
        assert page.js("document.documentElement.scrollWidth") <= width
        assert page.outside(width, ".strip, .scroll, .unseen") == []


def roll_out(page):
    """Have the EV of the spot, unless the server has kept it."""
    if page.find("#worth-go").is_displayed():
        page.click("#worth-go")
    page.until("document.querySelector('.bars .ev')", SECONDS)


def test_layout__the_hand_under_the_pointer_is_seen_beside_the_chart(page):
    page.open(FLOP)
    for width in page.screens():
        page.click(".cell[data-class='7']")
        page.js("document.querySelector('.chart').scrollIntoView()")
        top, bottom = page.js(
            "(b => [b.top, b.top + 40])(document.querySelector('#detail').getBoundingClientRect())"
        )
        assert 0 <= top < bottom <= 800, width


def test_layout__rows_of_two_charts_stand_side_by_side(page):
    page.open(FLOP + "&beside=rule")
    roll_out(page)  # captions of different lengths
    for width in page.screens():
        tops = page.js(
            "[...document.querySelectorAll('.grid')].map(e => e.getBoundingClientRect().top)"
        )
        assert width < 1280 or tops[0] == tops[1]


def test_layout__values_of_combos_are_read_without_scrolling(page):
    page.open(FLOP)
    roll_out(page)
    page.click(".cell[data-class='7']")
    for width in page.screens():
        beyond = page.js("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.scroll'))")
        assert beyond <= 0, width
