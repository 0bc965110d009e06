"""Debian's chromium under playwright, and axe-core; what lacks is said in words."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
PHONE = {"width": 360, "height": 640}
LAPTOP = {"width": 1280, "height": 800}
SCREEN = {"width": 1920, "height": 1080}
UPRIGHT = {"width": 1080, "height": 1920}


def chromium() -> str | None:
    """The browser's path, best of that without windows, which takes two thirds of the time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def no_browser() -> str:
    """Why pages cannot be looked at here; empty when they can."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed; in the project's folder: pip install -e '.[test]'"
    if not chromium():
        return "there is no chromium; apt install chromium-headless-shell"
    return ""


def lacking() -> str:
    """Why pages cannot be tested here; empty when they can."""
    why = no_browser()
    if why:
        return why
    if not AXE.is_file():
        if not shutil.which("npm"):
            return f"there is no npm to install axe-core with; npm ci --prefix {HERE}"
        done = subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(HERE)], check=False)
        if done.returncode:
            return f"axe-core could not be installed; npm ci --prefix {HERE}"
    return ""


def launch(playwright: Playwright) -> Browser:
    """The browser; its sandbox needs rights, and 3D a graphics card, that a container does not give."""
    return playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--enable-unsafe-swiftshader"])


def read_larger(page: Page, size: int) -> None:
    """Take this size of text, 16 pixels until then, as a reader chooses it in the browser."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})


def findings(page: Page, rules: dict[str, Any] | None = None) -> list[str]:
    """What axe finds on a page as it is now, in a line each; `rules` instead of all of them, as axe names them."""
    # evaluated by the debugger: the page's own Content Security Policy forbids to add a script
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = page.evaluate(f"axe.run(document, {json.dumps(rules or RULES)})")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


SMALL = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([one, { width, height }]) => width && (width < 43.9 || height < 43.9)
    && one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).display !== "inline")
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 120)} is ${width.toFixed(0)} x ${height.toFixed(0)}`)"""


def small(page: Page) -> list[str]:
    """What is tapped on a page and is less than 44 pixels wide or high; links within a sentence may be."""
    too_small: list[str] = page.evaluate(SMALL)
    return too_small


# Of what is tapped on a page: what is low, and what lies over another.
UNSAFE = """() => {
  const all = [...document.querySelectorAll("a, button, input, select, textarea, summary")]
    .map((one) => [one, (one.closest("label.check") ?? one).getBoundingClientRect()])
    .filter(([one, box]) => box.width && !one.closest(".skip") && one.checkVisibility({ visibilityProperty: true }));
  const name = ([one, box]) => `${one.textContent || one.id} (${box.top.toFixed(0)} to ${box.bottom.toFixed(0)})`;
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const low = all.filter(([, box]) => box.height < 43.9).map((one) => `${name(one)} is low`);
  const over = all.flatMap((one, at) => all.slice(at + 1).filter((other) => meet(one[1], other[1]))
    .map((other) => `${name(one)} and ${name(other)} overlap`));
  return [...low, ...over];
}"""


def unsafe(page: Page) -> list[str]:
    """What a finger may miss on a page: targets less than 44 pixels high, or over another."""
    missed: list[str] = page.evaluate(UNSAFE)
    return missed
