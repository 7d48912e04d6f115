import pytest

from report.synthetic import write_run
from sixmax.report import page as page_module
from sixmax.report.gather import gather
from sixmax.report.page import render


@pytest.fixture
def run(tmp_path):
    """The folder of a finished run of six players with a full deck."""
    return write_run(tmp_path / "results" / "made-up")


@pytest.fixture
def only(monkeypatch):
    """A function that leaves the page these sections alone: to draw them all takes a second."""
    return lambda *modules: monkeypatch.setattr(page_module, "SECTIONS", modules)


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    """The same run, gathered."""
    return gather(write_run(tmp_path_factory.mktemp("report") / "results" / "made-up"))


@pytest.fixture(scope="session")
def page(inputs):
    """Its page."""
    return render(inputs)
