"""Measures the static pages in a browser: python -m bench.pages [--times N] [--slow N] [--idle SECONDS] (in tests)."""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any

from bench.slower import slower
from browser.chromium import LAPTOP, PHONE, launch, no_browser
from browser.site import RUNTIME, Site, site

SLOW = 6  # times: a cheap phone beside this machine, as Chromium's own tools have it
# Taps on Play a game as soon as it is there; notes when, when the board was lit, and when the first cards were there.
TAP_AT_ONCE = """
window.marks = {};
const look = () => {
  const play = document.getElementById("play");
  if (!marks.tap && play?.onclick) {
    marks.tap = performance.now();
    play.click();
  }
  if (document.body?.dataset.lit) marks.lit = Number(document.body.dataset.lit);
  if (document.querySelector("#game .hand button")) marks.card = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
LOOP = """() => {
  const began = performance.now();
  for (let turn = 0, sum = 0; turn < 3e7; turn += 1) sum = (sum * 31 + turn) | 0;
  return performance.now() - began;
}"""

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
  const times = [];
  for (let turn = 0; turn < times; turn += 1) {
    send("keydown");
    await wait(60);
    const light = changed();
    const began = performance.now();
    send("keyup");
    await light;
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - began);
    await wait(100 + 37 * (turn % 5));
  }
  return times;
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
    times_lit = []
    for _ in range(times):
        page = opened(browser, pages.address)
        times_lit.append(float(page.evaluate("document.body.dataset.lit")))
        page.context.close()
    return times_lit


def first_card(browser: Any, pages: Site, times: int) -> dict[str, float]:
    """Milliseconds to a tap, to light and to the first cards on a processor SLOW times slower, as medians; how often
    slower a loop ran there.
    """
    measured: dict[str, list[float]] = {}
    for _ in range(times):
        page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
        page.goto(f"{pages.address}none")  # the processes of the pages are there to be slowed
        free = page.evaluate(LOOP)
        page.add_init_script(TAP_AT_ONCE)
        with slower(SLOW, "chrom"):
            page.goto(pages.address, wait_until="commit")
            page.locator("#game .hand button").first.wait_for(timeout=60_000)
            marks = page.evaluate("marks")
            page.locator("#game[aria-busy=false]").wait_for(timeout=60_000)
            marks["slower"] = page.evaluate(LOOP) / free
        for name, value in marks.items():
            measured.setdefault(name, []).append(value)
        page.context.close()
    return {name: statistics.median(values) for name, values in measured.items()}


def idle_share(browser: Any, pages: Site, seconds: float) -> float:
    """The share of one core that all of the browser's processes take while nobody touches the board."""
    page = opened(browser, pages.address)
    page.wait_for_timeout(3000)
    session = browser.new_browser_cdp_session()

    def used() -> float:
        info = session.send("SystemInfo.getProcessInfo")
        return sum(float(one["cpuTime"]) for one in info["processInfo"])

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
    parser.add_argument("--slow", type=int, default=3, help="how often to the first card on a slow processor")
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
        slow = first_card(browser, pages, options.slow)
        idle = idle_share(browser, pages, options.idle)
        browser.close()
    figures = {
        "KB for a lit board, gzipped": round(loaded / 1000),
        "KB of the whole folder, gzipped": round(whole / 1000),
        "ms to a lit board, median": round(statistics.median(lit)),
        "ms to a lit board, most": round(max(lit)),
        "ms from a press to its light, median": round(statistics.median(presses)),
        "ms from a press to its light, p99": round(presses[int(0.99 * (len(presses) - 1))]),
        f"ms on a processor {SLOW} times slower to a tap": round(slow["tap"]),
        "... to a lit board": round(slow["lit"]),
        "... to the first cards": round(slow["card"]),
        "... how many times slower a loop was there": round(slow["slower"], 1),
        "% of a core while idle": round(100 * idle, 1),
    }
    for name, value in figures.items():
        print(f"{name:48} {value}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
