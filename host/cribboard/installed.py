"""How this copy of the program was installed: what to type to have more of it, and the project's address."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

NAME = "cribboard"


def how_to_add(extra: str) -> str:
    """What to type to have an extra, too: by what installed this program, and from where."""
    this = _distribution()
    origin: Any = json.loads(
        (this and this.read_text("direct_url.json")) or "{}"
    )  # PEP 610; none if it came by its name
    if origin.get("dir_info", {}).get("editable"):
        return f"in the project's folder: pip install -e '.[{extra}]'"
    wanted = f"'{NAME}[{extra}]" + (f" @ {origin['url']}'" if origin else "'")
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        return f"pipx install --force {wanted}"
    if (Path(sys.prefix) / "uv-receipt.toml").is_file():
        return f"uv tool install --force {wanted}"
    if os.environ.get("UV"):  # as uvx sets it for what it runs
        return f"uvx --from {wanted} {NAME}"
    return f"pip install {wanted}"


def address() -> str:
    """Where the project is published, from `[project.urls]` of pyproject.toml; empty while it is nowhere."""
    this = _distribution()
    urls = this.metadata.get_all("Project-URL") or [] if this else []
    return next((url.partition(",")[2].strip() for url in urls if url.startswith("Source,")), "")


def _distribution() -> Distribution | None:
    try:
        return distribution(NAME)
    except PackageNotFoundError:  # the modules alone, in a folder
        return None
