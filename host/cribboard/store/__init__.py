"""The history of a house: games event by event, players, results; in SQLite or PostgreSQL."""

from cribboard.store.backup import Backups
from cribboard.store.errors import StoreError
from cribboard.store.opening import open_store, restore_backup
from cribboard.store.store import Store

__all__ = ["Backups", "Store", "StoreError", "open_store", "restore_backup"]
