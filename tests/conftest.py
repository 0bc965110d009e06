"""No test touches the files or the boards of whoever runs it, its subprocesses included."""

import pytest


@pytest.fixture(autouse=True)
def _nothing_of_the_users(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("CRIBBOARD_PORT", "sim")
