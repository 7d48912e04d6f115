"""The pairs of agents that meet."""

import pytest

from sixmax.base.errors import UserError
from sixmax.evaluation.match.pairings import Entrant, pairings, refuse_missing


def test_pairings__everybody_once():
    result = pairings([6, 4, 8], 8)
    others = ["random", "call", "rule", "snapshot-00006", "snapshot-00008"]
    others += [f"continuation-{name}" for name in ("unbiased", "fold", "call", "raise")]
    assert [p.name for p in result] == [f"blueprint_vs_{other}" for other in others] + [
        f"snapshot-0000{k}_vs_rule" for k in (6, 4, 8)
    ]


def test_pairings__of_another_generator():
    names = [p.b for p in pairings([4], 4, ("unbiased", "early"))]
    assert names[4:6] == ["continuation-unbiased", "continuation-early"]


def test_entrant__a_run_and_its_agent():
    assert Entrant.parse("default") == ("default", "blueprint")
    assert Entrant.parse("old/snapshot-00008-purified") == ("old", "snapshot-00008-purified")
    assert Entrant.parse("old").file == "old.blueprint"


@pytest.mark.parametrize("text", ["old/search", "old/nobody", "/blueprint", ""])
def test_entrant__refused(text):
    with pytest.raises(UserError, match="wanted a run, or a run and its agent"):
        Entrant.parse(text)


def test_refuse_missing__nobody_or_a_run_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="is empty; name two or more"):
        refuse_missing([], "own")
    both = [Entrant.parse("own"), Entrant.parse("old/snapshot-00008-purified")]
    with pytest.raises(UserError, match=r"found no results/old/blueprint/run\.json"):
        refuse_missing(both, "own")
    for file in both[1].files:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert both[1].files[1] == "results/old/blueprint/snapshot/00008.zarr"
    refuse_missing(both, "own")
    with pytest.raises(UserError, match="found no results/own"):
        refuse_missing(both, "old")
