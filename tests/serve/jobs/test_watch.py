"""A watch counts the pieces of work, and ends them."""

import pytest

from sixmax.serve.jobs.watch import Watch


def test_watch__counts_pieces_and_ends_each_once_it_is_told():
    watch = Watch(KeyError)
    watch.begin(10)(4)
    values = watch.as_values()
    assert (values["search"], values["total"], values["share"]) == (1, 10, 0.4)
    progress = watch.begin(5)
    watch.ended.set()
    assert not watch.cut
    with pytest.raises(KeyError):
        progress(1)
    assert (watch.piece, watch.cut) == (2, True)
    watch.open()
    watch.begin(3)(3)
    assert (watch.piece, watch.cut, watch.as_values()["share"]) == (1, False, 1.0)
