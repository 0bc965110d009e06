"""Starts an installed kiosk and fetches each of its pages, what they load, and a table: `python look.py COMMAND`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request

PAGES = (
    "/",
    "/table/1",
    "/score/1",
    "/history",
    "/game/1",
    "/player/1",
    "/staff",
    "/print",
    "/night",
    "/learn",
    "/computer/1",
)
PATIENCE_S = 20.0


def main() -> int:
    command = [sys.argv[1], "kiosk", "--json", "--virtual", "look", "--host", "127.0.0.1", "--web-port", "0"]
    kiosk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        home = json.loads(kiosk.stdout.readline())["local"]
        loaded = set()
        for page in PAGES:
            text = fetched(home + page)
            loaded |= set(re.findall(r'(?:src|href)="(/static/[^"]+)"', text))
        for path in sorted(loaded):
            fetched(home + path)
        ends = time.monotonic() + PATIENCE_S
        while any(state["board"]["away"] for state in json.loads(fetched(f"{home}/api/boards"))["boards"]):
            if time.monotonic() > ends:
                return 1
            time.sleep(0.1)
    finally:
        kiosk.terminate()
    print(f"{len(PAGES)} pages, and {len(loaded)} files that they load")
    return kiosk.wait(PATIENCE_S)


def fetched(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        return answer.read().decode()


if __name__ == "__main__":
    sys.exit(main())
