"""The commit of the code, and the date: words for people."""

import datetime
import re

from sixmax.store.commit import commit, made_now


def test_commit__is_one_word():
    assert re.fullmatch(r"[0-9a-f]{7,40}\+?|unknown", commit())


def test_made_now__is_this_minute_in_utc():
    actual = made_now()
    date = datetime.datetime.strptime(actual["date"], "%Y-%m-%dT%H:%MZ")
    age = datetime.datetime.now(datetime.UTC) - date.replace(tzinfo=datetime.UTC)
    assert 0 <= age.total_seconds() < 120
    assert actual["commit"] == commit()
