"""Pictures of the agent held to Pluribus's decisions: log losses, and sizes of raises."""

from typing import Any

import numpy as np

from sixmax.report import svg, words

# what predicts -> (its name, marker, colour)
_PLAYERS = {
    "agent": ("this blueprint", "o", svg.ORANGE),
    "uniform": ("uniform", "s", svg.MUTED),
    "seat": ("Pluribus's shares by seat", "D", svg.SKY),
    "facing": ("Pluribus's shares by what it faces", "D", svg.SKY),
    "seat_and_class_left_out": ("by seat and hand class, left one out", "v", svg.GREEN),
}


def figures(record: dict[str, Any]) -> dict[str, str]:
    """The figures of a record of the stage ``pluribus``, as inline svg elements, by name."""
    with svg.pyplot() as plt:
        return {"held_loss": _losses(plt, record), "held_sizes": _sizes(plt, record)}


def parts(record: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Name of a group of decisions and the losses there, first in before the rounds."""
    later = [(f"{row['round']}, not first in", row["loss"]) for row in record["later"]]
    later[1:] = [(name.split(",")[0], loss) for name, loss in later[1:]]
    return [("first in", record["first_in"]["loss"]), *later]


def _losses(plt: Any, record: dict[str, Any]) -> str:
    rows = [(name, loss) for name, loss in parts(record) if loss["agent"]["n"]]
    figure, axes = plt.subplots(figsize=(10.4, 1.5 + 0.5 * len(rows)), layout="constrained")
    shown = set()
    for i, (_, loss) in enumerate(rows):
        for key, (name, marker, colour) in _PLAYERS.items():
            if key not in loss:
                continue
            found = loss[key]
            label = name if key not in shown else None
            shown.add(key)
            if found["interval"] and key != "uniform":
                axes.plot(found["interval"], [i, i], color=colour, lw=2.5, solid_capstyle="butt")
            axes.plot([found["mean"]], [i], marker, ms=8, color=colour, ls="", label=label)
    axes.set_yticks(range(len(rows)), [f"{n} ({loss['agent']['n']:,})" for n, loss in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0)
    axes.grid(visible=False, axis="y")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0)
    axes.set_xlabel("nats a decision, 95 % interval; further left is nearer to Pluribus")
    axes.set_title("Log loss on Pluribus's own decisions (how many)")
    return svg.inline(plt, figure, "held_loss", "Log loss on the decisions of Pluribus")


def _sizes(plt: Any, record: dict[str, Any]) -> str:
    """A panel a round: how first raises are spread over sizes, ours beside Pluribus's."""
    rows = [row for row in record["sizes"] if row["raise"] == "first"]
    figure, panels = plt.subplots(
        1, len(rows), figsize=(14.2, 3.4), sharey=True, layout="constrained"
    )
    for axes, row in zip(np.atleast_1d(panels), rows, strict=True):
        x = np.arange(len(row["sizes"]))
        for shift, key, colour in ((-0.2, "agent", svg.ORANGE), (0.2, "pluribus", svg.BLUE)):
            counts = np.array(row[key])
            label = "this blueprint" if key == "agent" else "Pluribus"
            share = 100 * counts / max(counts.sum(), 1)
            axes.bar(x + shift, share, 0.38, color=colour, label=label)
        axes.set_xticks(x, row["sizes"], fontsize=10)
        axes.grid(visible=False, axis="x")
        axes.set_title(f"{row['round']} ({sum(row['pluribus']):,})")
    first = np.atleast_1d(panels)[0]
    first.set_ylabel("% of first raises")
    first.legend(frameon=False, loc="upper right")
    return svg.inline(plt, figure, "held_sizes", "Sizes of first raises as fractions of the pot")


def rows(record: dict[str, Any]) -> list[dict[str, str]]:
    """Shares with intervals, theirs and ours, as words: a table."""
    found = []
    for spot in record["first_in"]["seats"]:
        for kind in ("raise", "call"):
            name = f"{spot['name']} first in: {'limp' if kind == 'call' else kind}"
            found.append(_row(name, spot["pluribus"][kind], spot["agent"][kind]))
    for key, name in (
        ("vpip", "VPIP"), ("pfr", "PFR"), ("three_bet", "three-bet"), ("bb_defends", "BB defends"),
    ):  # fmt: skip
        both = record["totals"][key]
        found.append(_row(name, both["pluribus"], both["agent"]))
    donk = record["donk"]
    found.append(_row("donk bets", donk["pluribus"], donk["agent"]["share"]))
    return found


def _row(name: str, theirs: dict[str, Any], ours: float | None) -> dict[str, str]:
    low, high = theirs["low"], theirs["high"]
    between = "–" if low is None else f"{low:.1f} to {high:.1f}"
    inside = low is not None and ours is not None and low <= ours <= high
    return {
        "name": name, "of": words.count(theirs["of"]), "theirs": words.percent(theirs["share"]),
        "interval": between, "ours": words.percent(ours), "inside": "yes" if inside else "no",
    }  # fmt: skip
