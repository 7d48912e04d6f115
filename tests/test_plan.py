"""The plan: exact rows, bytes that bound what is allocated, a line for every stage."""

import json
from pathlib import Path

import pytest

from sixmax.blueprint.train import refuse_too_large, training_bytes
from sixmax.cfr.layout import layout
from sixmax.cfr.train import new_table
from sixmax.config import load
from sixmax.errors import UserError
from sixmax.game.tree import build, count
from sixmax.plan import plan, stages
from sixmax.rates import DEFAULT_DECISIONS, DEFAULT_TABLE_GB, relative_cost

CONFIG = Path(__file__).parents[1] / "config"


def tiny():
    return load(CONFIG / "default.yaml", CONFIG / "tiny.yaml")


def test_stages__count_rows_exactly():
    """Situations of the full deck: Waugh 2013; 24 cards: counted by hand in tests/cards."""
    config = load(CONFIG / "default.yaml")
    rows = {s.stage: s.rows for s in stages(config, count(config.game))}
    assert rows["cluster flop"] == 1_286_792
    assert rows["cluster turn"] == 13_960_050
    assert rows["cluster river"] == 123_156_254
    assert rows["features"] == 169 + 1_286_792 + 13_960_050 + 123_156_254


def test_stages__table_is_what_training_allocates():
    config = tiny()
    tree = build(config.game)
    where = layout(tree, config.bucket_counts)
    rows = {s.stage: s.rows for s in stages(config, count(config.game))}
    assert rows["blueprint"] == where.size
    assert rows["tree"] == len(tree.node)
    table = new_table(where)
    allocated = table.regret.nbytes + table.count.nbytes + sum(a.nbytes for a in tree)
    bound = training_bytes(count(config.game), config.bucket_counts)
    assert allocated < bound < allocated + 1_000_000_000


def test_stages__cost_more_when_there_is_more_to_do():
    config = tiny()
    longer = config.model_copy(
        update={"blueprint": config.blueprint.model_copy(update={"intervals": 40})}
    )
    tree = count(config.game)
    seconds = [{s.stage: s.seconds for s in stages(c, tree)} for c in (config, longer)]
    assert seconds[1]["blueprint"] > 5 * seconds[0]["blueprint"]
    assert seconds[1]["features"] == seconds[0]["features"]


def test_relative_cost__is_one_for_the_default_and_grows_with_the_tree():
    config = load(CONFIG / "default.yaml")
    tree = count(config.game)
    decisions = int(tree.decisions.sum())
    assert decisions == DEFAULT_DECISIONS
    table_gb = 4 * int(tree.columns.sum(axis=1) @ config.bucket_counts) / 1e9
    assert table_gb == pytest.approx(DEFAULT_TABLE_GB, rel=0.01)
    assert relative_cost(decisions, table_gb) == pytest.approx(1, rel=0.01)
    costs = [relative_cost(decisions, gb) for gb in (0.001, 0.01, 1, 100)]
    assert costs[0] == costs[1] < costs[2] < costs[3]
    assert relative_cost(10 * decisions, 10 * table_gb) > relative_cost(decisions, 10 * table_gb)


def test_stages__name_the_flops_that_are_made_ahead():
    default = load(CONFIG / "default.yaml")
    tree = count(default.game)
    assert "flops" not in {s.stage for s in stages(default, tree)}
    every = default.model_copy(
        update={"search": default.search.model_copy(update={"flops": "all"})}
    )
    found = {s.stage: s for s in stages(every, tree)}["flops"]
    assert found.rows == 1755
    assert found.at_once == default.machine.threads
    assert 1755 * 5 < found.seconds < 1755 * 20


def test_plan__writes_what_it_prints(tmp_path):
    text = plan(tiny(), tmp_path / "plan.json")
    record = json.loads((tmp_path / "plan.json").read_text())
    for stage in record["stages"]:
        assert stage["stage"] in text
        assert stage["seconds"] > 0
    assert record["total"]["seconds"] == pytest.approx(
        sum(s["seconds"] / s["at_once"] for s in record["stages"])
    )


def test_refuse_too_large__says_both_numbers():
    config = load(CONFIG / "default.yaml")
    with pytest.raises(UserError, match=r"needs \d\.\d GB.* allows 0\.5"):
        refuse_too_large(config.game, config.bucket_counts, 0.5)
    refuse_too_large(config.game, config.bucket_counts, 16.0)
