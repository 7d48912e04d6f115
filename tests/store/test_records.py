"""JSON results: missing, damaged and foreign files are named in one line; others are kept."""

import json
import math

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.store.records import Form, RecordKind, read, write


class _GainForm(Form):
    hands: int
    won: dict[str, list[float]]


GAIN = RecordKind("a gain", "sixmax gain", _GainForm)
GOOD = {"hands": 3, "won": {"all": [1, -2.5]}, "more": None}


def test_read__gives_the_values_as_they_are(tmp_path):
    """Also numbers that are whole, and keys that are not declared."""
    (tmp_path / "x.json").write_text(json.dumps(GOOD))
    actual = read(tmp_path / "x.json", GAIN)
    assert json.dumps(actual) == json.dumps(GOOD)


def test_read__refuses_what_is_not_there(tmp_path):
    said = r"x\.json: no such file; wanted a gain, which `sixmax gain` writes$"
    with pytest.raises(UserError, match=said):
        read(tmp_path / "x.json", GAIN)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"hands": 3,}'])
def test_read__refuses_what_is_damaged(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(UserError, match=r"x\.json: damaged: it is not (JSON|text) .*`sixmax gain`"):
        read(tmp_path / "x.json", GAIN)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([], "an object"),
        ({}, "hands: Field required"),
        ({**GOOD, "hands": "3"}, "hands: Input should be a valid integer"),
        ({**GOOD, "won": {"all": [1, None]}}, "won.all.1: Input should be a valid number"),
    ],
)
def test_read__refuses_what_is_foreign_and_advises_no_harm(tmp_path, values, why):
    (tmp_path / "run.json").write_text(json.dumps(values))
    with pytest.raises(
        UserError, match=rf"run\.json: not a gain \(.*{why}.*`sixmax gain` wrote$"
    ) as caught:
        read(tmp_path / "run.json", GAIN)
    assert "delete" not in str(caught.value)


def test_write__writes_what_read_gives(tmp_path):
    """The bytes of write_json, and values that JSON has no word for."""
    record = {**GOOD, "won": {"all": (1, -2.5), "none": [math.inf, math.nan]}}
    write(tmp_path / "new" / "x.json", GAIN, record)
    write_json(tmp_path / "plain.json", record)
    assert (tmp_path / "new" / "x.json").read_bytes() == (tmp_path / "plain.json").read_bytes()
    actual = read(tmp_path / "new" / "x.json", GAIN)
    assert json.dumps(actual) == json.dumps(record)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"won": {}}, "hands: Field required"),
        ({**GOOD, "hands": 3.5}, "hands: Input should be a valid integer"),
        ({**GOOD, "won": {"all": [1, None]}}, "won.all.1: Input should be a valid number"),
        ({**GOOD, "hands": np.int64(3)}, "Object of type int64 is not JSON serializable"),
    ],
)
def test_write__refuses_a_record_of_another_kind_and_tells_it(tmp_path, record, why):
    with pytest.raises(ValueError, match=rf"x\.json: the record is not a gain: {why}") as caught:
        write(tmp_path / "x.json", GAIN, record)
    assert not isinstance(caught.value, UserError)
    assert not (tmp_path / "x.json").exists()
    assert json.loads(str(caught.value).splitlines()[1]) == json.loads(
        json.dumps(record, default=str)
    )
