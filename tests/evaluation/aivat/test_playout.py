"""The parts of AIVAT that look at one hand."""

import numpy as np

from evaluation.scored import table
from sixmax.betting.tree import is_decision, round_of
from sixmax.evaluation.aivat import playout
from sixmax.evaluation.aivat.observer import MatchConstants, Observed, Others, observer
from sixmax.evaluation.aivat.playout import play_out
from sixmax.ongoing.policies import chances


def test_play_out__looks_up_no_bucket_that_the_round_has_not(monkeypatch):
    """The first round has more buckets than the last: 36 and 5."""
    run, game, player, values = table(2, 2000)
    head, parent = run.tree.node[:, 0], run.tree.parent
    decides, last = is_decision(head), run.tree.columns.shape[0] - 1
    begins = decides & (round_of(head) == last) & (round_of(head[parent]) != last)
    x, asked = int(np.flatnonzero(begins)[0]), []

    def noted(agent, game, x, bucket, out):
        asked.append(bucket)
        chances(agent, game, x, bucket, out)

    monkeypatch.setattr(playout, "chances", noted)
    most, holes = int(run.layout.buckets.max()), 3
    s = observer(len(head), 2, last + 1, holes, most, 0)
    s.other[:], s.rank[:], s.mine[:], s.weight[:] = 0, 1, [0, 1, 2], 1 / 3
    own = np.array([0, 2, -1], np.int32)
    m = MatchConstants(game, values, player, player, np.ones(2, bool), np.zeros(2))
    for hero in range(2):
        seen = Observed(m, hero, s)
        play_out.py_func(seen, x, last, s.every, own, Others(s.rank, s.other))
    assert set(asked) == {0, 2}  # those that the others hold, and that the hero may
    assert max(run.layout.buckets[last], 3) < most
