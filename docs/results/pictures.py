"""Draw the pictures of this folder: ``python docs/results/pictures.py``.

Numbers come from the tables of ``docs/notebook`` and from ``benchmarks/table.json``, so a picture
shows what is written there; no number stands here.
"""

import json
import math
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).parent
NOTEBOOK = FOLDER.parent / "notebook"
RECORD = FOLDER.parents[1] / "benchmarks" / "table.json"
NUMBER = r"([+−-]?[\d,]*\.?\d+(?:e[+-]?\d+)?)"
COLOURS = ("#31688e", "#e07b39", "#4a9c6d", "#8c6bb1", "#999999", "#c44e52")


def table(name: str, begins: str) -> list[list[str]]:
    """The rows of the table of ``name`` whose head begins with ``begins``, the head first."""
    lines = (NOTEBOOK / f"{name}.md").read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(begins))
    result = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        if not line.startswith(("|-", "| -")):
            result.append([cell.strip().replace("**", "") for cell in line.split("|")[1:-1]])
    return result


def number(cell: str) -> tuple[float, float, float] | None:
    """A mean and the lengths of its interval: ``+5 ± 2``, ``5 (3 to 7)``; None for no number."""
    words = re.findall(NUMBER, cell)
    if not words:
        return None
    mean, *ends = (float(word.replace("−", "-").replace(",", "")) for word in words[:3])
    if "±" in cell:
        return mean, ends[0], ends[0]
    if "(" in cell and len(ends) == 2:
        return mean, mean - ends[0], ends[1] - mean
    return mean, 0.0, 0.0


def bars(axes, rows: list[list[str]], labels: list[str], columns: dict[str, int]) -> None:
    """Horizontal bars with intervals: a group for each row, a bar for each column."""
    height = 0.8 / len(columns)
    for k, (label, column) in enumerate(columns.items()):
        points = [(i, value) for i, row in enumerate(rows) if (value := number(row[column]))]
        at = [i + k * height for i, _ in points]
        mean, low, high = zip(*(value for _, value in points), strict=True)
        low, high = ([x or math.nan for x in ends] for ends in (low, high))  # no cap of no length
        axes.barh(at, mean, height, xerr=[low, high], label=label, color=COLOURS[k], capsize=2,
                  error_kw={"elinewidth": 1})  # fmt: skip
    middle = 0.4 - height / 2
    axes.set_yticks([i + middle for i in range(len(rows))], labels)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    if len(columns) > 1:
        axes.legend(fontsize=9, loc="best")


def bars_of(name: str, begins: str, columns: dict[str, int], of: str, labels: tuple = ()):
    """A picture that is bars of ``columns`` of a table, labelled by its first cells."""

    def draw(axes) -> None:
        _, *rows = table(name, begins)
        bars(axes, rows, list(labels) or [row[0].strip("`") for row in rows], columns)
        axes.set_xlabel(of)

    return draw


def performance(axes) -> None:
    """Decision nodes a second by the size of the tree, from the record of `make bench`."""
    for k, cores in enumerate(("1 core", "2 cores")):
        points = []
        for line in json.loads(RECORD.read_text())["benchmarks"]:
            about = line["metadata"]
            if about["group"] == "growth with tree size" and about["what"].endswith(cores):
                seconds = sorted(run["values"][0] for run in line["runs"])
                nodes = json.loads(about["facts"])["decision nodes"]
                points.append((nodes, *(1e-6 / seconds[i] for i in (-1, len(seconds) // 2, 0))))
        nodes, low, mid, high = zip(*sorted(points), strict=True)
        error = [[m - a for m, a in zip(mid, low, strict=True)],
                 [b - m for m, b in zip(mid, high, strict=True)]]  # fmt: skip
        axes.errorbar(nodes, mid, error, fmt="o-", label=cores, color=COLOURS[k], capsize=3)
    axes.set(xscale="log", xlabel="decision nodes of the tree", ylim=(0, None),
             ylabel="million decision nodes a second")  # fmt: skip
    axes.legend()
    axes.grid(alpha=0.3)


def modicum_figure(axes) -> None:
    """Shares of translation's: four flops drawn three times, mean and spread; and all flops."""
    _, *rows = table("modicum-figure/four-flops", "| answer | exploitability |")
    four = {row[0]: [number(cell)[0] for cell in row[1:] if cell] for row in rows}
    head, *rows = table("modicum-figure/all-flops", "| values | 1 |")
    every = {row[0]: dict(zip(map(int, head[1:]), row[1:], strict=True)) for row in rows}
    whole = number(dict(table("modicum-figure/all-flops", "| answer |"))["translation"])[0]
    for k, (kind, words) in enumerate({"self": "flops together", "alone": "each alone"}.items()):
        drawn = {int(n[1]): [x / y for x, y in zip(values, four["translation"], strict=True)]
                 for name, values in four.items() if len(values) == 3
                 and (n := re.match(rf"{kind}, (\d+) value", name))}  # fmt: skip
        numbers, mean = [*drawn], [sum(shares) / 3 for shares in drawn.values()]
        low, high = ([each(shares) for shares in drawn.values()] for each in (min, max))
        axes.plot(numbers, mean, "o-", label=f"four flops, {words}", color=COLOURS[k])
        axes.fill_between(numbers, low, high, color=COLOURS[k], alpha=0.2)
        line = [(n, number(cell)[0] / whole) for n, cell in every[words].items() if cell]
        axes.plot(*zip(*line, strict=True), "s--", label=f"all flops, {words}", color=COLOURS[k])
    axes.axhline(1, linestyle="--", color=COLOURS[4], label="translation")
    shares = [x / y for x, y in zip(four["in abstraction"], four["translation"], strict=True)]
    axes.axhline(sum(shares) / 3, linestyle="--", color=COLOURS[5], label="in abstraction, four")
    axes.set(xscale="log", xticks=[1, 2, 4, 8, 16], xticklabels=[1, 2, 4, 8, 16], ylim=(0, 1.3),
             xlabel="values at a leaf", ylabel="exploitability / translation's")  # fmt: skip
    axes.legend(fontsize=9, ncols=3, loc="upper right")
    axes.grid(alpha=0.3)


def validation(axes) -> None:
    _, *rows = table("validation/answers", "| game     | method")
    k = 0
    for game, style in (("kuhn", "o-"), ("leduc", "s--")):
        for method in ("cfr", "cfr+", "mccfr"):
            line = [(int(row[2].replace(",", "")), number(row[4])[0] / float(row[7]))
                    for row in rows if row[:2] == [game, method] and row[3] != "value"]  # fmt: skip
            axes.plot(*zip(*line, strict=True), style, label=f"{game}, {method}",
                      color=COLOURS[k % 3])  # fmt: skip
            k += 1
    axes.set(xscale="log", yscale="log", xlabel="iterations",
             ylabel="exploitability / that of uniform play")  # fmt: skip
    axes.legend(fontsize=9)
    axes.grid(alpha=0.3)


def libratus(axes) -> None:
    head, *rows = table("libratus/table-1", "| game | seed | buckets")
    rows = [row for row in rows if row[1] == "1"]
    names = ("none", "unsafe", "resolve", "maxmargin")
    bars(axes, rows, [f"{row[0]}, {row[2]} buckets" for row in rows],
         {name: head.index(name) for name in names})  # fmt: skip
    axes.set(xscale="log", xlabel="exploitability, mbb/hand", xlim=(0.3, None))


def pluribus(axes) -> None:
    name = "pluribus/default-and-overnight"
    _, *rows = table(name, "| decisions | loss | itself")
    _, *others = table(name, "| decisions | loss of the last")
    rows = [[*row, other[2]] for row, other in zip(rows, others, strict=True)]
    bars(axes, rows, [row[0] for row in rows], {"default": 3, "overnight": 4})
    axes.set_xlabel("agreement with Pluribus, % of the decisions")


def abstraction(axes) -> None:
    _, *rows = table("abstraction/thousands-of-buckets", "| round | buckets")
    for k, name in enumerate(("flop", "turn", "river")):
        line = [(int(row[1].replace(",", "")), float(row[4])) for row in rows if row[0] == name]
        axes.plot(*zip(*line, strict=True), "o-", label=name, color=COLOURS[k])
    axes.set(xscale="log", ylim=(0, None), xlabel="buckets",
             ylabel="distance in a bucket, beside 200 buckets")  # fmt: skip
    axes.legend()
    axes.grid(alpha=0.3)


def aivat(axes) -> None:
    _, *rows = table("aivat/variance", "| run | blueprint against")
    labels = [f"{row[0].replace('`', '')},\n{row[1]}" for row in rows]
    rows = [[*row, f"{row[2]} ({row[3]})"] for row in rows]
    bars(axes, rows, labels, {"a hand": 6, "a duplicate deal": 4})
    axes.set_xlabel("variance without AIVAT / with AIVAT (90 % where measured)")


def experiments(axes) -> None:
    _, *rows = table("experiments/method", "| | alone | copies")
    bars(axes, rows, [row[0] for row in rows], {"alone, 1 + 5": 1, "copies, 5 + 1": 2})
    axes.axvline(1, linestyle="--", color="black", linewidth=0.8)
    axes.set(xlabel="variance of a hand; as played = 1", xlim=(0, 1.4))


BOTH = "exploitability/players"
PICTURES = {
    "performance": performance, "libratus": libratus, "modicum-figure": modicum_figure,
    "validation": validation, "pluribus": pluribus, "abstraction": abstraction, "aivat": aivat,
    "experiments": experiments,
    "search": bars_of("search/six-players", "| setting, seed",
        {"all rounds": 1, "flop": 2, "turn": 3, "river": 4},
        "gain of search over the blueprint, mbb/game",
        ("over the blueprint", "over the purified blueprint", "no bets of its own")),
    "flops": bars_of("search/flops", "| strategy | bets first",
        {"the first player": 1, "the second after a check": 2}, "bets, % of hands"),
    "modicum": bars_of(BOTH, "| protocol | blueprint",
        {"from the player that searches": 2, "from its blueprint": 5},
        "a local best response wins, mbb/game"),
    "exploitability": bars_of(BOTH, "| protocol | blueprint",
        {"blueprint of hunl": 1, "player of modicum": 2, "player of libratus": 3, "DeepStack": 4},
        "a local best response wins, mbb/game"),
    "heads-up": bars_of("heads-up/equal-time", "| candidate", {"fcpa": 4, "56flop": 5},
        "a local best response wins from the blueprint, mbb/game",
        ("the preset", "one size and all-in", "two or three sizes,\nup to five raises",
         "500 buckets", "discounts to the end")),
}  # fmt: skip


def main(out: Path = FOLDER) -> None:
    """Write every picture into ``out``."""
    for name, draw in PICTURES.items():
        figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
        draw(axes)
        figure.savefig(out / f"{name}.png", dpi=90, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
