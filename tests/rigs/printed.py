"""What `--json` prints, without the version that each object carries."""

from __future__ import annotations

import json
from typing import Any

from cribboard.json_types import FORMAT


def printed(line: str | bytes) -> dict[str, Any]:
    """The object of a line, after a look at its version."""
    entry: dict[str, Any] = json.loads(line)
    assert entry.pop("format") == FORMAT
    return entry
