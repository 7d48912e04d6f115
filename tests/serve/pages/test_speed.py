"""Clicks through a run of six players at the real server, and in a browser.

The machine may be shared, so the worst click is held to processor time, of the server and of the
page's own thread; the clock to its median.
"""

import json
import time
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
import pytest

from serve.browser import Page, chromium, needs_browser, served

STARTER = Path(__file__).parents[3] / "starter.sixmax"
CLICKS = 50
CLICK, PAGE = 0.1, 3.0  # seconds

pytestmark = [
    pytest.mark.slow,  # unpacks 268 MB
    pytest.mark.skipif(not STARTER.exists(), reason="no starter.sixmax in the repository"),
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no schedstat here"),
]


class Served:
    """A server, and the processor time that it has taken."""

    def __init__(self, home, process):
        self.home, self._tasks = home, Path(f"/proc/{process.pid}/task")

    @property
    def spent(self):
        """Seconds of all its threads."""
        each = (file.read_text() for file in self._tasks.glob("*/schedstat"))
        return sum(int(text.split()[0]) for text in each) / 1e9

    def ask(self, path):
        """The answer, and the processor time of it."""
        before = self.spent
        with urlopen(self.home + path) as answer:
            text = answer.read()
        return text, self.spent - before


@pytest.fixture(scope="module")
def server():
    kept = []
    with served(STARTER, "--threads", "1", started=kept.append) as home:
        yield Served(home, kept[0])


def walk(answer, random):
    """The address of the next spot: an action by its frequency, a board at random."""
    if answer["state"] == "over":
        return {}
    address = answer["address"]
    if answer["state"] == "deal":
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
        board = address.get("board", "")
        free = [card for card in deck if card not in board]
        new = random.choice(free, answer["needs"], replace=False)
        actions = address["actions"].removesuffix("/") + "/"
        return {"actions": actions, "board": board + "".join(new)}
    options = answer["now"]["options"]
    share = np.array([option["share"] or 0.02 for option in options])
    share[[option["kind"] == "fold" for option in options]] *= 0.5  # to see later rounds, too
    return options[random.choice(len(options), p=share / share.sum())]["address"]


def spots(server, random, clicks):
    """So many spots, one click after the other: query, answer, processor seconds."""
    address = {}
    for _ in range(clicks):
        query = urlencode({k: v for k, v in address.items() if v})
        text, spent = server.ask(f"/api/spot?{query}")
        answer = json.loads(text)
        yield query, answer, spent
        address = walk(answer, random)


def test_click__takes_a_tenth_of_a_second(server):
    random = np.random.default_rng(1)
    list(spots(server, random, 10))  # warm
    seen = list(spots(server, random, CLICKS))
    spent = np.array([seconds for _, _, seconds in seen])
    rounds = {answer["table"]["round"] for _, answer, _ in seen}
    assert rounds == {"preflop", "flop", "turn", "river"}
    report = f"median {1000 * np.median(spent):.0f} ms, worst {1000 * spent.max():.0f} ms"
    print(report)
    assert np.median(spent) < CLICK / 2, report
    assert spent.max() < CLICK, report


# Clicks, and calls back when the spot that comes is painted: the milliseconds of the clock.
PAINTED = """
const [css, k, done] = arguments, begun = performance.now();
const drawn = new MutationObserver(() => {
  drawn.disconnect();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
});
drawn.observe(document.querySelector("#path"), { childList: true });
document.querySelectorAll(css)[k].click();
"""


SHARES = {"F": 0.4, "B": 0.5, "R": 0.2, "A": 0.02}  # folds, bets, raises, all-ins


def choice(page, random):
    """The next click of a walk through hands: a selector, and which of its elements."""
    if page.js("!document.querySelector('#deal').hidden"):
        return "#deal button[type=button]:not(.deck-card)", 0  # Random
    words = page.all("#actions a.tile")
    if not words:  # the hand is over
        return ".step.begin", 0
    share = np.array([SHARES.get(word[0], 1.0) for word in words])  # calls and checks: 1
    return "#actions a.tile", int(random.choice(len(words), p=share / share.sum()))


@needs_browser
def test_click__is_painted_in_a_tenth_of_a_second(server):
    """From a click to the painted spot: the thread of the page, and the clock, in the median."""
    random = np.random.default_rng(2)
    with chromium() as driver:
        page = Page(driver, server.home)

        def thread():
            metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        begun = time.monotonic()
        page.open()
        first_clock, first, clock, spent, rounds = time.monotonic() - begun, thread(), [], [], set()
        for _ in range(10):  # warm
            driver.execute_async_script(PAINTED, *choice(page, random))
        for _ in range(CLICKS):
            before = thread()
            took = driver.execute_async_script(PAINTED, *choice(page, random))
            clock.append(took / 1000)
            spent.append(thread() - before)
            rounds.add(len(page.all(".board [aria-label]")))
        assert page.errors() == []
    median, worst = 1000 * np.median([spent, clock], 1), 1000 * np.max([spent, clock], 1)
    report = (
        f"first page {1000 * first:.0f} ms of the thread, {1000 * first_clock:.0f} by the clock; "
        f"clicks: median {median[0]:.0f} and {median[1]:.0f} ms, worst {worst[0]:.0f} and "
        f"{worst[1]:.0f}"
    )
    print(report)
    assert {0, 3, 4, 5} <= rounds
    assert first_clock < PAGE, report
    assert worst[0] < 1000 * CLICK, report
    assert median[1] < 1000 * CLICK, report
