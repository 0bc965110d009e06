"""Measures the static pages in a browser: python -m bench.pages [--times N] [--idle SECONDS] (in tests)."""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any

from browser.chromium import LAPTOP, launch, no_browser
from browser.site import RUNTIME, Site, site

# From the event that lets DEAL go to the frame after the one in which a light of the board has changed: on a new board
# nothing blinks, and the crib's light moves at once.
PRESSES = """async (times) => {
  const board = document.querySelector("#board .lights");
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const changed = () => new Promise((resolve) => {
    const watcher = new MutationObserver(() => { watcher.disconnect(); resolve(); });
    watcher.observe(board, { subtree: true, attributes: true });
  });
  const send = (kind) => document.body.dispatchEvent(new KeyboardEvent(kind, { key: "e", bubbles: true }));
  const found = [];
  for (let turn = 0; turn < times; turn += 1) {
    send("keydown");
    await wait(60);
    const light = changed();
    const began = performance.now();
    send("keyup");
    await light;
    await new Promise(requestAnimationFrame);
    found.push(performance.now() - began);
    await wait(100 + 37 * (turn % 5));
  }
  return found;
}"""


def opened(browser: Any, address: str, **more: Any) -> Any:
    """A page of a browser that was never here, lit."""
    context = browser.new_context(viewport=LAPTOP, **more)
    page = context.new_page()
    page.goto(address)
    page.locator("body[data-lit]").wait_for()
    return page


def first_load(browser: Any, pages: Site) -> int:
    """The bytes that a lit board takes, each file by itself gzipped."""
    asked: set[str] = set()
    context = browser.new_context(viewport=LAPTOP, service_workers="block")
    context.on("request", lambda request: asked.add(urllib.parse.urlsplit(request.url).path))
    page = context.new_page()
    page.goto(pages.address)
    page.locator("body[data-lit]").wait_for()
    context.close()
    files = [pages.folder / (path.lstrip("/") or "index.html") for path in asked]
    return sum(len(gzip.compress(file.read_bytes())) for file in files if file.is_file())


def lit_after(browser: Any, pages: Site, times: int) -> list[float]:
    """Milliseconds from the beginning of a navigation with an empty cache to a lit board."""
    found = []
    for _ in range(times):
        page = opened(browser, pages.address)
        found.append(float(page.evaluate("document.body.dataset.lit")))
        page.context.close()
    return found


def idle_share(browser: Any, pages: Site, seconds: float) -> float:
    """The share of one core that all of the browser's processes take while nobody touches the board."""
    page = opened(browser, pages.address)
    page.wait_for_timeout(3000)
    session = browser.new_browser_cdp_session()

    def used() -> float:
        told = session.send("SystemInfo.getProcessInfo")
        return sum(float(one["cpuTime"]) for one in told["processInfo"])

    before = used()
    page.wait_for_timeout(seconds * 1000)
    share = (used() - before) / seconds
    page.context.close()
    return share


def main() -> None:
    """Print the figures as a table, and as JSON behind it."""
    parser = argparse.ArgumentParser(prog="bench.pages", description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--idle", type=float, default=20.0)
    options = parser.parse_args()
    if why := no_browser():
        raise SystemExit(why)
    if not RUNTIME.is_dir():
        raise SystemExit("MicroPython is not installed: run `npm ci --prefix tests/vm`")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, site(Path(folder)) as pages:
        browser = launch(playwright)
        loaded = first_load(browser, pages)
        whole = sum(len(gzip.compress(file.read_bytes())) for file in Path(folder).rglob("*") if file.is_file())
        lit = lit_after(browser, pages, options.times)
        page = opened(browser, pages.address)
        page.wait_for_timeout(500)
        presses = sorted(page.evaluate(PRESSES, options.presses))
        page.context.close()
        idle = idle_share(browser, pages, options.idle)
        browser.close()
    figures = {
        "KB for a lit board, gzipped": round(loaded / 1000),
        "KB of the whole folder, gzipped": round(whole / 1000),
        "ms to a lit board, median": round(statistics.median(lit)),
        "ms to a lit board, most": round(max(lit)),
        "ms from a press to its light, median": round(statistics.median(presses)),
        "ms from a press to its light, p99": round(presses[int(0.99 * (len(presses) - 1))]),
        "% of a core while idle": round(100 * idle, 1),
    }
    for name, value in figures.items():
        print(f"{name:40} {value}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
