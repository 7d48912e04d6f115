"""The stages ``gaps`` and ``improve``: score the bets of hand logs, make improved runs."""

from pathlib import Path
from typing import Annotated

from sixmax.agents.open_players import check_run
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, refuse_unwritable
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.betting.rules import after, begin, is_legal
from sixmax.blueprint.run import Run, open_run
from sixmax.continuation.generate import GENERATORS
from sixmax.continuation.stage import compress
from sixmax.hands.formats import histories
from sixmax.hands.hand_file import size
from sixmax.hands.replay import records
from sixmax.store.records import Form, RecordKind, read, write
from sixmax.studies.improve.branch import solve
from sixmax.studies.improve.config import unfit
from sixmax.studies.improve.gaps import MissingRaise, score
from sixmax.studies.improve.overlay import refuse_folder, spliced, write_run


class _Bet(Form):
    path: list[int]
    raise_to: int
    pots: float
    score: float
    bets: int


class _Gaps(Form):
    run: str
    gaps: list[_Bet]
    sizes: list[_Bet]


GAPS = RecordKind("the gaps of hand logs", "sixmax gaps", _Gaps)
TYPES = {1: "sizes", 2: "gaps"}  # of the self-improver: where its bets come from
_SHOWN = 3


@options.stage
def gaps(
    folder: options.Run, logs: options.Files,
    player: Annotated[str, Option("Whose bets do not count: ours.", default="")],
    out: options.Out,
) -> None:  # fmt: skip
    """Score the opponents' bets in hand logs that a run lacks.

    LOGS are ACPC logs, PHH, or folders of them. The result lists the gaps between the run's sizes,
    the highest score first, each with the size that fills it, and the opponents' commonest sizes.

    \b
    sixmax gaps hands.log --run results/libratus-200bb --player blueprint --out gaps.json

    Raises UserError for a run of more than two players, for logs that hold no hand or a damaged
    one, for hands of another game, and for a player whom no hand has.
    """
    run = _open(folder)
    files = histories(logs)
    with Progress(size(files), "gaps", "B") as bar:
        result = score(run, (hand for f in files for hand in records(f, run.game, bar.add)), player)
    if not result.hands:
        raise UserError(f"{', '.join(map(str, logs))}: no hand; wanted hand histories of the run")
    if player and player not in result.names:
        seen = ", ".join(sorted(result.names)[:_SHOWN])
        raise UserError(f"player {player!r}: not in these hands, whose players are {seen}")
    for bet in result.gaps[:_SHOWN]:
        say(
            f"gap after {bet.path or 'nothing'}: score {bet.score:.1f} by {bet.bets:,} bets; "
            f"filled by {bet.pots:.2f} pots, a raise to {bet.raise_to:,}"
        )
    record = {
        "run": run.identity["digest"], "player": player, "hands": result.hands,
        "bets": result.bets, "gaps": [bet._asdict() for bet in result.gaps],
        "sizes": [bet._asdict() for bet in result.sizes],
        "unit": "fractions of the pot after calling; chips",
    }  # fmt: skip
    write(out, GAPS, record)


@options.stage
def improve(
    folder: options.Unpacked, scored: options.File,
    kind: Annotated[int, Option("Of the improver: 1 or 2.", "--type", least=1, most=2)],
    sizes: Annotated[int, Option("Gaps filled by type 2.", least=1, default=2)],
    iterations: Annotated[int, Option("A branch.", least=1, default=3_000_000)],
    seed: options.Seed,
    bias: Annotated[float, Option("Of its continuations.", default=5.0)],
    generator: Annotated[str, Option(choices=tuple(GENERATORS), default="bias")],
    threads: options.Threads,
    into: Annotated[Path, Option("The folder of the improved run.")],
) -> None:  # fmt: skip
    """Add branches for bets that a run lacks: an improved run.

    SCORED is the file that `sixmax gaps` wrote. Type 2 fills the best gaps; its run replaces the
    blueprint against any opponent. Type 1 answers the commonest bet, for an opponent who hardly
    ever makes another: agent `improved` of `sixmax table` looks for it in improve/type1, and plays
    it after eight such bets in turn.

    \b
    sixmax improve gaps.json --run results/libratus-200bb --type 2 --seed 1 \\
        --into results/libratus-200bb/improve/type2

    Raises UserError where the gaps are of another run, where there is none, and where ``into`` is a
    folder of something else.
    """
    run = _open(folder)
    refuse_unwritable(into / "blueprint" / "run.json")
    refuse_folder(run, into)
    bets = _chosen(run, scored, kind, sizes if kind == 2 else 1)
    policy, branches = run.policy("blueprint"), []
    with Progress(len(bets) * iterations, f"branches of type {kind}", "iterations") as bar:
        for i, bet in enumerate(bets):
            own = int(child(seed, "improve", kind, i))
            branch = solve(run, policy, bet.path, bet.raise_to, kind == 2, iterations, own, bar.add)
            branches.append((bet.path, branch))
    tree, larger = spliced(run, policy, branches)
    improved = {
        "run": run.identity["digest"], "type": kind,
        "bets": [
            {"path": list(b.path), "raise_to": b.raise_to, "pots": round(b.pots, 6)} for b in bets
        ],
        "iterations": iterations, "seed": seed,
    }  # fmt: skip

    def continuations(folder: Path) -> None:
        to = folder / "continuation"
        compress(folder, bias, threads, to / "strategies.zarr", to / "check.json", generator)

    write_run(run, tree, larger, improved, into, continuations)
    for bet in bets:
        say(f"{into}: answers a raise to {bet.raise_to:,} ({bet.pots:.2f} pots) by a branch")


def _open(folder: Path) -> Run:
    run = open_run(folder)
    check_run(run)
    if reason := unfit(run.game):
        raise UserError(f"{folder}: {reason}")
    return run


def _chosen(run: Run, scored: Path, kind: int, most: int) -> list[MissingRaise]:
    """The first bets in ``scored`` that are legal and that the tree lacks, at most ``most``."""
    record = read(scored, GAPS)
    if record["run"] != run.identity["digest"]:
        raise UserError(
            f"{scored}: gaps of run {record['run']}, wanted those of {run.identity['digest']}; "
            "score the logs anew by `sixmax gaps`"
        )
    chosen: dict[tuple, MissingRaise] = {}
    for row in record[TYPES[kind]]:
        known = {name: row[name] for name in MissingRaise._fields}
        bet = MissingRaise(**known | {"path": tuple(row["path"])})
        node = run.tree.find(bet.path)
        if not run.tree.is_decision(node) or run.tree.round(node):
            raise UserError(f"{scored}: {bet.path} is no decision of the first round")
        lacked = bet.raise_to not in run.tree.offered(node)
        if lacked and is_legal(after(begin(run.game), bet.path), bet.raise_to):
            chosen.setdefault((bet.path, bet.raise_to), bet)
    if not chosen:
        raise UserError(f"{scored}: found no bet that the run lacks; wanted one at least")
    return list(chosen.values())[:most]
