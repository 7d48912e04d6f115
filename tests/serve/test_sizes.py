"""Sizes as people type them."""

import pytest

from sixmax.api.spots.address import Address
from sixmax.base.errors import UserError
from sixmax.serve.sizes import typed

FLOP = Address("r350cf/", "AhKd9c")  # a pot of 800, 350 put in by each


@pytest.mark.parametrize(
    ("text", "word", "chips"),
    [
        ("600", "r950", 600),
        (" 6bb ", "r950", 600),
        ("6.5 bb", "r1000", 650),
        ("75%", "r950", 600),
        ("r950", "r950", 600),
        ("All-in", "r2000", 1650),
    ],
)
def test_typed__counts_chips_of_the_round(library, text, word, chips):
    actual = typed(library, FLOP, text)
    assert (actual["word"], actual["chips"]) == (word, chips)
    assert actual["address"] == {"actions": f"r350cf/{word}", "board": "AhKd9c"}
    assert actual["kind"] == "bet"


def test_typed__shows_the_translation_before_it_is_played(library):
    assert typed(library, FLOP, "400")["translation"] is None
    sizes = typed(library, FLOP, "600")["translation"]["sizes"]
    assert [size["word"] for size in sizes] == ["r750", "r1550"]


@pytest.mark.parametrize(
    ("address", "text", "why"),
    [
        (FLOP, "", "wanted chips as in 300"),
        (FLOP, "much", "found|wanted chips as in 300"),
        (FLOP, "-5", "wanted chips"),
        (FLOP, "1e9", "wanted chips"),
        (FLOP, "٣٠٠", "wanted chips"),
        (FLOP, "1", "SB raises to 351, wanted 450 to 2000"),
        (FLOP, "999999999", "wanted 450 to 2000"),
        (Address("r2000c"), "5bb", "no raise is possible"),
        (Address("ff"), "5bb", "the hand is over"),
    ],
)
def test_typed__mistakes_are_told(library, address, text, why):
    with pytest.raises(UserError, match=why):
        typed(library, address, text)
