"""The rules of cribbage and the state of a match, with nothing that knows hardware, clock or port."""

__version__ = "1.0.0"
