"""The static pages in Firefox and WebKit, once: python -m browser.others (in tests). It is no part of the tests.

It needs `firefox-esr`, which is driven by Marionette, or `webkit2gtk-driver` with `xvfb`, all of them Debian's.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from browser.house import PATIENCE_S
from browser.site import RUNTIME, Site, site

from cribboard.site.folder import unbundled_files
from cribboard.site.micropython import runtime
from cribboard.site.single import single

MINI = Path("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser")
Run = Callable[[str], Any]  # a script's body in the page; gives what it returns

PRESS = """const key = document.querySelectorAll("#keys fieldset:first-of-type button")[%d];
for (const kind of ["keydown", "keyup"]) key.dispatchEvent(new KeyboardEvent(kind, { key: " ", bubbles: true }));
return true"""
SAYS = 'return document.querySelector("#says")?.textContent.includes("%s")'
CARDS = ["5H", "5C", "5S", "JD", "5D"]


def until(run: Run, script: str, what: str) -> float:
    """Wait until a script returns something; gives the seconds."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE_S:
        with contextlib.suppress(OSError, RuntimeError):
            if run(script):
                return time.monotonic() - began
        time.sleep(0.1)
    raise SystemExit(f"not seen: {what}; the page says: {run('return document.body.innerText.slice(0, 400)')}")


def smoke(goto: Callable[[str], Any], run: Run, pages: Site, file: Path) -> None:
    """A press on the board, a tab closed, a game begun, a hand counted, the guide searched, no network, one file."""
    address = pages.address
    goto(address)
    took = until(run, "return document.body.dataset.lit", "a lit board")
    print(f"  the board is lit: {run('return document.body.dataset.lit')} ms by the page's clock ({took:.1f} s)")
    until(run, SAYS % "in the start", "the lights in words")
    run(PRESS % 1)
    until(run, SAYS % "5 lights blink", "five lights")
    run(PRESS % 2)
    until(run, SAYS % "in hole 5", "a peg in hole 5")
    goto(address)
    until(run, SAYS % "in hole 5", "the peg after the tab was closed")
    print("  a press is seen, said and kept")
    run('document.querySelector("#play").click()')
    until(run, 'return document.querySelectorAll("#game[aria-busy=false] .hand button").length > 3', "a dealt hand")
    run('const cards = document.querySelectorAll("#game .hand button"); cards[0].click(); return 1')
    run('const cards = document.querySelectorAll("#game .hand button"); cards[1].click(); return 1')
    run('document.querySelector("[data-key=throw]").click()')
    until(run, 'return document.querySelector("#game .log").textContent.match("starter|plays")', "a starter")
    print("  the computer deals and plays")
    goto(f"{address}count.html")
    until(run, 'return document.querySelector("#deck [data-card=KD]") !== null', "a deck")
    for card in CARDS:
        run(f"document.querySelector(\"#deck [data-card='{card}']\").click()")
    until(run, 'return document.querySelector("#sum").textContent.startsWith("29: fifteen two")', "29")
    goto(f"{address}score.html")
    until(run, 'return document.querySelector("#own").onclick !== null', "the doors")
    serial = run('return "serial" in navigator')
    print(f"  {'it has' if serial else 'it has no'} Web Serial")
    run('document.querySelector("#own").click()')
    until(run, 'return document.querySelector("dialog[open]") !== null', "the new game's form")
    goto(f"{address}docs/firmware.html")
    search = """const box = document.querySelector("#search"); box.value = "exactly once";
        box.dispatchEvent(new Event("input")); return document.querySelectorAll("#results a").length > 0"""
    until(run, search, "what the search has found")
    print("  a hand is counted, the scorer begins a game, the guide is searched")
    until(run, "return navigator.serviceWorker?.controller !== null", "what keeps the pages for offline use")
    pages.pull()
    run("fetch('not-kept').catch(() => { document.body.dataset.network = 'none'; }); return 1")
    until(run, "return document.body.dataset.network === 'none'", "no network")
    goto(f"{address}index.html")
    until(run, "return document.body.dataset.lit", "a lit board without a network")
    until(run, SAYS % "has the crib", "its lights in words without a network")
    goto(f"{address}docs/firmware.html")
    until(run, search, "what the search has found without a network")
    print("  the board is lit and the guide searched without a network")
    goto(file.as_uri())
    until(run, "return document.body.dataset.lit", "a lit board in the one file")
    print("  the one file is lit without a server")


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[tuple[Callable[[str], Any], Run]]:
    """Firefox without windows, by Marionette: [0, id, command, arguments] in, [1, id, error, result] out."""
    command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = _connected(2828)
        stream = end.makefile("rb")

        def read() -> Any:
            digits = b""
            while (sign := stream.read(1)) != b":":
                digits += sign
            return json.loads(stream.read(int(digits)))

        def ask(name: str, **named: Any) -> Any:
            frame = json.dumps([0, 1, name, named]).encode()
            end.sendall(str(len(frame)).encode() + b":" + frame)
            _, _, error, result = read()
            if error:
                raise RuntimeError(error["message"])
            return result

        read()
        ask("WebDriver:NewSession")
        yield (
            lambda url: ask("WebDriver:Navigate", url=url),
            lambda script: ask("WebDriver:ExecuteScript", script=script, args=[])["value"],
        )
        end.close()
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def webkit(folder: Path) -> Iterator[tuple[Callable[[str], Any], Run]]:
    """WebKit's small browser on a screen that nobody sees, by WebDriver."""
    command = ["xvfb-run", "-a", "WebKitWebDriver", "--port=4455"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        _connected(4455).close()

        def ask(path: str, body: Any, method: str = "POST") -> Any:
            data = json.dumps(body).encode()
            request = urllib.request.Request(f"http://127.0.0.1:4455{path}", data, method=method)
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise RuntimeError(error.read().decode()) from error

        options = {"binary": str(MINI), "args": ["--automation"]}
        session = ask("/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        at = f"/session/{session['sessionId']}"
        yield (
            lambda url: ask(f"{at}/url", {"url": url}),
            lambda script: ask(f"{at}/execute/sync", {"script": script, "args": []}),
        )
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # the screen and the browser as well
        process.wait()


def _connected(port: int) -> socket.socket:
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        except OSError:
            if time.monotonic() > ends:
                raise SystemExit(f"nothing listens on port {port}") from None
            time.sleep(0.2)


def main() -> None:
    """Try each browser that is installed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.html"
        file.write_bytes(single(unbundled_files(runtime(RUNTIME))))
        for name, open_, there in (
            ("Firefox", firefox, shutil.which("firefox-esr")),
            ("WebKit", webkit, shutil.which("WebKitWebDriver") and MINI.is_file()),
        ):
            print(name if there else f"{name} is not installed")
            if there:
                own = Path(folder) / name
                (own / "browser").mkdir(parents=True)
                with site(own / "site") as pages, open_(own / "browser") as (goto, run):
                    print(f"  {run('return navigator.userAgent')}")
                    smoke(goto, run, pages, file)


if __name__ == "__main__":
    main()
