"""`snakemake validate`, on a copy of the workflow with one quick game."""

import json

import pytest

from processes import SNAKEMAKE, printed
from workflow.forked import snakemake as forked
from workflow.forked import working_copy

GAME = "game: kuhn\nseats: 2\nmethods:\n  cfr: { iterations: 100 }\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The workflow with a game of its own."""
    path = working_copy(tmp_path_factory.mktemp("validate"))
    for file in (path / "config" / "validate").glob("*.yaml"):
        file.unlink()
    (path / "config" / "validate" / "kuhn.yaml").write_text(GAME)
    return path


def test_validate__measures_judges_and_leaves_the_run_alone(copy):
    printed(*SNAKEMAKE, "validate", "--cores", "1", cwd=copy)
    hit = copy / "results" / "validate"
    assert (hit / "verdict.txt").read_text() == "validate: all 3 checks hold\n"
    assert "Kuhn poker, two players" in (hit / "index.html").read_text()
    assert [path.name for path in (copy / "results").iterdir()] == ["validate"]
    # Which config the run has does not matter: nothing is done again.
    again = forked("validate", "-n", "--configfile", "config/tiny.yaml", cwd=copy)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_validate__fails_with_a_line_for_each_missed_bound_after_the_page_is_written(copy):
    file = copy / "results" / "validate" / "kuhn" / "cfr.json"
    if not file.exists():
        assert forked("validate", "--cores", "1", cwd=copy, jobs=True).returncode == 0
    curve = json.loads(file.read_text())
    curve["runs"][0]["nash_conv"][curve["iterations"].index(10)] = 0.2
    file.write_text(json.dumps(curve))
    done = forked("validate", "--cores", "1", cwd=copy, jobs=True)
    assert done.returncode != 0
    assert "missed: kuhn, cfr after 10: exploitability 0.1, wanted .0687" in done.stderr
    assert "Traceback" not in done.stderr
    assert "one missed" in (copy / "results" / "validate" / "index.html").read_text()
    assert not (copy / "results" / "validate" / "verdict.txt").exists()


def test_mistake__in_a_game_is_one_line_before_any_job(copy):
    (copy / "config" / "validate" / "leduc.yaml").write_text(GAME)
    done = forked("validate", "-n", cwd=copy)
    (copy / "config" / "validate" / "leduc.yaml").unlink()
    assert done.returncode != 0
    assert "leduc.yaml: describes kuhn; call the file kuhn.yaml" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
