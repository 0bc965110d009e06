"""The page's client of the wire keeps to the conformance kit, under Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
KIT = ROOT / "firmware" / "wire"
STATIC = ROOT / "host" / "cribboard" / "site" / "static"
READ = """
import { readFileSync } from "node:fs";
import { encode, Lines } from "./wire.js";
const { frames, streams, too_long } = JSON.parse(readFileSync(0, "utf8"));
const refused = (message) => { try { encode(message); return false; } catch { return true; } };
const bytes = new TextEncoder();
const text = new TextDecoder();
console.log(JSON.stringify({
  frames: frames.map(({ message, frame }) => [text.decode(encode(message)), new Lines().feed(bytes.encode(frame))]),
  streams: streams.map(({ hex }) => new Lines().feed(Buffer.from(hex, "hex"))),
  too_long: too_long.map(refused),
}));
"""

pytestmark = [
    pytest.mark.skipif(not KIT.is_dir(), reason="the conformance kit of the wire is not in this checkout"),
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: it runs the page's modules"),
]


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """The page's modules where Node takes them for what they are."""
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in (STATIC / "client.js", STATIC / "wire.js", Path(__file__).with_name("client.mjs")):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_the_client_passes_every_point(modules: Path) -> None:
    command = [sys.executable, str(KIT / "conform.py"), "client", "node", str(modules / "client.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\nok ") > 20


def test_frames_are_made_and_read_as_the_vectors_say(modules: Path) -> None:
    vectors: dict[str, Any] = json.loads((KIT / "vectors" / "frames.json").read_text("utf-8"))
    (modules / "read.mjs").write_text(READ, encoding="utf-8")
    command = ["node", str(modules / "read.mjs")]
    done = subprocess.run(command, input=json.dumps(vectors), capture_output=True, text=True, timeout=60, check=True)
    results = json.loads(done.stdout)
    assert results["frames"] == [[case["frame"], [case["message"]]] for case in vectors["frames"]]
    assert results["streams"] == [case["messages"] for case in vectors["streams"]]
    assert all(results["too_long"])


def test_the_client_is_as_short_as_promised() -> None:
    lines = sum(len((STATIC / name).read_text("utf-8").splitlines()) for name in ("wire.js", "client.js"))
    assert lines <= 400
