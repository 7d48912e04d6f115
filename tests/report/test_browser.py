"""The page in a real browser, opened from the disk: tooltips, large charts, widths, print."""

import pytest

from serve.browser import chromium, needs_browser, resize, tap

pytestmark = needs_browser
TIP = "document.querySelector('#tip')"


class Screen:
    """The page as somebody sees it."""

    def __init__(self, driver, address):
        self.driver, self.address = driver, address

    def open(self, width=1280, scheme="light", media=""):
        resize(self.driver, width, 900)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width < 500})
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        values = {"media": media, "features": features}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", values)
        self.driver.get(self.address)

    def js(self, code):
        return self.driver.execute_script(f"return {code}")

    def tip(self):
        """The words of the tooltip; empty where none is shown."""
        return "" if self.js(f"{TIP}.hidden") else self.js(f"{TIP}.innerText").replace("\n", " ")

    def point(self, css):
        """Move the pointer there; a scroll before it hides a tooltip, a frame later."""
        from selenium.webdriver import ActionChains

        element = self.driver.find_element("css selector", css)
        self.frames()
        place = "{ behavior: 'instant', block: 'center' }"
        self.js(f"document.querySelector({css!r}).scrollIntoView({place})")
        self.frames()
        ActionChains(self.driver).move_to_element(element).perform()
        self.frames()

    def frames(self):
        """Wait until the page has drawn and scrolls no more, so that its events are done."""
        self.driver.execute_async_script(
            "const [end] = arguments, draw = requestAnimationFrame, rest = (y) =>"
            " draw(() => draw(() => draw(() => (scrollY === y ? end() : rest(scrollY))))); rest(-1)"
        )

    def focus(self, css):
        """Focus as by the keyboard."""
        self.js(f"document.querySelector({css!r}).focus({{ focusVisible: true }})")

    def keys(self, *names):
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.driver).send_keys(*(getattr(Keys, n) for n in names)).perform()

    def tap(self, css, across, down):
        tap(self.driver, css, across, down)


@pytest.fixture(scope="module")
def screen(page, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_text(page, encoding="utf-8")
    with chromium() as driver:
        yield Screen(driver, file.as_uri())


@pytest.fixture(autouse=True)
def no_console_errors(screen):
    yield
    log = screen.driver.get_log("browser")
    assert [entry["message"] for entry in log if entry["level"] != "INFO"] == []


def test_chart__is_read_by_the_keyboard_and_by_the_pointer(screen):
    screen.open()
    screen.focus("#first_in-btn svg")
    assert screen.tip().startswith("AA fold")
    screen.keys("ARROW_RIGHT", "ARROW_DOWN", "ARROW_DOWN")
    assert screen.tip().startswith("KQo")
    assert "raise to 2.5" in screen.tip()
    screen.keys("ARROW_LEFT", "ARROW_LEFT", "ARROW_LEFT")
    screen.keys("END")
    assert screen.tip().startswith("22")
    screen.keys("ESCAPE")
    assert screen.tip() == ""
    screen.point("#first_in-co svg")
    assert screen.tip().startswith("88")
    screen.point("#first_in-co h4")
    assert screen.tip() == ""


def test_small_chart__opens_large_and_closes(screen):
    screen.open()
    screen.focus("#facing_raise-bb-btn svg")
    screen.keys("ENTER")
    assert screen.js("document.querySelector('dialog').open")
    assert "BB vs BTN" in screen.js("document.querySelector('dialog').innerText")
    screen.keys("ARROW_DOWN")
    assert screen.tip().startswith("AKo")
    assert screen.js(f"document.querySelector('dialog').contains({TIP})")
    screen.keys("ESCAPE", "ESCAPE")
    assert screen.js("document.querySelector('dialog')") is None
    assert screen.js("document.activeElement.closest('figure').id") == "facing_raise-bb-btn"


def test_phone__taps_read_a_chart_and_open_a_small_one(screen):
    screen.open(390)
    screen.tap("#first_in-btn svg", 1.5 / 13, 0.5 / 13)
    assert screen.tip().startswith("AKs")
    screen.tap("#facing_three_bet-utg-hj svg", 0.5, 0.5)
    assert screen.js("document.querySelector('dialog').open")
    screen.tap("dialog svg", 6.5 / 13, 6.5 / 13)
    assert screen.tip().startswith("88")
    assert "comes here in" in screen.tip()  # less than each time that it is dealt
    screen.tap("dialog button", 0.5, 0.5)
    assert screen.js("document.querySelector('dialog')") is None


def test_estimate__tells_more_by_focus_and_tap(screen):
    screen.open(390)
    rows = "#matches + .forest li[tabindex]"
    screen.focus(rows)
    assert "200,000 deals, 1,200,000 hands" in screen.tip()
    screen.keys("ESCAPE")
    screen.tap(f"{rows}:nth-child(2) .track", 0.5, 0.5)
    assert "SE 12.5" in screen.tip()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 900, 1280])
def test_layout__nothing_leaves_the_page(screen, width, scheme):
    screen.open(width, scheme)
    assert screen.js("document.documentElement.scrollWidth") <= width
    outside = screen.js(
        "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, .wide, .shared')"
        " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []
    forest = "document.querySelector('#matches + .forest').getBoundingClientRect().right"
    assert screen.js(forest) <= width


def test_print__is_light_where_the_screen_is_dark(screen):
    ground = "getComputedStyle(document.body).backgroundColor"
    screen.open(1280, "dark")
    dark = screen.js(ground)
    screen.open(1280, "dark", "print")
    assert screen.js(ground) == "rgb(255, 255, 255)" != dark
    assert screen.js("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_names__fill_their_cells(screen):
    screen.open()
    width = "document.querySelector('#first_in-btn .names').getBoundingClientRect()"
    chart = "document.querySelector('#first_in-btn svg').getBoundingClientRect()"
    left, right = screen.js(f"[{width}.left - {chart}.left, {chart}.right - {width}.right]")
    assert left == pytest.approx(right, abs=3)  # AA stands in the middle of its cell, as 22 does
