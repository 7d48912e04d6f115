"""A server of the small run, and headless Chromium that opens its pages."""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)


@contextmanager
def served(folder, *options, started=lambda process: None) -> Iterator[str]:
    """``sixmax serve`` of the run in ``folder`` on a free port: its address.

    ``started`` is told its process.
    """
    sixmax = Path(sys.executable).with_name("sixmax")
    command = [sixmax, "serve", "--run", folder, "--port", "0", *options]
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
