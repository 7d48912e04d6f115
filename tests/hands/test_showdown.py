"""Who wins each pot, hands mucked, and payoffs that are off by an odd chip or a rake."""

import json
import random

import numpy as np
import pytest

from commands import called
from oracles.game import payoffs
from sixmax.base.errors import UserError
from sixmax.hands.phh import parse
from sixmax.hands.replay import replay
from sixmax.hands.showdown import MATCH, MISMATCH, ODD_CHIP, RAKE, judge, pots


def test_pots__pay_as_the_pots_of_the_rules_do():
    rng = random.Random(1)
    for _ in range(300):
        seats = rng.randint(2, 6)
        put = [rng.choice([0, 1, 5, rng.randint(0, 40)]) for _ in range(seats)]
        left = rng.sample(range(seats), rng.randint(1, seats))
        if max(put[seat] for seat in left) == 0:
            continue
        rank = [rng.randint(1, 3) for _ in range(seats)]
        actual = [-float(chips) for chips in put]
        for pot in pots(put, sum(1 << seat for seat in left)):
            best = max(rank[seat] for seat in pot.seats)
            winners = [seat for seat in pot.seats if rank[seat] == best]
            for seat in winners:
                actual[seat] += pot.chips / len(winners)
        assert actual == pytest.approx([float(v) for v in payoffs(put, left, rank)])


def test_pots__dead_chips_are_in_the_main_pot():
    assert pots([10, 10, 4], 0b111, 7) == [(19, [0, 1, 2]), (12, [0, 1])]
    assert pots([10, 10, 0], 0b111, 7) == [(7, [0, 1, 2]), (20, [0, 1])]
    assert pots([3, 10, 20], 0b010, 1) == [(34, [1])]


# Everybody checks down a pot of three; a has aces, b kings, c queens.
CHECKS = ", ".join(f"'p{p} cc'" for p in (1, 2, 3))
PASSIVE = f"""variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [%s, 'p3 cc', 'p1 cc', 'p2 cc', 'd db 7h8h9s', {CHECKS}, 'd db Jd', {CHECKS}, \
'd db 2s', {CHECKS}%s]
""".replace("\\\n", "")
DEALT = "'d dh p1 AhAd', 'd dh p2 KhKd', 'd dh p3 QhQd'"
HIDDEN = "'d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????'"
WON = "finishing_stacks = [204, 198, 198]"


def passive(dealt, shown):
    return PASSIVE % (dealt, "".join(f", '{word}'" for word in filter(None, shown.split(", "))))


@pytest.mark.parametrize(
    ("dealt", "shown", "result", "expected"),
    [
        (HIDDEN, "p1 sm AhAd, p2 sm ????, p3 sm ????", "", [4, -2, -2]),
        (HIDDEN, "p1 sm AhAd, p2 sm, p3 sm", "", [4, -2, -2]),
        (HIDDEN, "p1 sm AhAd", "", [4, -2, -2]),
        (HIDDEN, "p2 sm KhKd, p1 sm AhAd, p3 sm", WON, [4, -2, -2]),
        (HIDDEN, "p1 sm AhAd, p2 sm AcAs, p3 sm", "", [1, 1, -2]),
        (DEALT, "p3 sm QhQd, p1 sm, p2 sm -", "", [-2, 4, -2]),  # a gave the best hand up
        (DEALT, "p1 sm -, p2 sm -, p3 sm -", "", [4, -2, -2]),
        (DEALT, "p2 sm, p3 sm, p1 sm", "", [4, -2, -2]),  # the last one left need not show
        (HIDDEN, "p1 sm, p3 sm", "", [-2, 4, -2]),
        (HIDDEN.replace("????", "AhAd", 1), "", WON, [4, -2, -2]),  # the player's own cards
    ],
)
def test_settled__the_winner_of_hands_mucked(dealt, shown, result, expected):
    hand, net = parse(passive(dealt, shown) + result)
    assert net.tolist() == hand.payoffs.tolist() == expected


@pytest.mark.parametrize(
    ("dealt", "shown", "result"),
    [
        (HIDDEN, "", ""),
        (HIDDEN, "", WON),
        (HIDDEN.replace("????", "AhAd", 1), "", ""),  # nobody showed: b or c may have won
        (HIDDEN.replace("????", "QcQs", 1), "", WON.replace("204, 198", "198, 204")),
        (HIDDEN, "p1 sm QcQs, p2 sm ????", WON.replace("204, 198", "198, 204")),
        (HIDDEN, "p1 sm", ""),
    ],
)
def test_settled__unseen_cards_that_decide(dealt, shown, result):
    with pytest.raises(UserError, match="here: a showdown with cards missing"):
        parse(passive(dealt, shown) + result, "here")


def test_settled__a_side_pot_between_hands_mucked():
    """c is all-in and wins the main pot; of the others' 20 nobody knows."""
    text = PASSIVE.replace("200]", "2]") % (HIDDEN, ", 'p3 sm AhAd', 'p1 sm', 'p2 sm'")
    text = text.replace("'p3 cc', ", "").replace(", 'p3 cc'", "")
    text = text.replace("'d dh p3 ????', 'p1", "'d dh p3 ????', 'p3 cc', 'p1")
    assert parse(text)[1].tolist() == [-2, -2, 4]
    more = text.replace("7h8h9s', 'p1 cc', 'p2 cc'", "7h8h9s', 'p1 cbr 20', 'p2 cc'")
    with pytest.raises(UserError, match="cards missing"):
        parse(more)
    folded = text.replace("7h8h9s', 'p1 cc', 'p2 cc'", "7h8h9s', 'p1 cbr 20', 'p2 f'")
    folded = folded.replace(", 'd db Jd', 'p1 cc', 'p2 cc', 'd db 2s', 'p1 cc', 'p2 cc'", "")
    folded = folded.replace(", 'p2 sm'", ", 'd db Jd', 'd db 2s'")
    assert parse(folded)[1].tolist() == [-2, -2, 4]


def split(stacks, pot, winners, paid):
    """A hand in which ``winners`` share the ``pot`` of all, with payoffs ``paid``; and its net."""
    seats = len(stacks)
    aces = iter(("AhAd", "AcAs"))
    holes = [next(aces) if seat in winners else f"{3 + seat}c{3 + seat}d" for seat in range(seats)]
    calls = [f"p{(seat + 2) % seats + 1} cc" for seat in range(seats)]
    rounds = [f"d db {cards}|" + "|".join(f"p{s + 1} cc" for s in range(seats))
              for cards in ("KhKsQd", "Jd", "2s")]  # fmt: skip
    actions = [f"d dh p{s + 1} {h}" for s, h in enumerate(holes)] + calls
    actions += [word for text in rounds for word in text.split("|")]
    finishing = [stack + chips for stack, chips in zip(stacks, paid, strict=True)]
    big, small = pot // seats, 2 * pot // seats // 5
    return parse(
        f"variant = 'NT'\nantes = {[0] * seats}\nblinds_or_straddles = "
        f"{[small, big] + [0] * (seats - 2)}\nmin_bet = {big}\nstarting_stacks = {stacks}\n"
        f"actions = {actions}\nfinishing_stacks = {finishing}\n"
    )


@pytest.mark.parametrize(
    ("stacks", "pot", "paid", "expected"),
    [
        ([200] * 3, 15, [2.5, 2.5, -5], MATCH),
        ([200] * 3, 15, [2.5055, 2.4945, -5], MATCH),  # rounded to hundredths
        ([200] * 3, 15, [2.5065, 2.4935, -5], ODD_CHIP),
        ([200] * 3, 15, [3, 2, -5], ODD_CHIP),
        ([200] * 3, 15, [2, 3, -5], ODD_CHIP),
        ([200] * 3, 15, [2.6, 2.4, -5], ODD_CHIP),
        ([200] * 3, 15, [4, 1, -5], MISMATCH),
        ([200] * 3, 15, [3, 3, -5], MISMATCH),
        ([200] * 3, 15, [2.5, 3, -5.5], MISMATCH),
        ([200] * 3, 15, [10, -5, -5], MISMATCH),
        ([20_000] * 3, 1500, [300, 200, -500], ODD_CHIP),  # the smallest chip is 100 or more
        ([20_025] * 3, 1500, [300, 200, -500], MISMATCH),  # 25
        ([200] * 3, 15, [2, 2, -5], RAKE),
        ([200] * 3, 15, [2.25, 1.75, -5], RAKE),
        ([200] * 3, 15, [1.74, 1.74, -5], MISMATCH),  # 1.52 of 15 is more than a tenth
        ([200] * 3, 15, [2, 2.5, -5], MISMATCH),
        ([200] * 3, 15, [2, 2, -4.5], MISMATCH),
        ([200] * 3, 60, [8.1, 9.9, -20], MISMATCH),  # who win the same pay the same
        ([200] * 3, 60, [8.5, 9, -20], RAKE),
        ([200] * 3, 60, [10.5, 10, -20], MISMATCH),
    ],
)
def test_judge__odd_chips_and_rakes(stacks, pot, paid, expected):
    hand, net = split(stacks, pot, (0, 1), paid)
    assert net.tolist() == [pot / 6, pot / 6, -pot / 3]
    assert judge(hand, net) == expected


def test_judge__all_odd_chips_may_go_to_one():
    """Three share a pot of 14, which pokerkit would pay as 6, 4, 4."""
    text = PASSIVE.replace("7h8h9s", "QhQsQd").replace("Jd", "Qc").replace("2s", "As")
    text = text % ("'d dh p1 2c2d', 'd dh p2 3c3d', 'd dh p3 4c4d'", "")
    hand, net = parse(text.replace("antes = [0, 0, 0]", "antes = [0, 0, 8]"))
    assert net.tolist() == pytest.approx([14 / 3 - 2, 14 / 3 - 2, 14 / 3 - 10])
    assert judge(hand._replace(payoffs=np.array([4.0, 2, -6])), net) == ODD_CHIP
    assert judge(hand._replace(payoffs=np.array([3.0, 3, -6])), net) == ODD_CHIP
    assert judge(hand._replace(payoffs=np.array([5.0, 1, -6])), net) == MISMATCH


def test_replay__the_third_answer_is_named_and_counted(tmp_path):
    path, out = tmp_path / "x.phhs", tmp_path / "x.json"
    hand = PASSIVE % (DEALT.replace("KhKd", "AcAs"), "")
    odd = hand.replace("antes = [0, 0, 0]", "antes = [1, 1, 1]")  # a pot of 9
    texts = [
        hand + "finishing_stacks = [201, 201, 198]",
        odd + "finishing_stacks = [202, 201, 197]",
        odd + "finishing_stacks = [201, 202, 197]",
        hand + "finishing_stacks = [200.75, 200.75, 198]",
    ]
    path.write_text("".join(f"[{k}]\n{text}\n" for k, text in enumerate(texts)))
    fine = called("replay", path, "--out", out).output
    assert "4 hands, 0 mismatches, 0 damaged; 3 players\n" in fine
    assert "no mismatches: 2 hands off by less than a chip a winner (odd chips), " in fine
    assert ", 1 hand short by a rake\n" in fine
    record = json.loads(out.read_text())
    assert [record[key] for key in ("mismatches", "odd_chips", "raked")] == [0, 2, 1]
    assert record["mistakes"] == []
    path.write_text(path.read_text() + f"[5]\n{hand}finishing_stacks = [202, 200, 198]\n")
    called("replay", path, code=1)
    tally = replay([path])
    assert (tally.hands, tally.mismatches, tally.odd_chips, tally.raked) == (5, 1, 2, 1)


def test_replay__mucked_and_raked_hands_of_a_log(tmp_path):
    path = tmp_path / "x.log"
    line = "STATE:0:ffffcc/cc/cc/cc:{}|||||/7h8h9s/Jd/2s:{}:a|b|c|d|e|f"
    won = [("AhAd", "100|-100"), ("AhAd", "95|-100"), ("AhAd", "-100|100"), ("", "100|-100")]
    path.write_text("\n".join(line.format(hole, f"{chips}|0|0|0|0") for hole, chips in won))
    tally = replay([path])
    assert (tally.hands, tally.mismatches, tally.damaged, tally.raked) == (2, 0, 2, 1)
    assert tally.players["a"].total == pytest.approx(1950)
