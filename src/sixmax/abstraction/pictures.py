"""Pictures of buckets: their hands, their shares of the deals, and opponents' clusters."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sixmax.cards.deck import class_names
from sixmax.store import Store

DPI = 150
_SHADES = "viridis"  # even to the eye, and to eyes that see few colours
_BAR, _LINE = "#0072B2", "#D55E00"  # Okabe and Ito's blue and vermilion
_INK = "#74808c"  # read on white and on the dark page, at four to one
_COLOURS = 255  # of a picture and no ground: a third of the bytes
_STYLE = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor"), _INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), _INK),
    **dict.fromkeys(("axes.facecolor", "figure.facecolor"), "none"),
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    **dict.fromkeys(("figure.dpi", "savefig.dpi"), DPI),
}


@contextmanager
def _pyplot() -> Iterator[Any]:
    import matplotlib  # half a second: only when there is something to draw

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(_STYLE):
        yield plt


def _png(plt: Any, figure: Any) -> bytes:
    """``figure`` without a ground, so that it stands on a light page and on a dark one."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png")
    plt.close(figure)
    picture = Image.open(drawn).quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    picture.save(small, format="png", optimize=True)
    return small.getvalue()


def draw_buckets(buckets: Store, report: dict[str, Any], profile: np.ndarray) -> bytes:
    """One round as PNG: a row for each bucket, the strongest on top.

    ``report`` and ``profile`` are those of :class:`sixmax.abstraction.quality.Quality`.
    """
    river, k = report["round"] == "river", len(profile)
    widths = [1.0, 2.0, 1.2] if river else [2.6, 1.2]
    with _pyplot() as plt:
        figure, axes = plt.subplots(
            1, len(widths), figsize=(9, 5.6), sharey=True, width_ratios=widths
        )
        if river:
            _against_clusters(axes[0], buckets["centroid"])
        _histograms(axes[-2], profile, buckets["strength"], river)
        _shares(axes[-1], buckets["deals"])
        axes[0].set_ylabel(f"bucket, by strength (0 weakest, {k - 1} strongest)")
        axes[0].set_ylim(-0.5, k - 0.5)
        figure.suptitle(_headline(report), x=0.01, ha="left", fontsize=10)
        return _png(plt, figure)


def draw_flop(
    headline: str, profile: np.ndarray, strength: np.ndarray, turns: np.ndarray,
    centroid: np.ndarray, rivers: np.ndarray,
) -> bytes:  # fmt: skip
    """The buckets of one flop as PNG: turn and river, a row a bucket, the strongest on top.

    ``profile`` float[k, bins] and ``strength`` float[k] of the turn's buckets, shares of their
    rivers and mean win probability; ``centroid`` float[k, clusters] of the river's; ``turns``
    and ``rivers`` float[k] are the numbers of hands in each bucket.
    """
    with _pyplot() as plt:
        figure, axes = plt.subplots(1, 4, figsize=(13, 5.6), width_ratios=[2.2, 1, 1, 1])
        _histograms(axes[0], profile, strength, river=False)
        axes[0].set_ylabel("bucket of the turn, by strength")
        _shares(axes[1], turns)
        _against_clusters(axes[2], centroid)
        axes[2].set_ylabel("bucket of the river, by strength")
        _shares(axes[3], rivers)
        for panel, k in zip(axes, (len(turns), len(turns), len(rivers), len(rivers)), strict=True):
            panel.set_ylim(-0.5, k - 0.5)
        figure.suptitle(headline, x=0.01, ha="left", fontsize=10)
        return _png(plt, figure)


def _headline(report: dict) -> str:
    distance, seeds = report["distance"], report["two_seeds"]
    unit = " bins" if distance["unit"] == "bins" else ""
    return (
        f"{report['round'].capitalize()}: {report['buckets']} buckets of "
        f"{report['situations']['total']:,} situations. Distance within a bucket "
        f"{distance['within_bucket']:.2g}{unit} (one bucket: {distance['one_bucket']:.2g}). "
        f"Two seeds agree: ARI {seeds['adjusted_rand']:.2f}"
    )


def _rows(axes: Any, table: np.ndarray, left: float, right: float, **style: Any) -> Any:
    """Draw ``table``, a row for each bucket from below, from ``left`` to ``right``."""
    extent = (left, right, -0.5, len(table) - 0.5)
    style |= {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}
    return axes.imshow(table, extent=extent, **style)


def _bar(image: Any, axes: Any, label: str, pad: float = 0.02) -> Any:
    """The scale of the colours of ``image``."""
    bar = axes.figure.colorbar(image, ax=axes, pad=pad, aspect=40)
    bar.set_label(label)
    bar.outline.set_visible(False)
    return bar


def _histograms(axes: Any, share: np.ndarray, strength: np.ndarray, river: bool) -> None:
    # Square roots: small shares, the draws that hit, stay visible beside large ones.
    image = _rows(axes, np.sqrt(share), 0, 100, cmap=_SHADES)
    axes.plot(100 * strength, np.arange(len(share)), color="white", linewidth=1.0)
    axes.set_xlim(0, 100)
    axes.set_title("Its hands by win probability" if river else "Win probability on the river")
    axes.set_xlabel("win probability against a random hand, % (line: mean)")
    bar = _bar(image, axes, f"share of a bin of {100 / share.shape[1]:.3g} %", 0.01)
    top = image.get_clim()[1] ** 2
    marks = [m for m in (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if m <= top]
    bar.set_ticks([np.sqrt(m) for m in marks], labels=[f"{100 * m:.0f} %" for m in marks])


def _against_clusters(axes: Any, centroid: np.ndarray) -> None:
    right = centroid.shape[1] - 0.5
    image = _rows(axes, 100 * centroid, -0.5, right, cmap="cividis", vmin=0, vmax=100)
    axes.set_title("Against each cluster")
    axes.set_xlabel("cluster, weak to strong")
    axes.set_xticks(range(centroid.shape[1]))
    _bar(image, axes, "win probability, %")


def _shares(axes, deals: np.ndarray) -> None:
    share = 100 * deals / deals.sum()
    edges = np.arange(len(share) + 1) - 0.5
    axes.stairs(share, edges, orientation="horizontal", fill=True, color=_BAR)  # one shape for all
    axes.axvline(100 / len(share), color=_LINE, linewidth=1.2)
    axes.set_title("How often it is dealt")
    axes.set_xlabel("% of deals (line: all equal)")


def draw_preflop(ranks: int, win: np.ndarray, cluster: np.ndarray) -> bytes:
    """The chart of preflop classes as PNG: win probability and cluster, by class.

    ``win`` float[classes], ``cluster`` int[classes]; a class is a cell of the chart.
    """
    table = 100 * win.reshape(ranks, ranks)
    middle = (table.min() + table.max()) / 2
    with _pyplot() as plt:
        figure, axes = plt.subplots(figsize=(7.4, 6.4))
        image = axes.imshow(table, cmap="cividis")
        for i, name in enumerate(class_names(ranks)):
            row, column = divmod(i, ranks)
            shade = "black" if table[row, column] > middle else "white"
            text = f"{name}\n{table[row, column]:.0f} · {cluster[i]}"
            axes.text(column, row, text, ha="center", va="center", color=shade, fontsize=7)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        axes.set_title("Preflop classes: win probability, % · cluster of opponents' hands")
        _bar(image, axes, "win probability against a random hand, %")
        return _png(plt, figure)
