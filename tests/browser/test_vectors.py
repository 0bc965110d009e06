"""The rules' vectors are answered in the page as on CPython."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser.chromium import LAPTOP
from browser.conftest import or_skip
from browser.site import RUNTIME, site
from vm.test_same_everywhere import VECTORS, on_cpython

from cribboard.scripts import bundle
from cribboard.site.packs import STATIC

SCRIPT = Path(__file__).parents[1] / "vm" / "script_vectors.py"
RUN = """files => new Promise((resolve) => {
  const lines = [];
  const worker = new Worker("static/vectors-worker.js", { type: "module" });
  worker.onmessage = ({ data }) => (data.over ? resolve(lines) : lines.push(data.line));
  worker.postMessage(files);
})"""


def test_the_vectors_are_answered_in_the_page_as_everywhere(visit: Callable[..., Any], tmp_path: Path) -> None:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    files = {f"vectors/{path.name}": path.read_text("utf-8") for path in VECTORS.glob("*.json")}
    with site(tmp_path) as pages:
        worker = "static/vectors-worker.js"
        modules = {worker: Path(__file__).with_name("vectors-worker.js").read_bytes()}
        modules["static/python.js"] = (STATIC / "python.js").read_bytes()
        (tmp_path / worker).write_text(bundle(modules, worker, inlined=False), encoding="utf-8")
        page = visit(f"{pages.address}count.html", LAPTOP)
        answers = page.evaluate(RUN, {**files, "lib/script_vectors.py": SCRIPT.read_text("utf-8")})
    expected = on_cpython(SCRIPT, str(VECTORS))
    assert answers == expected
    assert len(answers) > 500
