"""The run beside Pluribus: first-in play, and an agent held to Pluribus's decisions."""

from html import escape
from typing import Any

import numpy as np

from sixmax.evaluation.pluribus.scores import CASES
from sixmax.report import svg, words
from sixmax.report.gather import Inputs

TOTALS = (  # of a first-in record: key, name, meaning
    ("vpip", "VPIP", "puts chips in by choice before the flop"),
    ("pfr", "PFR", "raises before the flop"),
    ("three_bet", "three-bet", "raises when facing exactly one raise"),
    ("bb_defends", "big blind defends", "calls or raises when facing exactly one raise"),
)
# predictor -> (its name, marker, colour)
_PLAYERS = {
    "search": ("search", "o", svg.PURPLE),
    "agent": ("this blueprint", "o", svg.ORANGE),
    "itself": ("this blueprint on its own play", "|", svg.ORANGE),
    "uniform": ("uniform over what is legal", "s", svg.MUTED),
    "seat": ("Pluribus's shares by seat", "D", svg.SKY),
    "facing": ("Pluribus's shares by its legal actions", "D", svg.SKY),
    "seat_and_class_left_out": ("by seat and hand class, leaving one out", "v", svg.GREEN),
}
_CASES = dict(zip(CASES, (svg.MUTED, svg.SKY, svg.ORANGE, svg.GREEN), strict=True))


def context(inputs: Inputs) -> dict[str, Any]:
    spots, held = inputs.first_in["first_in"], inputs.pluribus
    same = all("pluribus" in spot for spot in spots)
    values = {"totals": totals(inputs), "beside": beside(spots) if same else []}
    if held:
        values |= {
            "figures": figures(held),
            "rows": rows(held),
            "never": never(held),
            "differences": differences(held),
        }
    return values


def totals(inputs: Inputs) -> list[dict[str, Any]]:
    """Preflop figures over all seats, and Pluribus's where the game is the same."""
    ours, theirs = inputs.first_in["totals"], inputs.first_in.get("pluribus_totals", {})
    return [
        {"name": name, "meaning": meaning, "ours": ours[key], "theirs": theirs.get(key)}
        for key, name, meaning in TOTALS
    ]


def beside(spots: list[dict[str, Any]]) -> list[str]:
    """Two figures, raise and limp: ours as a filled mark, Pluribus's as an open one."""
    with svg.pyplot() as plt:
        kinds = ("raise", svg.ORANGE), ("limp", svg.GREEN)
        return [_beside(plt, spots, kind, colour) for kind, colour in kinds]


def _beside(plt: Any, spots: list[dict[str, Any]], kind: str, colour: str) -> str:
    figure, axes = plt.subplots(figsize=(5.2, 0.9 + 0.46 * len(spots)))
    open_mark = {"ms": 8, "mfc": svg.PAPER, "mec": svg.INK, "mew": 1.8, "ls": "", "clip_on": False}
    for i, spot in enumerate(spots):
        ours, theirs = spot[kind], spot["pluribus"][kind]
        axes.plot([ours, theirs], [i, i], color=svg.GRID, lw=5, solid_capstyle="round")
        axes.plot([theirs], [i], "D", **open_mark)
        axes.plot([ours], [i], "o", ms=9, color=colour, ls="", clip_on=False)
    axes.set_title(f"{kind} first in, % of hands".capitalize())
    axes.set_xlim(0)
    axes.tick_params(axis="y", pad=10)  # clear of marks at zero
    svg.name_rows(axes, [spot["name"] for spot in spots])
    label = f"{kind} first in: filled marks ours, open marks Pluribus's"
    return svg.inline(plt, figure, f"pluribus-{kind}", escape(label))


def figures(record: dict[str, Any]) -> dict[str, str]:
    """The figures of a record of the stage ``pluribus``, as inline svg elements, by name."""
    with svg.pyplot() as plt:
        drawn = {
            "held_loss": _scores(plt, record),
            "held_cases": _cases(plt, record),
            "held_sizes": _sizes(plt, record),
        }
        if record.get("search", {}).get("rounds"):
            drawn["held_search"] = _search(plt, record["search"]["rounds"])
        return drawn


def parts(record: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Name and scores of each group of decisions, first in before the rounds."""
    first, *later = record["later"]
    groups = [("first in", record["first_in"]), (f"{first['round']}, not first in", first)]
    groups += [(row["round"], row) for row in later]
    return [(f"{name} ({row['decisions']:,})", row) for name, row in groups if row["decisions"]]


def never(record: dict[str, Any]) -> dict[str, float]:
    """Percentages of decisions, and of loss, where the strategy never takes Pluribus's action.

    Decisions after the first round alone.
    """
    later = [row for row in record["later"][1:] if row["decisions"]]
    total = sum(row["decisions"] for row in later)
    loss = sum(row["decisions"] * row["loss"]["agent"]["mean"] for row in later)
    those = [(row["cases"]["never"], row["decisions"]) for row in later]
    return {
        "percent": 100 * sum(case["decisions"] for case, _ in those) / max(total, 1),
        "of_loss": 100 * sum(case["of_loss"] * n for case, n in those) / (loss or 1.0),
    }


def differences(record: dict[str, Any]) -> dict[str, str]:
    """By measure, search less blueprint with its interval, in words; empty without search."""
    rows = record.get("search", {}).get("rounds", [])
    return {
        name: f"{words.signed(gap['mean'], digits)} ({words.between(gap['interval'], digits)})"
        for name, digits in (("agreement", 1), ("mixed", 2))
        for gap in [row["difference"][name] for row in rows[:1]]
        if gap["interval"]
    }


def _scores(plt: Any, record: dict[str, Any]) -> str:
    rows = parts(record)
    figure, panels = _panels(plt, rows, 2.1, "loss", [key for key in _PLAYERS if key != "search"])
    means = [row["mixed"]["agent"]["mean"] for _, row in rows]
    panels[0].plot(
        means, range(len(rows)), "o", ms=8, mfc="none", mew=1.6, color=svg.ORANGE,
        label="this blueprint with 5 % random play",
    )  # fmt: skip
    panels[0].set_title("Log loss on Pluribus's own decisions (how many)")
    return _finish(plt, figure, panels, "held_loss", "Scores on the decisions of Pluribus")


def _search(plt: Any, rounds: list[dict[str, Any]]) -> str:
    rows = [(f"{row['round']} ({row['decisions']:,})", row) for row in rounds]
    figure, panels = _panels(plt, rows, 1.8, "mixed", ["search", "agent", "uniform"], 0.22)
    panels[0].set_title("Search at a sample: log loss with 5 % random play")
    return _finish(plt, figure, panels, "held_search", "Search on a sample of Pluribus's decisions")


def _panels(
    plt: Any, rows: list[tuple[str, Any]], extra: float, measure: str, players: list[str],
    apart: float = 0.0,
) -> tuple[Any, Any]:  # fmt: skip
    """Two panels with the same rows: ``measure`` on the left, agreement on the right."""
    figure, panels = plt.subplots(1, 2, figsize=(14.2, extra + 0.5 * len(rows)), sharey=True)
    for axes, each in zip(panels, (measure, "agreement"), strict=True):
        svg.name_rows(axes, [name for name, _ in rows])
        _estimates(axes, rows, each, players, apart)
    panels[0].set_xlabel("nats a decision, 95 % interval; further left is nearer to Pluribus")
    panels[1].set_xlim(0, 100)
    panels[1].set_xlabel("% of decisions, 95 % interval; further right is nearer")
    panels[1].set_title("The likeliest kind was Pluribus's")
    return figure, panels


def _finish(plt: Any, figure: Any, panels: Any, name: str, label: str) -> str:
    """The figure as an svg element, with the legend of the left panel."""
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, frameon=False, loc="outside lower left", ncols=3)
    return svg.inline(plt, figure, name, label)


def _estimates(
    axes: Any, rows: list[tuple[str, Any]], measure: str, players: list[str], apart: float = 0.0
) -> None:
    """Marks with intervals, from zero on; those of a row are ``apart`` rows apart."""
    for k, key in enumerate(players):
        name, marker, colour = _PLAYERS[key]
        shift = apart * (k - (len(players) - 1) / 2)
        scored = [(i, row[measure][key]) for i, (_, row) in enumerate(rows) if key in row[measure]]
        for i, each in scored:
            if each["interval"] and key not in ("uniform", "itself"):
                y = i + shift
                axes.plot(each["interval"], [y, y], color=colour, lw=2.5, solid_capstyle="butt")
        means, at = [each["mean"] for _, each in scored], [i + shift for i, _ in scored]
        size = 13 if marker == "|" else 8
        axes.plot(means, at, marker, ms=size, mew=1.6, color=colour, ls="", label=name)
    axes.set_xlim(0)


def _cases(plt: Any, record: dict[str, Any]) -> str:
    """The share of each case of decisions in each mean loss."""
    rows = parts(record)
    figure, axes = plt.subplots(figsize=(14.2, 1.9 + 0.42 * len(rows)))
    start = np.zeros(len(rows))
    for name, colour in _CASES.items():
        width = np.array([row["cases"][name]["of_loss"] for _, row in rows])
        axes.barh(range(len(rows)), width, 0.6, left=start, color=colour, label=CASES[name])
        for i, (_, row) in enumerate(rows):
            if width[i] > 0.06:
                text = f"{100 * row['cases'][name]['decisions'] / row['decisions']:.0f} %"
                middle = start[i] + width[i] / 2
                axes.text(middle, i, text, ha="center", va="center", color=svg.PAPER, fontsize=10)
        start += width
    svg.name_rows(axes, [name for name, _ in rows])
    axes.set_xlabel("nats a decision; in the bars the percentage of the decisions")
    axes.set_title("Where the blueprint's loss comes from")
    figure.legend(frameon=False, loc="outside lower left", ncols=2)
    return svg.inline(plt, figure, "held_cases", "Where the loss of the blueprint comes from")


def _sizes(plt: Any, record: dict[str, Any]) -> str:
    """A panel a round: the sizes of first raises, ours beside Pluribus's."""
    rows = [row for row in record["sizes"] if row["raise"] == "first"]
    figure, (panels,) = plt.subplots(1, len(rows), figsize=(14.2, 3.4), sharey=True, squeeze=False)
    for axes, row in zip(panels, rows, strict=True):
        x = np.arange(len(row["sizes"]))
        ours = (-0.2, row["agent"], svg.ORANGE, "this blueprint")
        for shift, counts, colour, label in (ours, (0.2, row["pluribus"], svg.BLUE, "Pluribus")):
            share = 100 * np.array(counts) / max(sum(counts), 1)
            axes.bar(x + shift, share, 0.38, color=colour, label=label)
        axes.set_xticks(x, row["sizes"], fontsize=10)
        axes.grid(visible=False, axis="x")
        axes.set_title(f"{row['round']} ({sum(row['pluribus']):,})")
    panels[0].set_ylabel("% of first raises")
    panels[0].legend(frameon=False, loc="upper right")
    figure.supxlabel(
        "size as a fraction of the pot after calling; above, how many first raises Pluribus made",
        fontsize=12, color=svg.MUTED,
    )  # fmt: skip
    return svg.inline(plt, figure, "held_sizes", "Sizes of first raises as fractions of the pot")


def rows(record: dict[str, Any]) -> list[dict[str, str]]:
    """Shares with intervals, theirs and ours, as words: a table."""
    table = []
    for spot in record["first_in"]["seats"]:
        for kind in ("raise", "call"):
            name = f"{spot['name']} first in: {'limp' if kind == 'call' else kind}"
            table.append(_row(name, spot["pluribus"][kind], spot["agent"][kind]))
    for key, name, _ in TOTALS:
        both = record["totals"][key]
        table.append(_row(name, both["pluribus"], both["agent"]))
    donk = record["donk"]
    each = {"donk bets": donk} | {f"donk bets, {row['round']}": row for row in donk["rounds"]}
    for name, row in each.items():
        around = f" ({_between(row['agent'])})"
        table.append(_row(name, row["pluribus"], row["agent"]["share"], around))
    return table


def _row(name: str, theirs: dict[str, Any], ours: float | None, around: str = "") -> dict[str, str]:
    low, high = theirs["low"], theirs["high"]
    inside = low is not None and ours is not None and low <= ours <= high
    return {
        "name": name, "of": words.count(theirs["of"]), "theirs": words.percent(theirs["share"]),
        "interval": _between(theirs), "ours": words.percent(ours) + around,
        "inside": "yes" if inside else "no",
    }  # fmt: skip


def _between(share: dict[str, Any]) -> str:
    return "–" if share["low"] is None else f"{share['low']:.1f} to {share['high']:.1f}"
