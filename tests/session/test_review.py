"""Reviews of files: the same opinions from a log, from PHH and from the session itself."""

import numpy as np
import pytest

from search.holdem import small_run
from session.person import Person, play
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.betting.rules import FOLD
from sixmax.evaluation.match.duplicate import hands
from sixmax.hands import formats
from sixmax.hands.acpc import log_head, log_line
from sixmax.hands.record import UNSEEN
from sixmax.session.opinion import Adviser
from sixmax.session.review import review, summary
from sixmax.session.session import Session


def written(run, path, records):
    kind = formats.FORMATS["acpc" if path.suffix == ".log" else "phh"]
    with formats.written(path, kind, run.game) as add:
        for record in records:
            add(record)
    return path


@pytest.fixture(scope="module")
def played(run):
    session, opinions = Session(run, ["blueprint", "random"], seed=3), []
    records = []
    for n in range(8):
        records += play(session, 1, Person(n))
        opinions.append(session.review())
    return records, opinions


@pytest.mark.parametrize("name", ["x.log", "x.phhs"])
def test_review__of_the_own_hands_is_that_of_the_session(run, played, name, tmp_path):
    """Raises off the tree are read by a draw, and so are not compared."""
    records, opinions = played
    file = written(run, tmp_path / name, records)
    actual = {each.record.number: each for each in review(run, file, Adviser(run), "you")}
    expected = {each[0].number: each for each in opinions if each}
    assert actual.keys() == expected.keys()
    same = 0
    for number, reviewed in actual.items():
        assert reviewed.record.names[reviewed.seat] == "you"
        pairs = zip(reviewed.opinions, expected[number], strict=True)
        for ours, theirs in pairs:
            fields = ("number", "seat", "in_round", "at", "pot", "to_call", "before", "action")
            assert [getattr(ours, f) for f in fields] == [getattr(theirs, f) for f in fields]
            assert ours.hole.tolist() == theirs.hole.tolist()
            assert ours.board.tolist() == theirs.board.tolist()
            same += ours.offered == theirs.offered and np.allclose(ours.chance, theirs.chance)
    assert same > 8


def test_review__every_known_hand_of_a_log_of_a_match(run, tmp_path):
    """The hands of a match from tables: its agents do nothing that the reviewer never does."""
    game, agents = open_agents(run, ["blueprint", "call"])
    records = list(hands(("blueprint", "call"), agents, game, run, 4, 5))
    k, seat = next((k, s) for k, r in enumerate(records) for s, a in r.actions[0] if a == FOLD)
    holes = records[k].holes.copy()
    holes[seat] = UNSEEN
    shown = [*records[:k], records[k]._replace(holes=holes), *records[k + 1 :]]
    file = written(run, tmp_path / "x.log", shown)
    reviewed = list(review(run, file, Adviser(run)))
    assert all(UNSEEN not in each.record.holes[each.seat] for each in reviewed)
    decisions = sum(len(part) for record in records for part in record.actions)
    hidden = sum(seat == each for part in records[k].actions for each, _ in part)
    assert sum(len(each.opinions) for each in reviewed) == decisions - hidden
    own = [each for each in reviewed if each.record.names[each.seat] == "blueprint"]
    assert all(opinion.share > 0 for each in own for opinion in each.opinions)
    total = summary(own, 100)
    assert (total.hands, total.decisions) == (len(own), sum(len(e.opinions) for e in own))
    assert total.cost.n == len(own)
    assert total.cost.mean == pytest.approx(10 * np.mean([each.cost for each in own]))


def test_review__the_same_seed_the_same_numbers(run, played, tmp_path):
    file = written(run, tmp_path / "x.log", played[0][:3])
    first, again, other = (
        [each.cost for each in review(run, file, Adviser(run), "you", seed)] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_review__other_stacks(run, tmp_path):
    deep = run.game.model_copy(update={"stacks": [2500, 2000, 3000]})
    records = play(Session(run, ["call"], "SB", seed=3), 2, Person(1, always=0))
    file = tmp_path / "x.log"
    lines = [log_line(record._replace(rules=deep)) for record in records]
    file.write_text(log_head(deep) + "".join(lines))
    reviewed = list(review(run, file, Adviser(run), "you"))
    assert reviewed
    assert reviewed[0].record.rules.stacks == [2500, 2000, 3000]


HIDDEN = "STATE:7:ff:|AcAd|KhKd:-50|50|0:a|b|you\n"


@pytest.mark.parametrize(
    ("seats", "line", "player", "message"),
    [
        (2, "STATE:1:f:9c9d|AcAd:50|-50:a|you\n", "you", "found seats 2, .*; wanted seats 3, bl"),
        (3, "STATE:7:ff:2c9d|AcAd|KhKd:-50|50|0:a|b|you\n", "you", "hand 7: cards '2c"),
        (3, HIDDEN, "yuo", "no player 'yuo'; did you mean 'you'"),
        (3, HIDDEN, "a", "never shown"),
    ],
    ids=["another game", "another deck", "nobody", "unseen"],
)
def test_review__refuses(run, tmp_path, seats, line, player, message):
    file = tmp_path / "x.log"
    file.write_text(log_head(run.game if seats == 3 else small_run(2)[0].game) + line)
    with pytest.raises(UserError, match=message):
        list(review(run, file, Adviser(run), player))
