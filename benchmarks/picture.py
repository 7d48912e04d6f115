"""The growth curves as a picture and a table."""

from typing import Any

from benchmarks.change import unhindered
from benchmarks.growth import Point
from benchmarks.measure import cores

_COLOURS = ("#1f5fa8", "#c25a00", "#3a7d34")
_PANELS = (
    ("tree size", "decisions", "decision nodes of the tree"),
    ("buckets", "buckets", "buckets a round, default tree"),
    ("players", "players", "players, default raises"),
)


def draw(points: list[Point]) -> str:
    """SVG: nodes a second by the clock and GB touched, against each of the three."""
    import io

    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    style = {"svg.fonttype": "none", "svg.hashsalt": "sixmax", "font.size": 9,
             "axes.spines.top": False, "axes.spines.right": False}  # fmt: skip
    with plt.style.context(["default", style]):
        figure, axes = plt.subplots(2, 3, figsize=(10, 5.2), constrained_layout=True)
        for (curve, key, label), rate, size in zip(_PANELS, axes[0], axes[1], strict=True):
            _panel(rate, size, chosen(points, curve), key)
            size.set_xlabel(label)
            for panel in (rate, size):
                panel.set_ylim(bottom=0)
                if curve == "tree size":
                    panel.set_xscale("log")
        axes[0, 0].set_ylabel("M decision nodes a second")
        axes[1, 0].set_ylabel("GB of the table")
        axes[0, 0].legend(frameon=False)
        axes[1, 0].legend(frameon=False)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
        plt.close(figure)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def chosen(points: list[Point], curve: str) -> list[Point]:
    """The points of one curve; the default game, once measured, belongs to all of them."""
    found = [p for p in points if p.curve == curve or p.name == "default"]
    return sorted(found, key=lambda p: (p.decisions, p.buckets, p.players, p.cores))


def _panel(rate: Any, size: Any, points: list[Point], key: str) -> None:
    for n, colour in zip(sorted({p.cores for p in points}), _COLOURS, strict=False):
        some = sorted((getattr(p, key), p.rate / 1e6) for p in points if p.cores == n)
        rate.plot(*zip(*some, strict=True), "o-", color=colour, label=cores(n))
    for name, attribute, colour in (
        ("laid out", "table_gb", _COLOURS[0]),
        ("touched", "touched_gb", _COLOURS[1]),
    ):
        some = sorted((getattr(p, key), getattr(p, attribute)) for p in points)
        size.plot(*zip(*some, strict=True), "o-", color=colour, label=name)


def markdown(points: list[Point], machine: int) -> str:
    """A line for every game, all cores in it; measured on a machine with so many."""
    numbers = sorted({p.cores for p in points})
    counts, more = [f"{cores(n)}, M nodes/s" for n in numbers], [n for n in numbers if n > 1]
    head = ["curve", "game", "decision nodes", "table, GB", "touched, GB", "nodes a traversal"]
    head += [*counts, "1 core, by processor", *(f"{cores(n)} against one" for n in more)]
    text = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for p in (p for p in points if p.cores == 1):
        same = {q.cores: q for q in points if (q.curve, q.name) == (p.curve, p.name)}
        cells = [p.curve, p.name, f"{p.decisions:,}", f"{p.table_gb:.2f}", f"{p.touched_gb:.2f}",
                 f"{p.visits:.1f}", *(f"{same[n].rate / 1e6:.2f}" for n in numbers),
                 f"{p.processor / 1e6:.2f}", *(_gain(same[n], machine) for n in more)]  # fmt: skip
        text.append(f"| {' | '.join(cells)} |")
    return "\n".join(text) + "\n"


def _gain(most: Point, machine: int) -> str:
    """Cores against one in the same turn, where they could be had."""
    had = most.rate / most.processor
    if not unhindered(had, most.cores, most.others, machine):
        return f"not measurable: had {had:.2f}"
    return f"{most.gain:.2f} x"
