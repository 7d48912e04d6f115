"""Colours of charts: told apart by every kind of colour vision, letters readable."""

import itertools
import re

import numpy as np
import pytest

from sixmax.api.chart import COLOURS as CSS

FILLS = ("fold", "call", "raise-low", "raise-high", "all-in", "empty")
# Where sizes lie between raise-low and raise-high (`shades` in chart.js): of one size, to four.
SHADES = {1: (0.4,), 2: (0.0, 1.0), 3: (0.0, 0.5, 1.0), 4: (0.0, 0.33, 0.67, 1.0)}
# Of linear red, green and blue, at full severity: Machado, Oliveira and Fernandes 2009, table 1.
SIGHT = {
    "full": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Linear RGB to OKLab (Ottosson 2020): distances in it are those that people see.
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
OPPONENT = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def theme(number):
    """The colours of the light theme, 0, or the dark one, 1, as linear RGB."""
    block = re.findall(r":root \{(.*?)\}", CSS.read_text(), re.S)[number]
    named = re.findall(r"--([a-z-]+): #([0-9a-f]{6});", block)
    return {name: linear(np.array(list(bytes.fromhex(text)))) for name, text in named}


def linear(channels):
    share = channels / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colour):
    return np.array(OPPONENT) @ np.cbrt(np.array(CONES) @ colour)


def seen(colour, sight):
    """``colour`` in OKLab, as somebody of that sight sees it."""
    return lab(np.clip(np.array(SIGHT[sight]) @ colour, 0, 1))


def between(low, high, at):
    """The mix of two colours in OKLab, as CSS does it; linear RGB."""
    mixed = (1 - at) * lab(low) + at * lab(high)
    return np.linalg.inv(CONES) @ (np.linalg.inv(OPPONENT) @ mixed) ** 3


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("sight", SIGHT)
def test_fills__differ_for_every_sight(number, sight):
    """The least distance is four of the smallest that people notice, .02."""
    colours = {name: seen(theme(number)[name], sight) for name in FILLS}
    apart = {
        pair: np.linalg.norm(colours[pair[0]] - colours[pair[1]])
        for pair in itertools.combinations(FILLS, 2)
    }
    assert {pair: gap for pair, gap in apart.items() if gap < 0.08} == {}


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("sight", SIGHT)
def test_sizes__differ_from_other_actions_and_from_each_other(number, sight):
    """Of raises between the least and the largest, too: a bet alone is one of them."""
    colours = theme(number)
    rest = {name: seen(colours[name], sight) for name in FILLS if not name.startswith("raise")}
    apart = {}
    for sizes, places in SHADES.items():
        mixes = [between(colours["raise-low"], colours["raise-high"], at) for at in places]
        shades = [seen(mix, sight) for mix in mixes]
        for (at, shade), name in itertools.product(zip(places, shades, strict=True), rest):
            apart[sizes, at, name] = np.linalg.norm(shade - rest[name])
        if sizes in (2, 3):  # of more the shades come closer, and the order tells them
            steps = [np.linalg.norm(a - b) for a, b in itertools.pairwise(shades)]
            apart[sizes, "next"] = min(steps) + 0.02  # .06 will do
    assert {pair: gap for pair, gap in apart.items() if gap < 0.08} == {}


@pytest.mark.parametrize("number", [0, 1])
def test_letters__stand_out_from_every_fill(number):
    """Contrast of WCAG 2.2, level AA: 4.5."""
    colours, weights = theme(number), [0.2126, 0.7152, 0.0722]
    light = {name: float(colour @ weights) for name, colour in colours.items()}

    def contrast(a, b):
        low, high = sorted((light[a], light[b]))
        return (high + 0.05) / (low + 0.05)

    pairs = [("cell-ink", fill) for fill in FILLS]
    pairs += [(ink, ground) for ink in ("ink", "muted") for ground in ("card", "paper", "tint")]
    pairs += [("accent-ink", "accent"), ("bad", "bad-tint"), ("muted", "empty")]
    assert {pair: contrast(*pair) for pair in pairs if contrast(*pair) < 4.5} == {}
