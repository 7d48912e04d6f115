"""Hints after a misspelt word or action."""

import pytest

from sixmax.errors import did_you_mean, in_acpc_notation, one_of


def test_did_you_mean__names_the_nearest_or_nothing():
    assert did_you_mean("alne", ["alone", "copies"]) == "did you mean 'alone'?"
    assert did_you_mean("xyzzy", ["alone", "copies"]) == ""


def test_one_of__names_the_nearest_before_all():
    assert one_of("alne", ["alone", "copies"]) == "did you mean 'alone'? there are alone, copies"
    assert one_of("xyzzy", ["alone", "copies"]) == "there are alone, copies"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fold, raise to 250; call/check", "fr250c/c"),
        ("f c r225", "fcr225"),
        ("bet 300 folds", "r300f"),
        ("kb100", "cr100"),
        ("fr250c/c", "fr250c/c"),
        ("what", "what"),
        ("fkx", "fcc"),
        ("r1k", "r1k"),
        ("back", "back"),
    ],
)
def test_in_acpc_notation__spells_words_and_leaves_the_rest(text, expected):
    assert in_acpc_notation(text) == expected
