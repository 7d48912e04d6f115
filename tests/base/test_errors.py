"""Hints after a misspelt word."""

from sixmax.base.errors import did_you_mean, one_of


def test_did_you_mean__names_the_nearest_or_nothing():
    assert did_you_mean("alne", ["alone", "copies"]) == "did you mean 'alone'?"
    assert did_you_mean("xyzzy", ["alone", "copies"]) == ""


def test_one_of__names_the_nearest_before_all():
    assert one_of("alne", ["alone", "copies"]) == "did you mean 'alone'? there are alone, copies"
    assert one_of("xyzzy", ["alone", "copies"]) == "there are alone, copies"
