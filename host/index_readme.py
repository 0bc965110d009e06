"""The README as a package index shows it, where nothing lies beside it: hatchling runs this when it builds.

What README.md links to by a path gets the project's address, `Source` in `[project.urls]`. Without one the words stay
and the link goes, and so does the picture.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:)([^)\s]+)\)")
CODE = re.compile(r"(```.*?```|`[^`]*`)", re.DOTALL)


def for_index(text: str, address: str) -> str:
    """The text with absolute links, or with words in their place when there is no address."""

    def absolute(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if not address:
            return "" if picture else words
        if path.startswith("#"):
            return f"[{words}]({address}{path})"
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{path})"

    parts = CODE.split(text)
    parts[::2] = [LINK.sub(absolute, part) for part in parts[::2]]
    return re.sub(r"\n{3,}", "\n\n", "".join(parts))


class IndexReadme(MetadataHookInterface):
    """Gives hatchling the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = metadata.get("urls", {}).get("Source", "").rstrip("/")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text, address)}
