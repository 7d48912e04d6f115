"""`sixmax lbr`: options of a player that searches, with another agent."""

import pytest
from click.testing import CliRunner

from sixmax.base.errors import UserError
from sixmax.cli import app


@pytest.mark.parametrize(
    "option",
    [
        ["--begin", "0"],
        ["--known", "3"],
        ["--by", "hands"],
        ["--setting", "fast"],
        ["--config", "{}"],
    ],
)
def test_lbr__options_of_search_belong_to_search(tmp_path, option):
    given = [
        "fc",
        "--run",
        str(tmp_path),
        "--deals",
        "2",
        "--seed",
        "1",
        "--out",
        "x.json",
        *option,
    ]
    result = CliRunner().invoke(app, ["lbr", *given])
    assert isinstance(result.exception, UserError)
    assert f"{option[0]} with --agent blueprint: it is of a player" in str(result.exception)


def test_lbr__of_another_agent_wants_none_of_them(tmp_path):
    words = ["fc", "--run", str(tmp_path), "--deals", "2", "--seed", "1", "--out", "x.json"]
    result = CliRunner().invoke(app, ["lbr", *words])
    assert "found no trained run" in str(result.exception)
