"""Continuations that were left out of a packed run, made anew from its blueprint."""

import pytest

from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.continuation import generate
from sixmax.continuation.generate import STRATEGIES
from sixmax.continuation.stage import compress
from sixmax.continuation.store import CONTENT, RECIPE, STORE, load, load_exact, recipe_of, sample
from sixmax.store import read
from studies.improve.small import on_disk


@pytest.fixture
def run(tmp_path):
    """A run that lacks the content of its continuations, and their bytes."""
    run, folder = on_disk(tmp_path / "small"), tmp_path / "small" / "continuation"
    compress(run.folder, 5.0, 1, folder / "strategies.zarr", folder / "check.json")
    expected = (run.folder / CONTENT).read_bytes()
    (run.folder / CONTENT).unlink()
    return run, expected


def test_load__makes_what_is_missing_bit_for_bit(run):
    run, expected = run
    write_json(run.folder / RECIPE, {"generator": "bias", "bias": 5.0})
    assert load(run)[1].tobytes() == expected
    assert (run.folder / CONTENT).read_bytes() == expected


def test_load__of_another_recipe_is_refused_and_keeps_nothing(run):
    run, _ = run
    write_json(run.folder / RECIPE, {"generator": "bias", "bias": 2.0})
    with pytest.raises(UserError, match="samples other continuations than were packed"):
        load(run)
    assert not (run.folder / CONTENT).exists()


def test_load__without_content_or_recipe_is_a_damaged_store(run):
    with pytest.raises(UserError, match="damaged store"):
        load(run[0])


def test_recipe__is_that_of_the_store(run):
    run, expected = run
    (run.folder / CONTENT).parent.mkdir(parents=True, exist_ok=True)
    (run.folder / CONTENT).write_bytes(expected)
    store = read(run.folder / STORE, "continuation")
    assert recipe_of(run, store) == {"generator": "bias", "bias": 5.0}
    assert recipe_of(run._replace(seed=2), store) is None


def test_load_exact__is_the_list_that_the_store_was_sampled_from(run):
    run, expected = run
    continuations = load_exact(run)
    assert [c.name for c in continuations] == list(STRATEGIES)
    assert sample(run, continuations).tobytes() == expected


def test_load_exact__of_an_unknown_generator_is_refused(run, monkeypatch):
    monkeypatch.setattr(generate, "GENERATORS", {})
    with pytest.raises(UserError, match="found unbiased, fold, call, raise, which no generator"):
        load_exact(run[0])
