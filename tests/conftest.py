"""No test touches the files or the boards of whoever runs it, its subprocesses included."""

import os
import sys
import threading

import pytest

# Long runs over code that other tests measure; the tracer would take as much time again.
UNMEASURED = ("browser", "faults")


@pytest.fixture(autouse=True)
def _unmeasured(request, monkeypatch):
    # pytest-cov's own mark, no_cover, stops but the second of the two tracers that a worker of xdist has
    if request.path.parent.name not in UNMEASURED and not request.node.get_closest_marker("unmeasured"):
        yield
        return
    for name in [name for name in os.environ if name.startswith("COVERAGE")]:
        monkeypatch.delenv(name)
    tracer, threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    yield
    sys.settrace(tracer)
    threading.settrace(threads)


@pytest.fixture(autouse=True)
def _nothing_of_the_users(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("CRIBBOARD_PORT", "sim")
