"""How the tests run: side by side, without the files and boards of whoever runs them; what did not run is said."""

import gc
import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path, PurePosixPath

import hypothesis
import pytest

# Long runs over code that other tests measure; the tracer would take as much time again.
UNMEASURED = ("browser", "faults")
ALONE = ("service", "store", "web")  # here the tests' own process is measured, but no board or kiosk that they start

# What a test starts would compile all of our modules again, and again, in a shell that forbids keeping them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

hypothesis.settings.register_profile("any machine", deadline=None)  # how long an example takes is the machine's affair
hypothesis.settings.load_profile("any machine")


def pytest_xdist_auto_num_workers(config):
    """One worker more than there are cores, since many tests wait for a process; none for files and single tests."""
    if any(Path(arg).is_dir() for arg in config.args):
        return (os.cpu_count() or 1) + 1
    return 0


def pytest_configure(config):
    """Hear signals that a shell's `nohup` or `&` has taught us to ignore: what the tests start is stopped by them."""
    if hasattr(config, "workerinput"):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish():
    """Leave what collecting has made out of every later garbage collection; the firmware's own ones are many."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _unmeasured(request, monkeypatch):
    # pytest-cov's own mark, no_cover, stops but the second of the two tracers that a worker of xdist has
    folder = request.path.parent.name
    measured = folder not in UNMEASURED and not request.node.get_closest_marker("unmeasured")
    if not measured or folder in ALONE:
        for name in [name for name in os.environ if name.startswith("COVERAGE")]:
            monkeypatch.delenv(name)
    if measured:
        yield
        return
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
    for size in ("COLUMNS", "LINES"):  # a terminal says its own
        monkeypatch.delenv(size, raising=False)


def pytest_terminal_summary(terminalreporter):
    """What was skipped, and why: a promise that nothing has held to this time."""
    skipped = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        skipped[str(PurePosixPath(report.nodeid.partition("::")[0]).parent), reason] += 1
    if skipped:
        terminalreporter.section("NOT RUN", yellow=True, bold=True)
    for (folder, reason), tests in sorted(skipped.items()):
        terminalreporter.line(f"{folder}, {tests} test{'s' * (tests != 1)}: {reason}")
