"""Figures of matplotlib as inline SVG whose colours follow the page, in light and dark."""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup

# Colours that are drawn stand for variables of the page's style sheet.
_NAMES = ("ink", "muted", "grid", "blue", "sky", "green", "orange", "purple", "paper")
_COLOURS = tuple(f"#0100{k:02}" for k in range(1, len(_NAMES) + 1))
INK, MUTED, GRID, BLUE, SKY, GREEN, ORANGE, PURPLE, PAPER = _COLOURS
_VARIABLE = dict(zip(_COLOURS, _NAMES, strict=True))
_STYLE = {
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "sixmax",
    "text.parse_math": False,  # names are no formulas
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), MUTED),
    **dict.fromkeys(("axes.titlecolor", "text.color", "xtick.labelcolor", "ytick.labelcolor"), INK),
    **dict.fromkeys(("axes.facecolor", "figure.facecolor"), "none"),
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 1,
    **dict.fromkeys(("xtick.major.size", "ytick.major.size"), 0),
    # A unit of the drawing is a pixel of the page.
    **dict.fromkeys(("figure.dpi", "savefig.dpi"), 72),
    "lines.linewidth": 2,
    "lines.markersize": 6,
}


@contextmanager
def pyplot() -> Iterator[Any]:
    """matplotlib.pyplot in the style of the page."""
    import matplotlib  # half a second: only when there is something to draw

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.style.context(["default", _STYLE]):  # whatever the user's own settings are
        yield plt


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """Give a horizontal chart a row for each of ``names``, from the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def inline(plt: Any, figure: Any, name: str, label: str) -> Markup:
    """``figure`` as an svg element; ids begin with ``name``, ``label`` describes it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(figure)
    return Markup(_rework(buffer.getvalue(), name, label))


def _rework(text: str, name: str, label: str) -> str:
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    width = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    head = (
        f'<svg class="figure" viewBox="{width[0][9:-1]}" style="width: {float(width[1]):g}px" '
        f'role="img" aria-label="{label}">'
    )
    text = re.sub(r"<svg[^>]*>", head, text, count=1)
    text = re.sub(r' id="([^"]+)"', rf' id="{name}-\1"', text)
    text = re.sub(r'(?:xlink:)?href="#([^"]+)"', rf'href="#{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    # One shorthand or single properties, as the version of matplotlib has it.
    text = re.sub(r"font: ((?:\w+ )*[\d.]+px)[^;\"]*", r"font: \1 var(--sans)", text)
    text = re.sub(r"font-family: [^;\"]*", "font-family: var(--sans)", text)
    return re.sub(r"#0100\d\d", lambda m: f"var(--{_VARIABLE[m[0]]})", text)
