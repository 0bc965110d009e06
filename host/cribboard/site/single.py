"""The pages to play and to count on as one HTML file, for a memory stick: it is opened without a server.

Such a page loads no modules, so those of the page and of each worker become one script: each module a function that
gives what it exports, after those that it imports. The first page is there at once; the others are templates.
"""

from __future__ import annotations

import base64
import json
import re

from cribboard.scripts import bundle, policy_hash
from cribboard.site.folder import INLINED, OLD, SHOWN, WORKERS
from cribboard.site.packs import STATIC

PAGES = {"index.html": "static/front.js", "score.html": "static/scorer.js", "count.html": "static/count.js"}
DATA = ("boards.json", "board.pack", "referee.pack")
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)"( media="[^"]+")?>')
PICTURE = re.compile(r'(?<=")static/icon\.svg(?=")')
POLICY = re.compile(r'(http-equiv="Content-Security-Policy" content=")[^"]+')
NEEDS_FOLDER = re.compile(
    r'  <(?:link rel="(?:modulepreload|preload|manifest|apple-touch-icon)"|meta property)[^>]+>\n'
    r'|<a href="(?:install\.html|docs/[^"]*)">[^<]*</a>'
)
ELSEWHERE = re.compile(r'href="(?:\./|(\w+\.html))"')
TITLE = re.compile(r"<title>(.*?)</title>")
BODY = re.compile(r'<body(?: class="([^"]*)")?>(.*)</body>', re.DOTALL)
ENTRY = re.compile(r'<script type="module" src="[^"]+"></script>')
OLD_SCRIPT = f'<script src="{OLD}"></script>'


def single(files: dict[str, bytes]) -> bytes:
    """The pages, from the unbundled files of the folder."""
    prelude, shown = ((STATIC / name).read_text(encoding="utf-8") for name in (INLINED, SHOWN))
    inlined = {name: _entry(data) for name, data in files.items() if name in DATA or name.endswith(".wasm")}
    inlined["static/inlined.js"] = {"text": prelude}
    inlined.update({worker: {"text": bundle(files, worker)} for worker in WORKERS})
    carried = 'const FILES = JSON.parse(document.getElementById("files").textContent);'
    guards = {entry: f'shown === "{page}"' for page, entry in PAGES.items()}
    script = f"{carried}\n{shown}{prelude}{bundle(files, *PAGES.values(), guards=guards)}"
    styles: dict[str, None] = {}
    first, *others = (_page(files, name, styles) for name in PAGES)
    old = files[OLD].decode()
    page = POLICY.sub(lambda policy: policy[1] + _policy([old, script], list(styles)), first)
    page = page.replace(OLD_SCRIPT, f"<script>{old}</script>")
    parts = [_template(name, other) for name, other in zip(list(PAGES)[1:], others, strict=True)]
    data = json.dumps(inlined, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    parts += [f'<script type="application/json" id="files">{data}</script>', f'<script type="module">{script}</script>']
    return page.replace("</body>", "\n".join([*parts, "</body>"])).encode()


def _page(files: dict[str, bytes], name: str, styles: dict[str, None]) -> str:
    """A page with its styles and pictures in it, which are noted, and with links to what the file has."""

    def style(link: re.Match[str]) -> str:
        text = files[link[1]].decode().replace("wood.svg", _picture(files["static/wood.svg"]))
        styles[text] = None
        return f"<style{link[2] or ''}>{text}</style>"

    page = ENTRY.sub("", NEEDS_FOLDER.sub("", files[name].decode()))
    page = ELSEWHERE.sub(lambda link: f'href="#{link[1] or ""}"', LINK.sub(style, page))
    return PICTURE.sub(_picture(files["static/icon.svg"]), page)


def _template(name: str, page: str) -> str:
    [(style, body)], [title] = BODY.findall(page), TITLE.findall(page)
    styles = "".join(re.findall(r"<style.*?</style>", page, re.DOTALL))
    return f'<template id="{name}" data-title="{title}" data-class="{style}">{styles}{body}</template>'


def _entry(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _picture(data: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"


def _policy(scripts: list[str], styles: list[str]) -> str:
    """As strict as that of the folder: these scripts, these styles, and the workers that the scripts make."""
    run, shown = (" ".join(map(policy_hash, texts)) for texts in (scripts, styles))
    return (
        f"default-src 'none'; script-src {run} 'wasm-unsafe-eval'; worker-src blob:; style-src {shown}; "
        "img-src data:; base-uri 'none'; form-action 'none'; object-src 'none'"
    )
