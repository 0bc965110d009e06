"""Writes the static folder: pages, modules, firmware and runtime, which any host of pages can serve; serves it here.

`--serve` is for this computer alone, with the headers that a good host of pages would send.
"""

from __future__ import annotations

import functools
import hashlib
import http.server
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from socket import socket

import cribboard
from cribboard.drive import drive_files
from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.hardware import controllers
from cribboard.hardware.description import Description, load
from cribboard.hardware.description import folder as descriptions
from cribboard.hardware.settings import settings_toml
from cribboard.hardware.shape import BUTTON_NAMES, Layout
from cribboard.hardware.svg import entry
from cribboard.install.circuitpy import WITH_RADIO
from cribboard.install.plans import IN_THE_WAY, LIST, with_list
from cribboard.installed import address
from cribboard.scripts import bare, bundle
from cribboard.site.docs import rendered, root
from cribboard.site.icons import head, icons, manifest
from cribboard.site.micropython import SCRIPT, WASM, Runtime
from cribboard.site.packs import STATIC, packs

SHARED = Path(cribboard.__file__).parent / "web" / "static"  # the phone pages' modules, of which these pages use some
SHARED_FILES = ("base.css", "paper.css", "score.css", "light.css", "icon.svg", "wood.svg", "old.js")
PAGES = ("index.html", "score.html", "count.html", "install.html")
WORKERS = ("static/board-worker.js", "static/rules-worker.js")
SCRIPTS = (*(f"static/{name}.js" for name in ("front", "scorer", "count", "install", "docs")), *WORKERS)
OLD = "static/old.js"  # the notice for old browsers: a plain script, not a module
IMPORT = re.compile(r'^(?:import|export) [^;]*?"\./([\w-]+\.js)"', re.MULTILINE | re.DOTALL)
WORKER, INLINED, SHOWN = "service-worker.js", "inlined.js", "shown.js"
HOST_HEADERS = "_headers"  # Netlify and Cloudflare Pages read it, and do not serve it
TITLE = re.compile(r"<title>(.*?)</title>")
BOARD, GITHUB = "hardware/board.svg", "https://github.com/"
PIEZO = "GP22"  # a virtual board has one, whatever its description says: it is heard in the page

HOST = "127.0.0.1"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def write_site(into: Path, runtime: Runtime) -> dict[str, int]:
    """Write all files into a folder; gives the size of each in bytes. What else is in the folder stays."""
    files = site_files(runtime)
    for name, data in files.items():
        path = into / name
        with write_errors(path, ELSEWHERE):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
    return {name: len(data) for name, data in files.items()}


def site_files(runtime: Runtime) -> dict[str, bytes]:
    """All files by their paths in the folder."""
    files = bundled(unbundled_files(runtime))
    files[WORKER] = service_worker(files)
    files[HOST_HEADERS] = host_headers()
    return files


def bundled(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same files with each page's modules as one script: thirty requests take a slow phone a second."""
    modules = {name: data for name, data in files.items() if name.startswith("static/") and name.endswith(".js")}
    few = {name: data for name, data in files.items() if name not in modules or name == OLD}
    return few | {name: bare(bundle(modules, name, inlined=False)).encode() for name in SCRIPTS}


def unbundled_files(runtime: Runtime) -> dict[str, bytes]:
    """What the folder is made of, by path: each module by itself."""
    drive = firmware()
    return {
        **{f"static/{path.name}": path.read_bytes() for path in static_files()},
        **{name: page(name) for name in PAGES},
        **icons((SHARED / "icon.svg").read_text("utf-8"), (root() / BOARD).read_text("utf-8")),
        "manifest.webmanifest": manifest(),
        f"runtime/{SCRIPT}": runtime.script,
        f"runtime/{WASM}": runtime.wasm,
        "firmware.json": _json(drive),
        "controllers.json": _json(checked_controllers()),
        "cribboard-firmware.zip": zipped(drive),
        "boards.json": _json(boards()),
        **packs(),
        **rendered(),
    }


def page(name: str) -> bytes:
    """A page, with what phones and those who are sent its link read at its beginning."""
    text = (STATIC / name).read_text(encoding="utf-8")
    [title] = TITLE.findall(text)
    return text.replace("</head>", head(title, published()) + "</head>").encode()


def published() -> str:
    """The address of the pages where the project's own workflow puts them; empty while the project has none."""
    owner, _, name = address().removeprefix(GITHUB).partition("/")
    return f"https://{owner}.github.io/{name}/" if name and address().startswith(GITHUB) else ""


def static_files() -> Iterator[Path]:
    """These pages' own modules and styles, and those of the phone pages that they import."""
    files = [path for path in sorted(STATIC.iterdir()) if path.is_file()]  # pip puts a folder of compiled ones there
    own = [path for path in files if path.suffix not in (".html", ".py") and path.name not in (WORKER, INLINED, SHOWN)]
    yield from own
    yield from (SHARED / name for name in SHARED_FILES)
    names = {path.name for path in own}
    wanted = [name for path in own if path.suffix == ".js" for name in imported(path)]
    while wanted:
        name = wanted.pop()
        if name not in names:
            names.add(name)
            yield SHARED / name
            wanted += imported(SHARED / name)


def imported(module: Path) -> list[str]:
    """The modules beside it that a module imports."""
    return IMPORT.findall(module.read_text(encoding="utf-8"))


def firmware() -> dict[str, str]:
    """What the page puts on a drive, by path: first the list by which later installations know what is theirs."""
    files = with_list(drive_files().contents())
    return {name: files[name].decode() for name in sorted(files, key=lambda name: name != LIST)}


def zipped(files: dict[str, str]) -> bytes:
    """The same files as a zip, which is the same whenever they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), text.encode(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def boards() -> list[dict[str, object]]:
    """The shipped boards: what each is called, its settings, its drawing and its buttons."""
    top = descriptions()
    paths = [top / "board.toml", *sorted((top / "boards").glob("*.toml"))]
    return [_board(path.stem, load(path)) for path in paths]


def checked_controllers() -> dict[str, object]:
    """What the page checks a drive by: why chips do not fit, as their names begin; pins; radios; what runs first."""
    boards = [controller for name in controllers.FITTING if (controller := controllers.known(name))]
    return {
        "chips": [[list(port.chips), controllers.port_problem(port)] for port in controllers.PORTS.values()],
        "take": controllers.TAKE,
        "first": IN_THE_WAY,
        "radio": WITH_RADIO,
        "boards": {one.name: {"title": one.title, "pico": one.is_pico, "pins": sorted(one.pins)} for one in boards},
    }


def _board(name: str, description: Description) -> dict[str, object]:
    heard = replace(description, piezo=PIEZO)
    shared = [{"name": "UNDO", "pin": heard.buttons.undo}, {"name": "DEAL", "pin": heard.buttons.deal}]
    return {
        "id": name,
        "name": description.name,
        "settings": settings_toml(heard),
        "pins": heard.tracks.pins,
        "order": heard.tracks.pixel_order,
        "drawing": entry(Layout(description)),
        "buttons": {
            "places": [
                [{"name": key, "pin": pin} for key, pin in zip(BUTTON_NAMES, pins, strict=False)]
                for pins in heard.buttons.players
            ],
            "shared": shared,
        },
    }


def host_headers() -> bytes:
    """The headers of `--serve` for each file, as hosts of static pages take them."""
    return "\n".join(["/*", *(f"  {name}: {value}" for name, value in HEADERS.items()), ""]).encode()


def service_worker(files: dict[str, bytes]) -> bytes:
    """What keeps these files for a page that is offline; another version whenever one of them changes."""
    version = hashlib.sha256(b"".join(data for _, data in sorted(files.items()))).hexdigest()[:16]
    text = (STATIC / WORKER).read_text(encoding="utf-8")
    listed = json.dumps(sorted([*files, "./"]), indent=1)
    text = text.replace('"VERSION"', f'"{version}"').replace('["FILES"]', listed)
    return text.replace('{ "": "HEADERS" }', json.dumps(HEADERS, indent=1)).encode()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files with the headers."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (as its base has it)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        """Add the headers to those of the file."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as its base has it)
        """Nothing: nobody reads it."""


class Server(http.server.ThreadingHTTPServer):
    """One that bears a page which goes away in the middle of an answer."""

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Say what went wrong, but not that a page went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int) -> Server:
    """A server of the folder; port 0 takes any free one. Raises CribboardError when the port is taken."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return Server((HOST, port), handler)
    except OSError as error:
        raise CribboardError(
            f"port {port} cannot be used ({error.strerror})", "name another one with --web-port"
        ) from error
