"""No test touches the files or the boards of whoever runs it, its subprocesses included."""

import os

import pytest

# Long runs over code that other tests measure; the tracer would take as much time again.
UNMEASURED = ("browser", "faults")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name in UNMEASURED:
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def _unmeasured(request, monkeypatch):
    if request.node.get_closest_marker("no_cover"):
        for name in [name for name in os.environ if name.startswith("COVERAGE")]:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _nothing_of_the_users(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("CRIBBOARD_PORT", "sim")
