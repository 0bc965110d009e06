"""What a message tells somebody to type who lacks an extra, by how the program came to them."""

from __future__ import annotations

import json
import sys
from importlib.metadata import Distribution

import pytest

from cribboard import installed

WHEEL = {"url": "file:///shop/cribboard-1.0.0-py3-none-any.whl", "archive_info": {}}
CHECKOUT = {"url": "file:///home/ann/cribboard", "dir_info": {"editable": True}}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the program with this origin (PEP 610), and the files that its installer leaves."""
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    info = tmp_path / "cribboard-1.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: cribboard\nVersion: 1.0.0\n", encoding="utf-8")
    monkeypatch.setattr(installed, "distribution", lambda name: Distribution.at(info))

    def made(origin=None, leaves=""):
        if origin:
            (info / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
        if leaves:
            (tmp_path / leaves).touch()
        return info

    return made


@pytest.mark.parametrize(
    ("origin", "leaves", "advice"),
    [
        (None, "", "pip install 'cribboard[kiosk]'"),
        (WHEEL, "", f"pip install 'cribboard[kiosk] @ {WHEEL['url']}'"),
        (CHECKOUT, "", "in the project's folder: pip install -e '.[kiosk]'"),
        (None, "pipx_metadata.json", "pipx install --force 'cribboard[kiosk]'"),
        (None, "uv-receipt.toml", "uv tool install --force 'cribboard[kiosk]'"),
        (WHEEL, "uv-receipt.toml", f"uv tool install --force 'cribboard[kiosk] @ {WHEEL['url']}'"),
    ],
)
def test_the_advice_fits_the_installer(copy, origin, leaves, advice):
    copy(origin, leaves)
    assert installed.how_to_add("kiosk") == advice


def test_what_uvx_runs_is_run_again_with_the_extra(copy, monkeypatch):
    copy()
    monkeypatch.setenv("UV", "/usr/bin/uv")
    assert installed.how_to_add("kiosk") == "uvx --from 'cribboard[kiosk]' cribboard"


def test_modules_in_a_folder_have_an_answer_too(monkeypatch):
    def nowhere(name):
        raise installed.PackageNotFoundError(name)

    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(installed, "distribution", nowhere)
    assert installed.how_to_add("hardware") == "pip install 'cribboard[hardware]'"
    assert installed.address() == ""


def test_the_address_is_that_of_the_project(copy):
    info = copy()
    text = "Name: cribboard\nVersion: 1.0.0\nProject-URL: Source, https://example.org/ann/cribboard\n"
    (info / "METADATA").write_text(text, encoding="utf-8")
    assert installed.address() == "https://example.org/ann/cribboard"
