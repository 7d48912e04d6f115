"""Links of the page are addresses that the explorer takes; the digest of the templates."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from sixmax.api.walk import Address
from sixmax.cli import app
from sixmax.report.template import EXPLORER, digest


def links(page):
    return [unescape(link) for link in re.findall(r'href="(http[^"]+)"', page)]


def test_home__is_where_the_command_serves():
    serve = app.get_command(None, "serve")
    defaults = {option.name: option.default for option in serve.params}
    assert f"http://{defaults['host']}:{defaults['port']}" == EXPLORER


def test_links__are_taken_by_the_explorer_s_own_parser(page, inputs):
    taken = []
    for link in links(page):
        parts = urlsplit(link)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == EXPLORER + "/explore"
        address = Address.of(dict(parse_qsl(parts.query, strict_parsing=True)))
        taken.append(address)
        assert address.fields() == dict(parse_qsl(parts.query))
    kinds = ("first_in", "facing_raise", "facing_three_bet")
    spots = [each["actions"] for kind in kinds for each in inputs.ranges[kind]]
    assert len(spots) == 35
    assert [address.actions for address in taken[:35]] == spots
    opponents = {m["b"] for m in inputs.matches["matches"]}
    assert opponents <= {a.beside for a in taken}


def test_template__digest_is_stable():
    assert digest() == digest()
    assert re.fullmatch("[0-9a-f]{16}", digest())
