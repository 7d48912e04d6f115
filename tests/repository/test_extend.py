"""The recipes of docs/guide/extend.md, applied to a copy of the package as they stand there."""

import json
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from processes import PYTHON, ROOT, SNAKEMAKE, printed
from studies.improve.small import on_disk
from workflow.forked import working_copy

PAGE = (ROOT / "docs" / "guide" / "extend.md").read_text(encoding="utf-8")


def recipe(folder, title):
    """A copy of the package in ``folder`` to which the section called ``title`` is applied."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    for path, text in re.findall(r"```(?:python|jinja) file=(\S+)\n(.*?)```", section, re.S):
        assert not (folder / path).exists(), path
        (folder / path).write_text(text)
    for block in re.findall(r"```diff\n(.*?)```", section, re.S):
        apply(folder, block)
    return folder


def apply(folder, block):
    """Replace the lines with a minus by those with a plus, wherever they stand in the file."""
    path = folder / re.search(r"^\+\+\+ b/(\S+)$", block, re.M)[1]
    text = path.read_text()
    for change in re.split(r"^@@.*\n", block, flags=re.M)[1:]:
        lines = change.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] == "-")
        assert text.count(old) == 1, f"{path}: {old!r} is not there once: mend the page"
        text = text.replace(old, "".join(line[1:] for line in lines if line[0] == "+"))
    path.write_text(text)


def python(folder, *arguments):
    """Run Python with the package of ``folder``; its output."""
    paths = [str(folder / "src"), str(ROOT / "tests")]
    return printed(PYTHON, *arguments, cwd=folder, PYTHONPATH=os.pathsep.join(paths))


def measured(folder, game, method, iterations):
    """NashConv before and after so many iterations of ``method``, by the command."""
    python(
        folder, "-c", "from sixmax.cli import main; main()", "measure", game, method, "--seats=2",
        "--settings", json.dumps({"iterations": iterations}), "--out", "curve.json",
    )  # fmt: skip
    curve = json.loads((folder / "curve.json").read_text())
    return curve["uniform"]["nash_conv"], curve["runs"][0]["nash_conv"][-1]


def test_game__is_a_file_that_validation_solves_and_judges(tmp_path):
    folder = recipe(tmp_path, "A game")
    untrained, trained = measured(folder, "pot_kuhn", "cfr+", 100)
    code = "from sixmax.games import GAMES; print(GAMES['pot_kuhn'].answers()[-1].high)"
    bound = float(python(folder, "-c", code))
    assert trained / 2 < bound < untrained / 2


def test_variant__is_a_row_that_converges(tmp_path):
    untrained, trained = measured(recipe(tmp_path, "A variant of CFR"), "kuhn", "cfr+2", 1000)
    assert trained < 1e-3 < untrained


def test_variant__with_state_is_a_kernel_and_a_row(tmp_path):
    folder = recipe(tmp_path, "A variant of CFR with state")
    untrained, trained = measured(folder, "kuhn", "smooth", 300)
    assert trained < 1e-3 < untrained


SOLVED = """
import numpy as np
from search.holdem import SEARCH, problem, river
from sixmax.search.searcher import SOLVERS
solver = next(s for s in SOLVERS.values() if s.takes(river(), SEARCH))
solution = solver.solve(problem(river()), SEARCH)
print(solver.__name__, np.nanmax(np.abs(np.nanmean(solution.values_at(0), axis=1))))
"""


def test_solver__is_chosen_for_what_it_takes_and_gives_values(tmp_path):
    name, mean = python(recipe(tmp_path, "A subgame solver"), "-c", SOLVED).split()
    assert name == "sixmax.search.solvers.river_plus"
    assert float(mean) < 100  # chips, of a pot of 200


GENERATED = """
import numpy as np
from search.holdem import small_run
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import GENERATORS
run, policy = small_run()
class Snapshots:
    def policy(self, name): return np.roll(policy, int(name[-1]))
continuations = GENERATORS["earlier"].make(Snapshots(), policy, 5.0)
print([c.name for c in continuations], len(pack(run.tree, run.layout, continuations, 1)))
"""
MATCHED = """
import numpy as np
from search.holdem import small_run
from sixmax.agents.registry import is_agent, open_agents, stores
run, policy = small_run()
class Opened:
    tree, layout, folder = run.tree, run.layout, run.folder
    def policy(self, name, others=()): return policy
game, agents = open_agents(Opened(), ["threshold", "blueprint"])
row = agents[0].table
fewer = (policy > 0).sum() > (row > 0).sum()
print(is_agent("threshold"), stores("threshold"), ((row > 0) & (row < 26)).sum(), fewer)
"""
TABLED = """
from pathlib import Path
from studies.improve.small import on_disk
from sixmax.agents.open_players import open_players
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.games.holdem import deal_cards
run = on_disk(Path("run"))
for name in ("cautious", "blueprint"):
    raises = []
    for k in range(20):
        cards = deal_cards(1, k, 2, run.ranks)
        record = play_hand(open_players(run, [name] * 2), run.game, run.ranks, cards, k, k)
        raises += [a for of_round in record.actions for _, a in of_round if a > 0]
    (player,) = open_players(run, [name])
    player.begin(0, 0, cards[:2], run.game, 1)
    player.see(min(a for a in player.strategy().offered if a > 0))
    most = min(run.game.stacks) / 4
    print(name, bool(raises), max(raises) <= most, max(player.strategy().offered) <= most)
"""


@pytest.mark.parametrize(
    ("title", "code", "expected"),
    [
        ("A generator of leaf continuations", GENERATED,
         "['unbiased', 'snapshot-00001', 'snapshot-00002'] 3\n"),
        ("An agent", MATCHED, "True ['blueprint/strategy.zarr'] 0 True\n"),
        ("A player", TABLED, "cautious True True True\nblueprint True False False\n"),
    ],
    ids=["generator, of as many as it likes", "agent, a function", "player, a class"],
)  # fmt: skip
def test_recipe__is_code_and_a_row(tmp_path, title, code, expected):
    assert python(recipe(tmp_path, title), "-c", code) == expected


def test_recipes__all_have_a_test():
    titles = re.findall(r"^## (.*)$", PAGE, re.M)
    source = Path(__file__).read_text(encoding="utf-8")
    assert len(titles) == 11
    for title in titles:
        assert f'"{title}"' in source, title


COMMANDS = """
import json, sys
from pathlib import Path
from sixmax.cli import app
from sixmax.report.gather import more_measurements
for words in json.loads(sys.argv[1]):
    app(words, standalone_mode=False)
print(more_measurements(Path("run"), json.load(open(sys.argv[2]))["game"])[0]["title"])
"""


def test_measurement__has_a_command_a_record_a_merge_a_rule_and_a_row(tmp_path):
    on_disk(recipe(tmp_path, "A measurement") / "run")
    words, of_run = ["stacks", "--run=run", "--seed=3", "--hands=7"], "run/evaluation/stacks.json"
    each = [["--help"], ["stacks", "--help"], [*words, "--sessions=5", f"--out={of_run}"]]
    each += [[*words, "--begin=0", "--sessions=2", "--out=a"]]
    each += [[*words, "--begin=2", "--sessions=3", "--out=b"]]
    each += [["stage", "pool", "stacks", "b", "a", "--out=both"]]
    text = python(tmp_path, "-c", COMMANDS, json.dumps(each), of_run)
    assert "Measure the mean stack" in text
    assert re.search("--sessions .*Of so many hands each", text)
    assert text.endswith("\nThe stack after some hands\n")
    whole, both = (json.loads((tmp_path / name).read_text()) for name in (of_run, "both"))
    assert whole.pop("of") == [[3, 0, 5]]
    assert both.pop("of") == [[3, 0, 2], [3, 2, 5]]
    assert both == whole
    assert len(set(whole["stack"])) > 1
    assert whole["estimates"]["stack"]["mean"] == pytest.approx(np.mean(whole["stack"]))
    plan = [*SNAKEMAKE[1:], "evaluation", "--configfile", "config/tiny.yaml", "-n", "-p"]
    text = python(working_copy(tmp_path), *plan)
    assert "sixmax stacks --sessions 200 --seed 1 --run results/tiny" in text
    assert "--out results/tiny/evaluation/stacks.json" in text


REPLAYED = """
from pathlib import Path
from hands.small import CARDS, NAMES
from sixmax.hands.formats import FORMATS, histories, recognised, written
from sixmax.hands.record import record, rules
from sixmax.hands.replay import records, replay
game, file = rules([200, 300, 200], [1, 2, 0], [0] * 3, [2, 0, 0, 0]), Path("hands/x.jsonl")
with written(file, FORMATS["json"], game) as add:
    for number in range(2):
        add(record(number, NAMES, game, 13, ((200, -1, 0), (), (), ()), CARDS))
with file.open("a") as more:
    more.write('{"hand": "STATE:2"}')
tally, (hand, _) = replay(histories([file.parent])), [r for _, r in zip("ab", records(file, game))]
print(tally.hands, tally.mismatches, tally.mistakes, hand.names, hand.payoffs.tolist())
print(recognised(file.read_text().splitlines()).name)
"""


def test_format__is_a_module_and_a_row_that_is_written_found_and_read(tmp_path):
    told, name = python(recipe(tmp_path, "A format of hands"), "-c", REPLAYED).splitlines()
    damage = "[\"hands/x.jsonl, line 3: no hand as JSON (KeyError('stacks'))\"]"
    assert told == f"2 0 {damage} ('a', \"b'c\", 'd') [-1.0, -200.0, 201.0]"
    assert name == "JSON lines"


PAGE_OF_A_RUN = """
from pathlib import Path
from report.synthetic import write_run
from sixmax.report.gather import gather
from sixmax.report.page import render
print(render(gather(write_run(Path("results/made-up")))))
"""


def test_section__is_a_function_a_template_and_a_row(tmp_path):
    html = python(recipe(tmp_path, "A section of the report"), "-c", PAGE_OF_A_RUN)
    assert '<li><a href="#length">Length</a></li>' in html
    assert "<p>four intervals</p>" in html


OFFERED = """
import json
from oracles.games import holdem
from sixmax.betting.rules import CALL
from sixmax.betting.tree_build import build
tree = build(holdem([10_000] * 2, [["2x", "A"], ["3x"]], 2))
first = tree.offered(0)
print(json.dumps([first, tree.offered(tree.find(first[2:3]))]))
"""


def test_size__is_a_row_and_a_line_of_a_kernel(tmp_path):
    folder = recipe(tmp_path, "A kind of bet size")
    first, second = json.loads(python(folder, "-c", OFFERED))
    assert first == [-1, 0, 200, 10_000]  # nobody has raised: the smallest raise
    assert second == [-1, 0, 500]  # by thrice 100
    code = "from sixmax.betting.bet_size import packed; packed('x')"
    with pytest.raises(AssertionError, match="Nx"):
        python(folder, "-c", code)
