"""Keep a cribbage score on a board of light: the host's side."""

__version__ = "1.0.0"
