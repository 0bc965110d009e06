"""What strangers meet first: the README where a package index shows it, and the workflows that publish."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from readme_renderer import markdown

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ADDRESS = "https://github.com/ann/cribboard"
PLAY = "Play it in your browser"
for_index = runpy.run_path(str(ROOT / "host" / "index_readme.py"))["for_index"]


def rendered(address: str) -> str:
    """The page that an index makes of the README."""
    html = markdown.render(for_index(README, address))
    assert html
    return html


def targets(html: str) -> list[str]:
    """Where its links and pictures lead, without the headings' own anchors."""
    return re.findall(r'(?:href|src)="(?!#user-content-)([^"]+)"', html)


def slugs(text: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_with_an_address_every_link_of_the_index_leads_to_what_is_there():
    links = targets(rendered(ADDRESS))
    assert len(links) > 15
    for target in links:
        parts = urlsplit(target)
        where, _, path = parts.path.removeprefix(urlsplit(ADDRESS).path).removeprefix("/").partition("/HEAD/")
        assert parts.netloc == "github.com" and where in ("", "blob", "raw"), target
        file = ROOT / (path or "README.md")
        assert file.exists(), target
        if parts.fragment:
            assert parts.fragment in slugs(file.read_text(encoding="utf-8")), target


def test_without_an_address_the_index_has_words_in_place_of_links():
    html = rendered("")
    assert targets(html) == []
    assert "Play it in your browser" in html
    assert "![" not in html and "](" not in html


def test_what_is_in_code_stays_as_it_is():
    assert for_index("`[a](b)` [a](b)\n```\n[a](b)\n```\n", "") == "`[a](b)` a\n```\n[a](b)\n```\n"


def test_the_readme_leads_to_the_published_board_as_soon_as_the_project_has_an_address():
    address = PROJECT["urls"].get("Source", "").rstrip("/")
    owner, name = address.rsplit("/", 2)[1:] if address else ("", "")
    here = (
        f"[{PLAY}](https://{owner}.github.io/{name}/)"
        if address
        else f"{PLAY}:** then type `.venv/bin/cribboard site --open`"
    )
    assert here in README


def test_the_first_screen_has_a_picture_a_link_to_play_one_line_to_install_and_four_doors():
    screen = "\n".join(README.splitlines()[:30])
    assert "](hardware/game.svg)" in screen and PLAY in screen
    assert screen.count("```sh") == 1 and "pip install" in screen
    assert len(re.findall(r"^- ", screen, re.MULTILINE)) == 5
    assert len(re.findall(r"^\| \*\*", screen, re.MULTILINE)) == 4


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_a_workflow_names_each_action_by_its_commit(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if "uses:" in line:
            assert re.search(r"uses: [\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line


def test_the_notes_of_a_release_are_those_of_its_version():
    notes = runpy.run_path(str(ROOT / ".ci" / "release_notes.py"))["notes"]
    version = runpy.run_path(str(ROOT / "host" / "cribboard" / "__init__.py"))["__version__"]
    assert "## " not in notes(f"v{version}")
    with pytest.raises(SystemExit, match=r"^the tag is v0\.0\.0, but"):
        notes("v0.0.0")
