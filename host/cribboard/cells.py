"""Text in a table for a spreadsheet."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last are wide ones


def cell(text: str) -> str:
    """The text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def text_of(cell: str) -> str:
    """The text that `cell` made a cell of."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
