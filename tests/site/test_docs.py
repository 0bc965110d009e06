"""The guide: every page of text of the project, its links checked, and found by its words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cribboard import installed
from cribboard.site.docs import PAGES, LinkError, address, rendered, root, slug

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def guide() -> dict[str, bytes]:
    return rendered()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path in PAGES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("# A page\n", encoding="utf-8")
    return tmp_path


def test_every_page_of_text_is_in_it(guide: dict[str, bytes]) -> None:
    folders = ("", "firmware", "firmware/wire", "hardware", "host", "tests", "tests/bench", "tests/pico")
    there = [path for folder in folders for path in (ROOT / folder).glob("*.md")]
    assert len(there) > 10
    for path in there:
        assert address(path.relative_to(ROOT).as_posix()) in guide


def test_every_link_leads_to_a_heading_or_a_file(guide: dict[str, bytes]) -> None:
    pages = {name: data.decode() for name, data in guide.items() if name.endswith(".html")}
    anchors = {name: set(re.findall(r' id="([^"]+)"', text)) for name, text in pages.items()}
    links = 0
    for name, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^":]+)"', text):
            page, _, anchor = target.partition("#")
            page = page or name.removeprefix("docs/")
            if page.startswith("../"):
                continue  # a file of the folder, which its own test looks for
            assert f"docs/{page}" in guide, f"{name} names {target}"
            assert not anchor or anchor in anchors[f"docs/{page}"], f"{name} names {target}"
            links += 1
    assert links > 300


def test_the_pages_lead_to_the_project_as_soon_as_it_has_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "address", lambda: "https://github.com/ann/cribboard")
    assert b'<a href="https://github.com/ann/cribboard">Source</a></nav>' in rendered()["docs/index.html"]
    monkeypatch.setattr(installed, "address", str)
    assert b"Source</a>" not in rendered()["docs/index.html"]


def test_a_link_to_nothing_is_refused(project: Path) -> None:
    (project / "README.md").write_text("[there](host/nothing.md)", encoding="utf-8")
    with pytest.raises(LinkError, match=r"README\.md links to host/nothing\.md, which is not there"):
        rendered(project)
    (project / "README.md").write_text("[there](host/kiosk.md#nothing)", encoding="utf-8")
    with pytest.raises(LinkError, match=r"host/kiosk\.md#nothing, and there is no such heading"):
        rendered(project)


def test_a_page_that_is_linked_to_is_in_it_too(project: Path) -> None:
    (project / "README.md").write_text("[more](host/more.md#what-more)", encoding="utf-8")
    (project / "host" / "more.md").write_text("# More\n\n## What more?\n\nText.\n", encoding="utf-8")
    pages = rendered(project)
    assert b'href="host-more.html#what-more"' in pages["docs/index.html"]
    assert b'aria-current="page">More</a>' in pages["docs/host-more.html"]


def test_an_installed_wheel_has_the_pages_and_leaves_out_what_it_has_not(project: Path) -> None:
    wheel = project.rename(project.parent / "_docs")
    (wheel / "README.md").write_text("[there](host/nothing.md)", encoding="utf-8")
    assert b"nothing.md" not in rendered(wheel)["docs/index.html"]


def test_the_pages_are_found_in_a_checkout_and_are_put_into_the_wheel() -> None:
    assert root() == ROOT
    assert root(Path("/nowhere/site-packages/cribboard")).name == "_docs"
    included = (ROOT / "pyproject.toml").read_text("utf-8")
    for path in PAGES:
        assert f'"{path}" = "cribboard/_docs/{path}"' in included


def test_a_section_is_found_by_its_words(guide: dict[str, bytes]) -> None:
    index = json.loads(guide["docs/index.json"])
    (crib,) = [row for row in index if row[0] == "firmware-wire.html#frames"]
    assert crib[1:3] == ["The wire", "Frames"]
    assert "CRC-32" in crib[3]


def test_headings_are_called_as_on_github() -> None:
    assert slug("Linux, macOS and Windows") == "linux-macos-and-windows"
    assert slug("What a power cut can do?") == "what-a-power-cut-can-do"
