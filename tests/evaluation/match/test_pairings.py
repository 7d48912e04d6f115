from sixmax.agents.registry import stores
from sixmax.evaluation.match.pairings import Pairing, pairings


def test_pairings__everybody_once():
    result = pairings([6, 4, 8], 8)
    assert [p.name for p in result] == [
        "blueprint_vs_random",
        "blueprint_vs_call",
        "blueprint_vs_rule",
        "blueprint_vs_snapshot-00006",
        "blueprint_vs_snapshot-00008",
        "blueprint_vs_continuation-unbiased",
        "blueprint_vs_continuation-fold",
        "blueprint_vs_continuation-call",
        "blueprint_vs_continuation-raise",
        "snapshot-00006_vs_rule",
        "snapshot-00004_vs_rule",
        "snapshot-00008_vs_rule",
    ]


def test_pairings__of_another_generator():
    names = [p.b for p in pairings([4], 4, ("unbiased", "early"))]
    assert names[4:6] == ["continuation-unbiased", "continuation-early"]


def test_stores__what_a_match_needs():
    assert stores(*Pairing("blueprint", "rule")) == ["blueprint/strategy.zarr"]
    assert stores("snapshot-00004", "random") == ["blueprint/snapshot/00004.zarr"]
    assert stores("continuation-fold", "continuation-call") == ["continuation/strategies.zarr"]
    assert stores("random", "call") == []
