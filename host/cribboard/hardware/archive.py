"""Zip files that have the same bytes for the same contents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MADE = (2000, 1, 1, 0, 0, 0)


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip file of these, by their names."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name, contents in files.items():
            made.writestr(zipfile.ZipInfo(name, MADE), contents, zipfile.ZIP_DEFLATED)
    return held.getvalue()
