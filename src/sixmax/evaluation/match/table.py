"""Results of matches together: the record of a table, and a text to read."""

from typing import Any

from sixmax.scores.statistics import Protocol


def table(shared: Protocol, rows: list[dict[str, Any]]) -> str:
    """The results as aligned text, with the meaning of the numbers."""
    wide = max(24, *(len(r[name]) for r in rows for name in "ab"))
    lines = [
        f"{shared.unit}: thousandths of the big blind ({shared.big_blind} chips) a hand; "
        f"{shared.seats} seats",
        f"protocol: {shared.design}",
        f"payoff:   {shared.payoff}",
        f"sample:   {shared.sample}; 95 % intervals by Student's t; p: chance of a result this "
        "good if the true win rate were 0",
        "",
        f"{'agent':{wide}} {'against copies of':{wide}} {'mbb/game':>9} {'SE':>7} "
        f"{'95 % interval':>20} {'p':>8} {'deals':>10} {'hands':>11}",
    ]
    for r in rows:
        low, high = r["interval"]
        between = f"{low:+.1f} to {high:+.1f}"
        lines.append(
            f"{r['a']:{wide}} {r['b']:{wide}} {r['mean']:+9.1f} {r['standard_error']:7.1f} "
            f"{between:>20} {r['p_one_tailed']:8.1e} {r['deals']:10,} {r['hands']:11,}"
        )
    return "\n".join(lines) + "\n"
