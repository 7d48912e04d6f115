import errno
import json
import os

import numpy as np
import pytest

from sixmax.abstraction.flop import store
from sixmax.abstraction.flop.kernels import BLOCKED, river_bucket, turn_bucket
from sixmax.base.errors import UserError
from sixmax.cards.deck import as_cards, hole_cards, hole_id
from sixmax.cards.isomorphism import boards
from sixmax.store import read
from threads import same_on_two_threads

RANKS, COUNT = 6, 30


@pytest.fixture(scope="module")
def stored(clustered):
    return store.of_board(clustered, "AcTc9d", COUNT)


def card(text):
    return int(as_cards(text, RANKS)[0])


def hole(text):
    return hole_id(*as_cards(text, RANKS))


def test_opponents__are_those_of_the_features(clustered):
    expected = read(clustered / "features" / "preflop.zarr", "features-preflop")["cluster"]
    actual = store.opponents(clustered, store.preflop_of(clustered))
    np.testing.assert_array_equal(actual, expected)


def test_of_board__any_suits_and_order_give_the_buckets_of_the_canonical_flop(clustered, stored):
    other = store.of_board(clustered, "9h As Ts Kd", COUNT)
    suits = {"c": "s", "d": "h", "h": "d", "s": "c"}

    def renamed(text):
        return "".join(suits.get(letter, letter) for letter in text)

    for turn, river, held in [("Ad", "Kc", "AhTh"), ("9c", "9s", "QdKh"), ("Kh", "Ks", "QcJc")]:
        for first, second in ((turn, river), (river, turn)):
            expected = turn_bucket(stored, card(first), hole(held))
            actual = turn_bucket(other, card(renamed(first)), hole(renamed(held)))
            assert actual == expected < COUNT
            expected = river_bucket(stored, card(first), card(second), hole(held))
            actual = river_bucket(
                other, card(renamed(first)), card(renamed(second)), hole(renamed(held))
            )
            assert actual == expected < COUNT


def test_look_up__says_where_a_card_would_be_held_twice(stored):
    assert turn_bucket(stored, card("Ac"), hole("KhKd")) == BLOCKED  # on the flop
    assert turn_bucket(stored, card("Kh"), hole("KhKd")) == BLOCKED
    assert turn_bucket(stored, card("Ks"), hole("AcKd")) == BLOCKED
    assert river_bucket(stored, card("Ks"), card("Kd"), hole("KhKd")) == BLOCKED
    rows = (stored.turn != BLOCKED).sum(axis=1)
    assert sorted(set(rows.tolist())) == [0, 20 * 19 // 2]
    assert (stored.river != BLOCKED).sum() == 210 * 19 * 18 // 2


def test_look_up__better_hands_are_in_better_buckets(stored):
    nuts = river_bucket(stored, card("Kc"), card("Qd"), hole("QcJc"))
    nothing = river_bucket(stored, card("Kh"), card("Kd"), hole("9hJs"))
    assert nuts == COUNT - 1
    assert stored.river_strength[nothing] < 0.5
    assert turn_bucket(stored, card("Kc"), hole("QcJc")) > turn_bucket(
        stored, card("Kc"), hole("JsQh")
    )


def test_of_board__is_kept_and_mapped(clustered, stored):
    flop = store.find(clustered, "AcTc9d")[1]
    path = store.store_path(clustered, flop)
    before = path.stat().st_mtime_ns
    again = store.of_board(clustered, boards(RANKS, 3).cards[flop], COUNT)
    assert path.stat().st_mtime_ns == before
    np.testing.assert_array_equal(again.river, stored.river)
    assert not again.river.flags.writeable
    assert read(path, "flop-buckets").attributes["cards"]
    assert again.hole.tolist() == list(range(len(hole_cards(RANKS))))


def test_made__anew_where_another_number_is_asked_for(clustered, stored):
    flop = store.find(clustered, "AhAdAs")[1]
    few = len(store.arrays(clustered, flop, 5)["river_strength"])
    more = store.arrays(clustered, flop, 9)
    assert (few, len(more["river_strength"])) == (5, 9)
    assert more["river"][more["river"] != BLOCKED].max() == 8


def digests(path):
    return read(path, "flop-buckets").attributes["digests"]


def test_make__gives_the_same_bytes_whatever_the_threads(clustered, tmp_path):
    out = tmp_path / "x.zarr"
    same_on_two_threads(lambda _: store.make(clustered, 7, 20, out) or digests(out))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda run: store.arrays(run, 10_000, 5), "flop 10000: wanted 0 to"),
        (lambda run: store.arrays(run, 0, 70_000), "70000 buckets"),
        (lambda run: store.of_board(run, "AcTc"), "board of 2 cards"),
        (lambda run: store.of_board(run, "AcTc2d"), "'2d'"),
        (lambda run: store.of_board(run, "AcAcTd"), "twice"),
        (lambda run: store.of_board(run / "other", "AcTc9d"), "run its stage first"),
    ],
)
def test_of_board__refuses_in_one_line(clustered, call, message, refused):
    with refused(message):
        call(clustered)


def test_chosen__are_none_all_or_a_sample_of_the_seed():
    every = len(boards(RANKS, 3).count)
    assert store.chosen("none", RANKS, 1) == []
    assert store.chosen("all", RANKS, 1) == list(range(every))
    assert store.chosen(every + 1, RANKS, 1) == list(range(every))
    some = store.chosen(9, RANKS, 1)
    assert len(set(some)) == 9
    assert sorted(some) == some == store.chosen(9, RANKS, 1) != store.chosen(9, RANKS, 2)
    assert 0 <= some[0] < some[-1] < every


def test_shown__are_all_of_few_and_some_of_many():
    assert store.shown([], 1) == []
    assert store.shown([3, 8], 1) == [3, 8]
    some = store.shown(list(range(100)), 1)
    assert len(set(some)) == store.SHOWN
    assert sorted(some) == some == store.shown(list(range(100)), 1)
    assert some != store.shown(list(range(100)), 2)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 8, 1755])
def test_parts__have_every_flop_once_and_the_shown_first(number):
    flops = list(range(number))
    parts = store.parts(flops, 1)
    assert sorted(flop for part in parts for flop in part) == flops
    assert parts[:1] == [store.shown(flops, 1)] * bool(flops)
    assert all(parts)
    assert len(parts) <= 42


@pytest.mark.parametrize("second", [False, True])
def test_make__a_second_seed_and_a_picture_where_they_are_asked_for(clustered, tmp_path, second):
    store.make(clustered, 7, 20, tmp_path / "7.zarr", second=second)
    quality = json.loads((tmp_path / "7.json").read_text())
    assert ("two_seeds" in quality["turn"]) == (tmp_path / "7.png").exists() == second
    assert quality["river"]["buckets"] == 20


def test_make_all__gives_each_flop_as_if_it_were_alone(clustered, tmp_path, monkeypatch):
    def path(run, flop):
        return tmp_path / f"{flop}.zarr"

    store.make(clustered, 11, 6, tmp_path / "alone.zarr")
    monkeypatch.setattr(store, "store_path", path)
    store.make_all(clustered, ["10", "11"], 6)
    assert digests(path(clustered, 11)) == digests(tmp_path / "alone.zarr")
    assert path(clustered, 10).is_dir()


def test_make_all__refuses_an_unknown_flop_before_the_first_is_made(clustered, monkeypatch):
    monkeypatch.setattr(store, "make", lambda *arguments, **options: pytest.fail("made"))
    with pytest.raises(UserError, match="flop 10000: wanted 0 to"):
        store.make_all(clustered, ["10", "10000"], 6)


def test_find__counts_every_flop_of_the_deck(clustered):
    for number in (0, 17, len(boards(RANKS, 3).count) - 1):
        assert store.find(clustered, boards(RANKS, 3).cards[number])[1] == number


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_of_board__of_a_run_that_cannot_be_written(clustered, stored, monkeypatch, capsys, number):
    """The same buckets, in arrays of the same kind, made once in a process."""

    def refuse(*arguments, **attributes):
        raise OSError(number, os.strerror(number), "search")

    for name in ("write", "write_json"):
        monkeypatch.setattr(store, name, refuse)
    monkeypatch.setattr(store, "store_path", lambda run, flop: run / "nowhere" / f"{flop}.zarr")
    store._UNWRITTEN.clear()
    actual = store.of_board(clustered, "AcTc9d", COUNT)
    for name, array in stored._asdict().items():
        np.testing.assert_array_equal(getattr(actual, name), array)
        assert getattr(actual, name).flags.writeable == array.flags.writeable
    assert "kept in memory" in capsys.readouterr().err
    assert store.of_board(clustered, "9h As Ts Kd", COUNT).river is actual.river
    assert capsys.readouterr().err == ""


def test_make__other_reasons_not_to_write_are_told(clustered, monkeypatch):
    def refuse(*arguments, **attributes):
        raise OSError(errno.EIO, "the disk is broken", "search")

    monkeypatch.setattr(store, "write", refuse)
    with pytest.raises(OSError, match="the disk is broken"):
        store.arrays(clustered, 9, 5)
