"""The stages on a run folder of three-player Kuhn poker, with policies made up."""

import json

import numpy as np
import pytest

from cfr.games import PLAIN
from commands import called
from evaluation.small_games import random_policy
from sixmax.agents.registry import stores
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.run import open_run
from sixmax.continuation.generate import GENERATORS, Generator, biased
from sixmax.continuation.stage import compress
from sixmax.evaluation.aivat import scored_match, values_fit
from sixmax.evaluation.match.pairings import Pairing, pairings
from sixmax.evaluation.match.results import gather, gather_league, read_result
from sixmax.evaluation.match.stage import match
from sixmax.evaluation.pluribus.stage import compare
from sixmax.ongoing.preflop_chart import preflop_table
from sixmax.scores.statistics import PAYOFF, Protocol, Result, Sums
from sixmax.store import read, write


@pytest.fixture(scope="module")
def run(tmp_path_factory, kuhn3):
    folder = tmp_path_factory.mktemp("run")
    write(folder / "blueprint" / "tree.zarr", "tree", kuhn3.tree._asdict())
    blueprint = {"iterations": 100, "average_after": 0, "boards": 1, "snapshot_every": 2}
    settings = {
        "seed": 1,
        "ranks": 13,
        "game": kuhn3.config.model_dump(mode="json"),
        "abstraction": {},
        "blueprint": PLAIN._asdict() | blueprint,
    }
    content = {"tree": identity.content_digest(read(folder / "blueprint" / "tree.zarr", "tree"))}
    identity.write(folder / "blueprint" / "run.json", settings, content)
    frozen = identity.read(folder)
    for seed, name in enumerate(["strategy", "snapshot/00002", "snapshot/00004"]):
        path = folder / "blueprint" / f"{name}.zarr"
        checkpoint.save_policy(path, frozen, random_policy(kuhn3, seed), kuhn3.layout)
    compress(
        folder, 5.0, 2, folder / "continuation" / "strategies.zarr",
        folder / "continuation" / "check.json",
    )  # fmt: skip
    return folder


def test_compress__table_of_bytes(run, kuhn3):
    check = json.loads((run / "continuation" / "check.json").read_text())
    entries = kuhn3.layout.size
    assert check["size"]["bytes_regrets"] == 4 * entries
    assert check["size"]["bytes_policy"] == entries
    assert check["size"]["infosets"] == 48  # 12 nodes, 4 cards
    assert check["size"]["bits_per_infoset"] == 1.0
    assert [f["strategy"] for f in check["chi_square"]] == ["unbiased", "fold", "call", "raise"]


def test_match__all_pairings_of_a_run_and_their_table(run, tmp_path):
    pairs = pairings([2, 4], 4)
    files = [tmp_path / f"{p.name}.json" for p in pairs]
    for p, file in zip(pairs, files, strict=True):
        assert all((run / s).exists() for s in stores(*p))
        match(run, p, 500, 1, 2, file)
    gather(files, tmp_path / "matches.json", tmp_path / "matches.txt")
    table = json.loads((tmp_path / "matches.json").read_text())
    assert [(r["a"], r["b"]) for r in table["matches"]] == [
        tuple(p) for p in pairs if p.a == "blueprint"
    ]
    assert [r["after_interval"] for r in table["over_training"]["snapshots"]] == [2, 4]
    text = (tmp_path / "matches.txt").read_text()
    assert all(p.b in text for p in pairs)
    for r in table["matches"]:
        assert r["hands"] == 3 * r["deals"] == 1500
        assert r["interval"][0] < r["mean"] < r["interval"][1]
        assert len(r["by_seat"]) == 3


def test_match__twice_the_same_file(run, tmp_path):
    for name in ("one", "two"):
        match(run, Pairing("blueprint", "continuation-fold"), 300, 5, 1, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_match__tells_its_result_without_a_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["blueprint", "call", "--run", str(run), "--deals", "300", "--seed", "5"]
    assert "blueprint vs call: " in called("match", *words).stderr
    assert not list(tmp_path.iterdir())


HAND_BY_HAND = r"plays hand by hand.* take `sixmax table`"
THERE_ARE = (
    "there are fold, random, call, rule, continuation-unbiased, continuation-fold, "
    "continuation-call, continuation-raise, search, blueprint, snapshot-00002, snapshot-00004"
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bleuprint", "did you mean 'blueprint'"),
        ("continuation-rise", "did you mean 'continuation-raise'"),
        ("zzz", THERE_ARE),
        ("snapshot-00003", "unknown; did you mean 'snapshot-0000[24]'.* there are fold, random"),
        ("search", HAND_BY_HAND),
        ("acpc:18791", HAND_BY_HAND),
    ],
)
def test_match__agents_that_cannot_play(run, tmp_path, name, expected):
    with pytest.raises(UserError, match=expected) as caught:
        match(run, Pairing("blueprint", name), 10, 1, 1, tmp_path / "x.json")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("boards", "of_two", "expected"),
    [
        (None, True, "wanted one of hold'em"),
        (0, True, "--all-in"),
        (0, False, "wanted hold'em, found kuhn; leave out --all-in"),
    ],
)
def test_match__games_that_cannot_be_played(run, tmp_path, boards, of_two, expected):
    pair, out = Pairing("blueprint", "blueprint"), tmp_path / "x.json"
    with pytest.raises(UserError, match=expected):
        match(run, pair, 10, 1, 1, out, boards, run if of_two else None)
    assert not out.exists()


def test_match__continuations_are_those_that_the_runs_generator_made(run, tmp_path, monkeypatch):
    def two(opened, policy, factor):
        return biased(policy, factor)[:1] + biased(policy, factor)[3:]

    monkeypatch.setitem(GENERATORS, "two", Generator(("unbiased", "raise"), two))
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "blueprint").symlink_to(run / "blueprint")
    stored = folder / "continuation"
    compress(folder, 5.0, 1, stored / "strategies.zarr", stored / "check.json", "two")
    for name in ("one", "four"):
        pair = Pairing("blueprint", "continuation-raise")
        match(folder if name == "one" else run, pair, 50, 5, 1, tmp_path / name)
    means = [json.loads((tmp_path / name).read_text())["mean"] for name in ("one", "four")]
    assert means[0] == means[1]
    with pytest.raises(UserError, match="continuation-unbiased, continuation-raise, search, bl"):
        match(folder, Pairing("blueprint", "continuation-fold"), 10, 1, 1, tmp_path / "x.json")
    with pytest.raises(UserError, match="generator 'too': unknown; did you mean 'two'"):
        compress(folder, 5.0, 1, stored / "new.zarr", stored / "new.json", "too")


def test_match__continuations_of_another_run_are_refused(run, tmp_path):
    other = tmp_path / "other"
    (other / "continuation").mkdir(parents=True)
    (other / "blueprint").symlink_to(run / "blueprint")
    packed = np.zeros((4, 1), np.uint8)
    path = other / "continuation" / "strategies.zarr"
    write(path, "continuation", {"packed": packed}, run="another")
    with pytest.raises(UserError, match="belongs to run another"):
        match(other, Pairing("blueprint", "continuation-fold"), 10, 1, 1, tmp_path / "x.json")
    own = open_run(run).identity["digest"]
    write(path, "continuation", {"packed": packed}, run=own, strategies=list("abcd"))
    with pytest.raises(UserError, match="wanted"):
        match(other, Pairing("blueprint", "continuation-fold"), 10, 1, 1, tmp_path / "x.json")


@pytest.mark.parametrize(
    ("payoff", "expected"),
    [
        ("AIVAT", "payoff is"),
        (None, r"blueprint vs call is in .*one\.json and in .*two\.json; wanted each pairing once"),
    ],
)
def test_gather__results_that_do_not_go_together(run, tmp_path, payoff, expected):
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for seed, file in enumerate(files):
        match(run, Pairing("blueprint", "call"), 10, seed, 1, file)
    if payoff:
        other = json.loads(files[1].read_text())
        other["protocol"]["payoff"] = payoff
        files[1].write_text(json.dumps(other))
    with pytest.raises(UserError, match=expected):
        gather(files, tmp_path / "m", tmp_path / "t")
    assert not (tmp_path / "m").exists()


def test_gather_league__all_matches_in_one_table(tmp_path):
    terms, files = Protocol("two runs", PAYOFF, "deal", 2, 100, "game"), []
    for k, (a, b) in enumerate([("a/x", "b/x"), ("b/x", "a/x")]):
        sums = Sums(100, 1000.0 * k, 1e6 + 1e4 * k * k)
        files.append(tmp_path / f"{k}.json")
        write_json(files[k], Result(a, b, terms, (1,), 200, sums, (sums, sums)).to_json())
    record = gather_league(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert record == json.loads((tmp_path / "table.json").read_text())
    assert record["entrants"] == ["a/x", "b/x"]
    assert [row["mean"] for row in record["matches"]] == [0.0, 10.0]
    assert "b/x" in (tmp_path / "table.txt").read_text()


@pytest.mark.parametrize("text", ["", "{", "{}", "[]"])
def test_read_result__not_a_result(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(UserError, match=r"not the result of a match|damaged: it is not JSON"):
        read_result(tmp_path / "x.json")


def test_compare__a_game_without_blinds_has_no_first_in(run, tmp_path):
    compare(run, "blueprint", tmp_path / "firstin.json")
    result = json.loads((tmp_path / "firstin.json").read_text())
    assert (result["first_in"], result["ranks"], result["unit"]) == ([], None, "percent")
    assert "pluribus_totals" not in result
    with pytest.raises(UserError, match="wanted blueprint or a snapshot"):
        compare(run, "rule", tmp_path / "firstin.json")


def test_strategy__only_holdem_has_a_table_of_hand_classes(run, refused):
    opened = open_run(run)
    with refused("a run of kuhn, wanted one of hold'em"):
        preflop_table(opened, opened.policy("blueprint"), ())


@pytest.fixture(scope="module")
def values(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("values") / "values.zarr"
    values_fit.values(run, 3000, 1, 1, path)
    return path


def test_aivat__five_columns_and_the_digest_of_the_values(run, values, tmp_path):
    pair = Pairing("blueprint", "snapshot-00002")
    scored_match.aivat(run, pair, values, 300, 1, 1, tmp_path / "a.json")
    record = json.loads((tmp_path / "a.json").read_text())
    assert list(record["columns"]) == list(scored_match.COLUMNS)
    mean = {name: column["mean"] for name, column in record["columns"].items()}
    parts = mean["all hands"] + mean["chance correction"] + mean["action correction"]
    assert mean["AIVAT"] == pytest.approx(parts) == pytest.approx(record["mean"])
    assert record["variance_divided_by"]["hand"] > 1
    digest = scored_match.load(open_run(run), values)[1]
    assert digest in record["protocol"]["payoff"]
    scored_match.aivat(run, pair, values, 300, 1, 1, tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a.json").read_bytes()


def test_aivat__refuses_values_of_another_run(run, values, tmp_path):
    store = read(values, "values")
    arrays = {name: store[name] for name in scored_match.Values._fields}
    write(tmp_path / "v.zarr", "values", arrays, run="other", hands=1, seed=1)
    with pytest.raises(UserError, match=r"belongs to run other, wanted .* run `sixmax values`"):
        scored_match.load(open_run(run), tmp_path / "v.zarr")
