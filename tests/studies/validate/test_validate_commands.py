"""The commands of the validation, from a curve to the verdict."""

import json

import pytest
from click.testing import CliRunner

from sixmax.base.errors import UserError
from sixmax.cli import app
from studies.validate.curves import curve


def judge(tmp_path, record):
    """The finished `sixmax stage verdict` on one record."""
    (tmp_path / "curve.json").write_text(json.dumps(record))
    files = [f"--{kind}={tmp_path / kind}" for kind in ("out", "text", "page")]
    done = CliRunner().invoke(app, ["stage", "answers", str(tmp_path / "curve.json"), *files])
    assert done.exit_code == 0, done.output
    assert all((tmp_path / kind).stat().st_size for kind in ("out", "text", "page"))
    return CliRunner().invoke(app, ["stage", "verdict", str(tmp_path / "out")])


def test_verdict__all_bounds_met(tmp_path):
    done = judge(tmp_path, curve())
    assert done.exit_code == 0
    assert done.output == "validate: all 3 bounds are met\n"


def test_verdict__a_line_for_each_bound_that_is_missed(tmp_path):
    done = judge(tmp_path, curve(scores=((0.2, 0.2),)))
    assert done.exit_code == 1
    assert [line.split(":")[:2] for line in done.output.splitlines()] == [
        ["missed", " kuhn, cfr after 10"],
        ["missed", " kuhn, cfr after 100"],
    ]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("{", "settings: found '{', wanted: invalid JSON"),
        ('{"iterations": 90, "seed": -1}', "settings.seed: found -1"),
    ],
)
def test_measure__settings_that_are_none(tmp_path, settings, expected):
    arguments = ["kuhn", "cfr", "--settings", settings, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["measure", *arguments])
    assert isinstance(done.exception, UserError)
    assert expected in str(done.exception)
