"""A chart of hand classes as text and as HTML, in the colours of the site."""

import html as markup
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sixmax.cards.deck import class_names, rank_names

COLOURS = Path(__file__).with_name("colours.css")  # the site serves it, too
_STYLE = """
.sixmax { font: 12px system-ui, sans-serif; color: var(--ink); max-width: 40em; }
.sixmax .grid { display: grid; gap: 1px; background: var(--rule); border: 1px solid var(--rule); }
.sixmax .grid span { background-color: var(--empty); background-repeat: no-repeat;
  background-position: bottom; height: 2.3em; line-height: 2.3em; text-align: center;
  color: var(--cell-ink); font-size: 11px; }
.sixmax .key span { display: inline-block; width: .9em; height: .9em; margin: 0 .3em 0 1em; }
"""
_KINDS = {"f": "fold", "c": "call"}


def shares(actions: Sequence[str], chances: Sequence[float] | np.ndarray) -> str:
    """The chances of ``actions`` in a line: "f 10.0 %, c 90.0 %"."""
    return ", ".join(f"{a} {100 * p:.1f} %" for a, p in zip(actions, chances, strict=True))


def text(values: np.ndarray, ranks: int) -> str:
    """``values`` float64[classes] in percent, pairs on the diagonal, suited hands above it.

    A dot stands for NaN.
    """
    letters = rank_names(ranks)[::-1]
    lines = ["   " + "".join(f"{name:>4}" for name in letters)]
    for name, row in zip(letters, np.reshape(values, (ranks, ranks)), strict=True):
        cells = ("   ·" if np.isnan(value) else f"{round(100 * value) + 0:4d}" for value in row)
        lines.append(f"{name:>3}" + "".join(cells))
    return "\n".join(lines)


def html(
    title: str, actions: Sequence[str], rows: Sequence[Sequence[float] | None],
    heights: Sequence[float], ranks: int, word: str = "",
) -> str:  # fmt: skip
    """A chart for a notebook: of each class the share of its actions, as high as its reach.

    ``rows`` are by class, None where the board leaves no combo; ``word`` replaces the names of
    ``actions`` in the key.
    """
    colours = _colours(actions)
    cells = [
        _cell(name, actions, row, height, colours)
        for name, row, height in zip(class_names(ranks), rows, heights, strict=True)
    ]
    key = "".join(
        f'<span style="background:{colour}"></span>{markup.escape(word or action)}'
        for action, colour in zip(actions, colours, strict=True)
    )
    palette = COLOURS.read_text(encoding="utf-8").replace(":root", ".sixmax")
    return (
        f"<style>{palette}{_STYLE}</style>"
        f'<div class="sixmax"><div>{markup.escape(title)}</div>'
        f'<div class="grid" style="grid-template-columns:repeat({ranks},1fr)">{"".join(cells)}'
        f'</div><div class="key">{key}</div></div>'
    )


def _cell(
    name: str, actions: Sequence[str], row: Sequence[float] | None, height: float,
    colours: Sequence[str],
) -> str:  # fmt: skip
    if row is None:
        return f'<span title="{name}: on the board"></span>'
    stops, left = [], 0.0
    for k in reversed(range(len(row))):  # the largest raise stands on the left, as on the site
        right = left + 100 * row[k]
        stops.append(f"{colours[k]} {left:.1f}% {right:.1f}%")
        left = right
    said = markup.escape(f"{name}: {shares(actions, row)}; reach {height:.2f}", quote=True)
    fill = f"background-image:linear-gradient(to right,{','.join(stops)})"
    size = f"background-size:100% {100 * min(height, 1.0):.0f}%"
    return f'<span title="{said}" style="{fill};{size}">{name}</span>'


def _colours(actions: Sequence[str]) -> list[str]:
    """A colour of the site's for each action: raises from pale to red with their size."""
    raises = [action for action in actions if action[0] not in _KINDS]
    places = np.linspace(0, 100, len(raises)) if len(raises) > 1 else [40.0] * len(raises)
    shades = iter(f"var(--raise-low),var(--raise-high) {place:.0f}%" for place in places)
    return [
        f"color-mix(in oklab,{next(shades)})" if action in raises else f"var(--{_KINDS[action[0]]})"
        for action in actions
    ]
