"""The project's own pages of text, rendered from Markdown with every link checked, and an index for the search."""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cribboard import installed
from cribboard.errors import CribboardError

PAGES = {  # by their paths in the project, in the order of the menu; those that they link to come behind them
    "README.md": "The project",
    "host/README.md": "Refereed games",
    "host/kiosk.md": "The kiosk",
    "host/history.md": "The history",
    "host/league.md": "League night",
    "host/matches.md": "Matches",
    "host/tiles.md": "The tile game",
    "host/phone.md": "Your phone and the board",
    "host/site.md": "These pages",
    "host/terms.md": "Terms",
    "firmware/README.md": "The board",
    "firmware/wire/README.md": "The wire",
    "hardware/README.md": "Build a board",
    "hardware/drawings.md": "Drawings",
    "hardware/install.md": "Install the firmware",
    "hardware/raspberry-pi.md": "Raspberry Pi",
    "tests/README.md": "The tests",
    "tests/bench/README.md": "How fast it is",
    "tests/pico/README.md": "On an emulated Pico",
}
WHEEL = "_docs"
HERE = Path(__file__).resolve().parent
PAGE = Template((HERE / "static" / "page.html").read_text(encoding="utf-8"))


class LinkError(CribboardError):
    """A page links to what is not there."""


@dataclass
class Section:
    """What stands under one heading."""

    anchor: str
    title: str
    text: list[str] = field(default_factory=list)


@dataclass
class Document:
    """A page: its tokens, and its sections for the search."""

    path: str
    title: str
    tokens: Sequence[Token]
    sections: list[Section]

    @property
    def anchors(self) -> set[str]:
        """What a link may name behind #."""
        return {section.anchor for section in self.sections}


def root(package: Path = HERE.parent) -> Path:
    """Where the Markdown is: in a checkout, or else in an installed wheel."""
    checkout = package.parents[1]
    return checkout if (checkout / "host" / "site.md").is_file() else package / WHEEL


def rendered(top: Path | None = None) -> dict[str, bytes]:
    """All pages, the files that they link to, and the index, by their paths; raises LinkError for a broken link."""
    top = root() if top is None else top
    markdown = MarkdownIt("commonmark").enable("table")
    documents: dict[str, Document] = {}
    waiting = list(PAGES)
    while waiting:
        path = waiting.pop(0)
        if path not in documents:
            documents[path] = _read(markdown, path, (top / path).read_text(encoding="utf-8"))
            waiting += [more for more in _pages_linked(documents[path]) if (top / more).is_file()]
    files: dict[str, bytes] = {}
    for document in documents.values():
        for token in _links(document.tokens):
            _relink(token, document, documents, top, files)
    for path, document in documents.items():
        files[address(path)] = _page(markdown, document, documents)
    files["docs/index.json"] = json.dumps(_index(documents), ensure_ascii=False, separators=(",", ":")).encode()
    return files


def address(path: str) -> str:
    """Where a page is in the folder: docs/host-kiosk.html; the project's README is docs/index.html."""
    name = path.removesuffix(".md").removesuffix("README").rstrip("/").replace("/", "-")
    return f"docs/{name or 'index'}.html"


def slug(title: str) -> str:
    """What a heading is called behind #, as GitHub calls it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _read(markdown: MarkdownIt, path: str, text: str) -> Document:
    tokens = markdown.parse(text)
    sections: list[Section] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _plain(tokens[at + 1])
            sections.append(Section(slug(title), title))
            token.attrSet("id", slug(title))
        elif sections and token.type in ("inline", "fence", "code_block") and tokens[at - 1].type != "heading_open":
            sections[-1].text.append(_plain(token))
    return Document(path, PAGES.get(path) or sections[0].title, tokens, sections)


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children) if token.children else token.content.strip()


def _links(tokens: Sequence[Token]) -> list[Token]:
    inside = [child for token in tokens for child in token.children or ()]
    return [token for token in inside if token.type in ("link_open", "image")]


def _pages_linked(document: Document) -> list[str]:
    """The Markdown that a page links to, by its path in the project."""
    targets = [str(token.attrGet("href") or "").partition("#")[0] for token in _links(document.tokens)]
    return [_path(document, target) for target in targets if target.endswith(".md") and ":" not in target]


def _path(document: Document, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(document.path), target)) if target else document.path


def _relink(
    token: Token, document: Document, documents: dict[str, Document], top: Path, files: dict[str, bytes]
) -> None:
    """Have a link name what it means in the folder: a page, or a file that is written beside it."""
    key = "src" if token.type == "image" else "href"
    target, _, anchor = str(token.attrGet(key)).partition("#")
    if re.match(r"[a-z]+:", target):
        return
    path = _path(document, target)
    other = documents.get(path)
    if other is not None:
        if anchor and anchor not in other.anchors:
            raise LinkError(f"{document.path} links to {path}#{anchor}, and there is no such heading")
        token.attrSet(key, posixpath.basename(address(path)) + (f"#{anchor}" if anchor else ""))
        return
    file = top / path
    if file.is_dir() and f"{path}/README.md" in documents:
        token.attrSet(key, posixpath.basename(address(f"{path}/README.md")))
    elif file.is_file():
        name = f"docs/files/{path.replace('/', '-')}"
        files[name] = file.read_bytes()
        token.attrSet(key, name.removeprefix("docs/"))
    elif top.name == WHEEL:
        token.attrSet(key, "")  # a wheel has the pages, and not every file of the project
    else:
        raise LinkError(f"{document.path} links to {target}, which is not there")


def _page(markdown: MarkdownIt, document: Document, documents: dict[str, Document]) -> bytes:
    body = markdown.renderer.render(document.tokens, markdown.options, {})
    body = body.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    body = body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    body = body.replace("<th></th>", "<td></td>")  # a column without a name
    title = f"{document.title} – cribboard"  # noqa: RUF001 (as on the other pages)
    menu = "\n".join(_entry(other, document) for other in documents.values())
    project = installed.address()
    source = f'<a href="{html.escape(project)}">Source</a>' if project else ""
    return PAGE.substitute(title=html.escape(title), menu=menu, body=body, source=source).encode()


def _entry(other: Document, shown: Document) -> str:
    here = ' aria-current="page"' if other is shown else ""
    return f'<li><a href="{posixpath.basename(address(other.path))}"{here}>{html.escape(other.title)}</a></li>'


def _index(documents: dict[str, Document]) -> list[list[str]]:
    """For each section: its page's address and title, its own, and its text."""
    return [
        [f"{posixpath.basename(address(path))}#{section.anchor}", document.title, section.title, " ".join(section.text)]
        for path, document in documents.items()
        for section in document.sections
    ]
