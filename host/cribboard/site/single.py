"""The first page with its board and its game as one HTML file, for a memory stick: it is opened without a server.

Such a page loads no modules, so those of the page and of each worker become one script: each module a function that
gives what it exports, after those that it imports.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re

from cribboard.site.folder import INLINED, STATIC

PAGE = "static/front.js"
WORKERS = ("static/board-worker.js", "static/rules-worker.js")
DATA = ("boards.json", "firmware.json", "referee.json", "tables.bin")
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)"( media="[^"]+")?>')
PICTURE = re.compile(r'(?<=")static/icon\.svg(?=")')
POLICY = re.compile(r'(http-equiv="Content-Security-Policy" content=")[^"]+')
NEEDS_FOLDER = re.compile(r'  <link rel="modulepreload"[^>]+>\n|<nav .*?</nav>')
ENTRY = f'<script type="module" src="{PAGE}"></script>'
OLD = '<script src="static/old.js"></script>'
IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"(?<![\w.$])export (?=(?:async )?(?:function|const|class) ([\w$]+))")
DEFAULT = re.compile(r"(?<![\w.$])export default \w+;?")


def single(files: dict[str, bytes]) -> bytes:
    """The page, from the files of the folder."""
    page = files["index.html"].decode()
    prelude = (STATIC / INLINED).read_text(encoding="utf-8")
    inlined = {name: _entry(data) for name, data in files.items() if name in DATA or name.endswith((".py", ".wasm"))}
    inlined["static/inlined.js"] = {"text": prelude}
    inlined.update({worker: {"text": bundle(files, worker)} for worker in WORKERS})
    script = f'const FILES = JSON.parse(document.getElementById("files").textContent);\n{prelude}{bundle(files, PAGE)}'
    styles: list[str] = []

    def style(link: re.Match[str]) -> str:
        styles.append(files[link[1]].decode().replace("wood.svg", _picture(files["static/wood.svg"])))
        return f"<style{link[2] or ''}>{styles[-1]}</style>"

    page = LINK.sub(style, NEEDS_FOLDER.sub("", page).replace(ENTRY, ""))
    page = PICTURE.sub(_picture(files["static/icon.svg"]), page).replace('href="./"', 'href="#main"')
    old = files["static/old.js"].decode()
    page = page.replace(OLD, f"<script>{old}</script>")
    page = POLICY.sub(lambda found: found[1] + _policy([old, script], styles), page)
    carried = json.dumps(inlined, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    scripts = f'<script type="application/json" id="files">{carried}</script>\n<script type="module">{script}</script>'
    return page.replace("</body>", f"{scripts}\n</body>").encode()


def bundle(files: dict[str, bytes], entry: str) -> str:
    """A module with all that it imports as one script."""
    done: dict[str, str] = {}

    def take(path: str) -> None:
        if path in done:
            return
        done[path] = ""
        text = files[path].decode()
        folder = posixpath.dirname(path)
        for _, name in IMPORT.findall(text):
            take(posixpath.normpath(posixpath.join(folder, name)))
        done.pop(path)  # behind those that it imports
        done[path] = _function(path, text)

    take(entry)
    return f"(async () => {{\nconst modules = {{}};\n{''.join(done.values())}}})();\n"


def _function(path: str, text: str) -> str:
    def taken(found: re.Match[str]) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))
        return f'const {found[1].replace(" as ", ": ")} = modules["{name}"];' if found[1] else ""

    names = ", ".join(EXPORT.findall(text))
    body = DEFAULT.sub("", EXPORT.sub("", IMPORT.sub(taken, text)))
    body = body.replace("import.meta.url", f'"inlined:///{path}"')
    return f'modules["{path}"] = await (async () => {{\n{body}\nreturn {{ {names} }};\n}})();\n'


def _entry(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _picture(data: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"


def _policy(scripts: list[str], styles: list[str]) -> str:
    """As strict as that of the folder: these scripts, these styles, and the workers that the scripts make."""
    run, shown = (" ".join(map(_hash, texts)) for texts in (scripts, styles))
    return (
        f"default-src 'none'; script-src {run} 'wasm-unsafe-eval'; worker-src blob:; style-src {shown}; "
        "img-src data:; base-uri 'none'; form-action 'none'; object-src 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
