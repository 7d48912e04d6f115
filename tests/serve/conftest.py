"""A small run of three players on disk, a site about it, and clients."""

import json
import time

import numpy as np
import pytest
from starlette.testclient import TestClient

from serve.browser import CONFIG, Page, chromium, served
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.run import open_run
from sixmax.continuation.stage import compress
from sixmax.serve.app import Site, make_app
from sixmax.serve.library import Library
from studies.improve.small import on_disk

HERE = "http://127.0.0.1:8000"
# Searches of a moment: a few iterations, and the blueprint's buckets.
QUICK = {"buckets": 0, "iterations": 200, "vector_iterations": [20, 20, 20, 200]}
JSON = {"Content-Type": "application/json"}
FLOP = {"actions": "r350cf/", "board": "AhKd9c"}


def write_run(folder, seed=1, seats=3):
    """A finished run: blueprint, one snapshot, continuations."""
    run = on_disk(folder, seed, seats, later=(0.5, 1.5))
    other = np.roll(run.policy("blueprint"), 1)
    frozen = identity.read(folder)
    checkpoint.save_policy(folder / "blueprint/snapshot/00001.zarr", frozen, other, run.layout)
    result = folder / "continuation"
    compress(folder, 5.0, 1, result / "strategies.zarr", result / "check.json")
    return folder


def client_of(site):
    """A browser of ``site``: every request has the origin of its pages."""
    return TestClient(make_app(site), base_url=HERE, headers={"Origin": HERE})


def post(client, path, body, **headers):
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    return client.post(path, content=text, headers={**JSON, **headers})


def finished(client, job, seconds=300, path="/api/search"):
    until = time.monotonic() + seconds
    while job["state"] in ("waiting", "running") and time.monotonic() < until:
        time.sleep(0.02)
        job = client.get(f"{path}/{job['id']}").json()
    return job


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder of the run."""
    return write_run(tmp_path_factory.mktemp("serve") / "results" / "small")


@pytest.fixture(scope="session")
def run(folder):
    """The run, opened."""
    return open_run(folder)


@pytest.fixture(scope="session")
def library(run):
    """The run beside itself."""
    return Library(run, run)


@pytest.fixture(scope="module")
def site(library):
    """The state of a server."""
    return Site(library, json.dumps(QUICK))


@pytest.fixture(scope="module")
def client(site):
    return client_of(site)


@pytest.fixture
def get(client):
    """The JSON of an answer to GET: ``get(path, **query)``, with the status as ``status``."""

    def get(path, **query):
        answer = client.get(path, params=query)
        return {"status": answer.status_code, **answer.json()}

    return get


@pytest.fixture(scope="session")
def home(folder):
    """The address of a server of the run, a process of its own."""
    with served(folder, "--config", json.dumps(CONFIG)) as home:
        yield home


@pytest.fixture(scope="session")
def driver():
    """A browser."""
    with chromium() as driver:
        yield driver


@pytest.fixture
def page(driver, home):
    """The browser at this server. No test leaves an error that it does not take away itself."""
    page = Page(driver, home)
    yield page
    assert page.errors() == []
