"""The tables: cells gathered, checks that fall with their numbers, config mistakes."""

import itertools
import json
from pathlib import Path

import pytest
import yaml

from sixmax.base.errors import UserError
from sixmax.report.pages.papers import libratus_page
from sixmax.studies.checks import missed
from sixmax.studies.libratus.config import OFF_TREE, TablesConfig
from sixmax.studies.libratus.paper_tables import FORMS, ROUNDS, checks, gather

CONFIG = Path(__file__).parents[3] / "config" / "tables" / "libratus.yaml"
ROW = {"none": 90.0, "unsafe": 15.0, "resolve": 50.0, "maxmargin": 35.0}
LARGE = {"none": 40.0, "unsafe": 390.0, "resolve": 20.0, "maxmargin": 10.0}
BET = {"none": 1.0, "translation": 600.0, "unsafe": 25.0, "resolve": 20.0, "maxmargin": 21.0}


def results(small=None, large=None, bet=None):
    table1 = [
        {"game": "small", "seed": 1, "buckets": 200, "exploitability": ROW | (small or {})},
        {"game": "large", "seed": 1, "buckets": 200, "exploitability": LARGE | (large or {})},
    ]
    return checks(table1, [{"seed": 1, "exploitability": BET | (bet or {})}])


def test_checks__hold_for_numbers_like_the_papers():
    assert [c["passed"] for c in results()] == [True] * 6
    assert "unsafe 390.0, none 40.0 (large, 200 buckets, seed 1)" in results()[2]["evidence"]


@pytest.mark.parametrize(
    ("changes", "falls"),
    [
        ({"small": {"resolve": 91.0}}, 0),
        ({"large": {"maxmargin": 41.0}}, 0),
        ({"small": {"unsafe": 36.0}}, 1),
        ({"large": {"unsafe": 39.0}}, 2),
        ({"bet": {"unsafe": 121.0}}, 3),
        ({"bet": {"resolve": 121.0}}, 4),
        ({"bet": {"maxmargin": 121.0}}, 5),
    ],
)
def test_checks__fall_one_by_one(changes, falls):
    assert [i for i, c in enumerate(results(**changes)) if not c["passed"]] == [falls]


@pytest.fixture
def settings(tmp_path):
    """The config, whose cells lie in a folder."""
    settings = TablesConfig.read(CONFIG)
    for cell in settings.cells():
        name = cell.rpartition("/")[2]
        row = BET if cell.startswith(OFF_TREE) else LARGE if "large" in cell else ROW
        score = row.get(name, row["maxmargin"] if "unsafe" not in row else 30.0)
        path = tmp_path / f"{cell}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"technique": name, "exploitability": score, "value": 0.0}))
    return settings


def test_gather__has_a_row_for_each_blueprint_and_writes_a_page(tmp_path, settings):
    record = gather(settings, tmp_path, tmp_path / "tables.json")
    rows = [(g.seeds, g.buckets) for g in settings.games.values()]
    assert len(record["table1"]) == sum(len(seeds) * len(buckets) for seeds, buckets in rows)
    assert json.loads((tmp_path / "tables.json").read_text()) == json.loads(json.dumps(record))
    assert missed(tmp_path / "tables.json") == ([], "all 8 checks hold")
    page = libratus_page(record)
    assert page.count("<strong>holds</strong>") == 8
    assert "<td>390.0</td>" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def gain(mean, error, **rows):
    figure = {"mean": mean, "interval": [mean - error, mean + error]}
    figure |= {"standard_error": error / 2, "level": 0.95}
    return {
        "protocol": {}, "design": "", "deals": 1, "setting": "fast", "config": {}, "unit": "",
        "of": [[1, 0, 2]], "won": {}, "hands": 2, "searches": 4,
        "gain": {"all": figure, "river": figure} | rows,
    }  # fmt: skip


@pytest.mark.parametrize(("mean", "passed"), [(50.0, True), (30.0, False), (20.0, False)])
def test_gather__has_table_s1_of_a_run_and_judges_nested_solving(tmp_path, settings, mean, passed):
    folder = tmp_path / "mine" / "evaluation" / "search" / "subgames"
    folder.mkdir(parents=True)
    for form, name in itertools.product(FORMS, ROUNDS):
        result = gain(mean, 30.0, **{name: gain(mean, 30.0)["gain"]["all"]})
        (folder / f"{form}_{name}.json").write_text(json.dumps(result))
        cost = json.dumps({"seconds": 2.0, "threads": 1})
        (folder / f"{form}_{name}_cost.json").write_text(cost)
    record = gather(settings, tmp_path, tmp_path / "tables.json", tmp_path / "mine")
    assert [(row["form"], row["from"]) for row in record["table_s1"]][-1] == ("nested", "river")
    nested = [c for c in record["checks"] if c["name"].startswith("Nested solving on the")]
    assert [c["passed"] for c in nested] == [passed] * 2
    page = libratus_page(record)
    assert f"{mean:+.1f} ({mean - 30:+.1f} to {mean + 30:+.1f})" in page
    assert page.count("<td>0.50</td>") == 4
    assert record["run"] == "mine"


def test_gather__refuses_a_file_that_is_no_cell(tmp_path, settings):
    (tmp_path / f"{settings.cells()[0]}.json").write_text("{}")
    with pytest.raises(UserError, match="not a cell of the Libratus tables"):
        gather(settings, tmp_path, tmp_path / "tables.json")
    assert not (tmp_path / "tables.json").exists()


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("techniques", ["unsafe", "unsafe"], "each is given once"),
        ("techniques", ["reslve"], "wanted"),
        ("techniques", ["unsafe"], "wanted unsafe and one of resolve, maxmargin"),
        ("game", {}, "unknown key; did you mean 'games'"),
    ],
)
def test_load__refuses(tmp_path, key, value, expected):
    settings = yaml.safe_load(CONFIG.read_text()) | {key: value}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(settings))
    with pytest.raises(UserError, match=expected):
        TablesConfig.read(tmp_path / "own.yaml")


def test_load__refuses_an_off_tree_game_of_three_rounds(tmp_path):
    settings = yaml.safe_load(CONFIG.read_text())
    settings["off_tree"]["game"] = settings["games"]["turn"]["game"]
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(settings))
    with pytest.raises(UserError, match="wanted one that ends on the flop"):
        TablesConfig.read(tmp_path / "own.yaml")
