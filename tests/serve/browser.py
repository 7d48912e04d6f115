"""A server of the small run, and headless Chromium that opens its pages."""

import itertools
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
MISSING = (
    "no chromium or no chromedriver on this machine (apt-get install chromium chromium-driver)"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SECONDS = 240  # a first search compiles
# `full` would search for hours, `fast` takes a moment.
CONFIG = {
    "buckets": 0, "vector_iterations": [10**9] * 4,
    "fast": {"vector_iterations": [20] * 4, "iterations": 200},
}  # fmt: skip
needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)


@contextmanager
def served(folder, *options, started=lambda process: None) -> Iterator[str]:
    """``sixmax serve`` of the run in ``folder`` on a free port: its address.

    A folder *.zarr is a solved endgame. ``started`` is told its process.
    """
    sixmax = Path(sys.executable).with_name("sixmax")
    what = [folder] if str(folder).endswith(".zarr") else ["--run", folder]
    command = [sixmax, "serve", *what, "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    started(process)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if match := re.match(r"(http://\S+)/ shows", line):
                yield match[1]
                break
        else:
            pytest.fail("".join(lines))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stderr.close()


@contextmanager
def chromium():
    """A browser with nothing in it, through its driver."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        try:
            yield driver
        finally:
            driver.quit()


def resize(driver, width, height=800):
    """Emulate a screen of so many CSS pixels; a narrow one is a phone's."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def tap(driver, css, across=0.5, down=0.5):
    """Touch the element at these shares of its width and height."""
    element = f"document.querySelector({css!r})"
    driver.execute_script(f"{element}.scrollIntoView({{ block: 'center', behavior: 'instant' }})")
    x, y, width, height = driver.execute_script(
        f"return (b => [b.x, b.y, b.width, b.height])({element}.getBoundingClientRect())"
    )
    point = {"x": x + across * width, "y": y + down * height}
    for kind, points in (("touchStart", [point]), ("touchEnd", [])):
        touch = {"type": kind, "touchPoints": points}
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)
    driver.execute_async_script("setTimeout(arguments[0], 100)")


class Page:
    """The page as somebody sees it."""

    def __init__(self, driver, home):
        self.driver, self.home = driver, home

    def open(self, query=""):
        self.driver.get(f"{self.home}/explore{query}")
        self.until("document.querySelector('.step') || !document.querySelector('#problem').hidden")

    def js(self, code):
        return self.driver.execute_script(f"return {code}")

    def until(self, code, seconds=15):
        self._wait(seconds).until(
            lambda _: self.js(code), f"{code}; page: {self.text('main')[:600]}"
        )

    def _wait(self, seconds=15):
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        stale = [StaleElementReferenceException]  # drawn anew between two words to the browser
        return WebDriverWait(self.driver, seconds, 0.05, ignored_exceptions=stale)

    def find(self, css):
        return self.driver.find_element("css selector", css)

    def text(self, css):
        return self._wait().until(lambda _: [self.find(css).text])[0]

    def all(self, css, field="textContent"):
        return self.js(f"[...document.querySelectorAll({css!r})].map(e => e.{field})")

    def choose(self, css, value):
        """Choose ``value`` of a list."""
        self.js(f"(e => {{ e.value = '{value}'; e.dispatchEvent(new Event('change')); }})"
                f"(document.querySelector('{css}'))")  # fmt: skip

    def click(self, css, containing=""):
        def clicked(driver):
            elements = driver.find_elements("css selector", css)
            next(each for each in elements if containing in each.text).click()
            return True

        self._wait().until(clicked)

    @property
    def query(self):
        return urlsplit(self.driver.current_url).query

    def errors(self):
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] != "INFO"]

    @contextmanager
    def phone(self):
        """A screen that is touched."""
        resize(self.driver, 390)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def screens(self):
        """Emulate screens of several widths, light and dark; yields each width, in CSS pixels."""
        for width, scheme in itertools.product((390, 900, 1280), ("light", "dark")):
            resize(self.driver, width)
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            yield width
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def outside(self, width, within):
        """Classes of the elements beyond ``width`` that nothing of the CSS ``within`` holds."""
        return self.js(
            f"[...document.querySelectorAll('main *')].filter(e => !e.closest('{within}') "
            f"&& e.getBoundingClientRect().right > {width} + 1).map(e => e.className)"
        )
