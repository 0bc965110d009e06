"""What both trials say when a point fails."""

from __future__ import annotations


class Wrong(Exception):
    """A point of the trial has failed."""
