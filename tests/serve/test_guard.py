"""Requests that no page of this server sent are refused, and bodies too large."""

import pytest
from starlette.testclient import TestClient

from serve.conftest import FLOP, HERE, JSON, post
from sixmax.serve.app import make_app


@pytest.mark.parametrize(
    ("host", "passes"),
    [
        ("127.0.0.1:8000", True), ("localhost:8000", True), ("LOCALHOST:8000", True),
        ("[::1]:8000", True), ("127.0.0.1", False), ("127.0.0.1:8001", False),
        ("evil.example:8000", False), ("127.0.0.1.evil.example:8000", False), ("", False),
        ("a:b:c", False),
    ],
)  # fmt: skip
def test_host__of_another_name_is_refused(client, host, passes):
    status = client.get("/api/spot", headers={"Host": host}).status_code
    assert status == (200 if passes else 403)


def test_host__of_another_port_is_told_how_a_tunnel_is_made(client):
    """As of a browser behind `ssh -L 9000:127.0.0.1:8000`."""
    answer = client.get("/", headers={"Host": "localhost:9000"})
    assert answer.status_code == 403
    line = answer.json()["error"]
    assert line.startswith("host: found port 9000, and `sixmax serve` answers pages of port 8000")
    assert "ssh -L 8000:127.0.0.1:8000" in line
    assert "`sixmax serve --port 9000`" in line
    other = client.get("/", headers={"Host": "evil.example:9000"}).json()["error"]
    assert other.startswith("host: found 'evil.example:9000', wanted the address that")


def test_host__of_a_server_for_all_may_be_any_number_but_no_name(site):
    anywhere = make_app(site, "0.0.0.0", 8000)
    client = TestClient(anywhere, base_url="http://192.168.7.5:8000")
    assert client.get("/api/spot").status_code == 200
    assert client.get("/api/spot", headers={"Host": "evil.example:8000"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:8000"}, 403),
        ({"Origin": "http://localhost:8000"}, 403),  # another origin than that of the Host
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_post__from_elsewhere_is_refused(client, headers, status):
    assert post(client, "/api/search", FLOP, **headers).status_code == status


def test_post__without_an_origin_is_refused(site):
    client = TestClient(make_app(site), base_url=HERE)
    assert post(client, "/api/search", FLOP).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_methods__other_than_get_and_post_are_refused(client, method):
    assert client.request(method, "/api/spot").status_code == 405


def test_body__that_goes_on_is_cut_off(client):
    def parts():
        for _ in range(100):
            yield b" " * 1000

    answer = client.post("/api/search", content=parts(), headers=JSON)
    assert answer.status_code == 413
