"""The history of a house: games event by event, players, results; in SQLite or PostgreSQL."""

from cribboard.store.errors import StoreError
from cribboard.store.fold import Note
from cribboard.store.opening import open_store
from cribboard.store.store import Store

__all__ = ["Note", "Store", "StoreError", "open_store"]
