"""The face itself: its names, its import, and the lines that the README promises."""

import json
from pathlib import Path

import pytest

import sixmax as sx
from processes import PYTHON, ROOT, printed

NAMES = {
    "Agent", "Endgame", "ListedGame", "Mix", "OpenedRun", "Range", "Result", "SearchedSpot",
    "EndgameSolution", "GameSolution", "Spot", "Strategy", "UserError", "EV", "endgame", "game",
    "games", "match", "open", "solve",
}  # fmt: skip


def fresh(code):
    """The JSON that ``code`` prints last, in a process of its own."""
    return json.loads(printed(PYTHON, "-c", code).splitlines()[-1])


def test_names__are_those_that_the_page_lists_and_each_can_be_had():
    """A name that is added or goes is a decision: docs/api/face.md says which are public."""
    assert set(sx.__all__) == NAMES == set(dir(sx))
    assert sx.__version__.count(".") == 2
    page = (ROOT / "docs" / "api" / "face.md").read_text()
    for name in NAMES - {"UserError", "games"}:
        assert f"### {name}\n" in page, name
        assert (getattr(sx, name).__doc__ or "").strip()


def test_names__that_are_not_public_are_refused():
    with pytest.raises(AttributeError, match="'sixmax' has no attribute 'nothing'"):
        sx.nothing  # noqa: B018


def test_import__loads_nothing_heavy_and_changes_no_environment():
    loaded = fresh(
        "import json, os, sys; before = dict(os.environ); import sixmax; "
        "print(json.dumps([sorted(sys.modules), before == dict(os.environ)]))"
    )
    assert loaded[1]
    assert not {"numba", "numpy", "scipy", "pydantic", "zarr", "snakemake"} & set(loaded[0])


def test_import__takes_less_than_a_third_of_a_second_of_this_core():
    """Processor time, for the machine may be busy; a bare `python -c pass` takes .02 s."""
    spent = fresh(
        "import json, time; t = time.process_time(); import sixmax; "
        "print(json.dumps(time.process_time() - t))"
    )
    assert spent < 0.3


def test_functions__stay_functions_once_parts_are_imported():
    """A submodule becomes an attribute of its package: none may bear a public name."""

    assert callable(sx.game)
    assert callable(sx.games.kuhn)
    package = Path(sx.__file__).parent
    assert not {p.stem for p in package.iterdir()} & (NAMES - {"games"})
