"""Copies the history into a folder every night, and says when staff should look after that."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from cribboard.files import PART, ensure_folder
from cribboard.store.copying import whole_copy
from cribboard.store.errors import StoreError
from cribboard.store.export_reader import MOST_BYTES, read

if TYPE_CHECKING:
    from cribboard.store.store import Store

KEPT = 14
NIGHT = 5  # o'clock, local time
QUIET = timedelta(hours=1)  # without play
AGAIN = timedelta(hours=1)  # after one that failed
LATE = timedelta(hours=36)  # then play does not matter
OLD = timedelta(days=2)  # then staff are warned
NAME = re.compile(r"history-(\d{8}T\d{6})Z\.(?:db|json)")
STAMP = "%Y%m%dT%H%M%S"
PLUG_IN = "plug in its disk, or name another folder with --backup-to"


@dataclass(frozen=True)
class BackupStatus:
    """When the newest backup was made, its age, and where the backups are; `warnings` are sentences for the staff."""

    newest: datetime | None
    age: timedelta
    folder: Path
    warnings: tuple[str, ...]


class Backups:
    """Nightly backups in a folder, the newest 14: copies of SQLite's file, or exports of a server's history.

    A `named` folder must exist, since its disk may have been taken out; another one is made.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        *,
        named: bool,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        zone: tzinfo | None = None,
    ) -> None:
        self.folder = folder
        self._store = store
        self._named = named
        self._now = clock
        self._zone = zone  # None: the computer's
        self._failed: tuple[datetime, str] | None = None
        self._lock = threading.Lock()

    def run(self) -> str:
        """Make a backup if it is time for it; returns why that failed, or nothing."""
        with self._lock:
            at = self._now()
            try:
                if not self._is_due(at):
                    return ""
                self._make(at)
            except Exception as error:  # the next night's must be tried, whatever this is
                said = str(error)
                self._failed = (at, said)
                return said
            self._failed = None
            return ""

    def look(self) -> BackupStatus:
        """The state of the backups, for the staff."""
        at = self._now()
        newest = max((made_at for made_at, _ in self._backups()), default=None)
        warnings = []
        if self._failed is not None:
            warnings.append(f"The last try failed: {self._failed[1]}.")
        if newest is None:
            warnings.append("There is no backup yet.")
        elif at - newest > OLD:
            warnings.append(f"The newest backup is {(at - newest).days} days old.")
        elif newest - at > OLD:
            warnings.append("The newest backup is from the future: the clock of this computer is or was wrong.")
        if self._is_beside():
            warnings.append(
                "The backups are on the same disk as the history: if it breaks, you lose both. "
                "Ask whoever set up this kiosk to keep them on another disk, such as a USB stick."
            )
        return BackupStatus(newest, at - (newest or at), self.folder, tuple(warnings))

    def _is_due(self, at: datetime) -> bool:
        """Whether it is after five in the morning and nobody has played for an hour."""
        if self._failed is not None and timedelta(0) <= at - self._failed[0] < AGAIN:
            return False
        local = at.astimezone(self._zone)
        night = local.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
        night -= timedelta(days=night > local)
        newest = max((made_at for made_at, _ in self._backups() if made_at <= at), default=None)
        if newest is not None and newest >= night:
            return False
        heard = self._store.heard_last()
        played = heard is not None and timedelta(0) <= at - heard < QUIET
        return not played or newest is None or at - newest > LATE

    def _make(self, at: datetime) -> None:
        if not self._named:
            ensure_folder(self.folder)
        elif not self.folder.is_dir():
            raise StoreError(f"the folder {self.folder} is not there", PLUG_IN)
        for left in self.folder.glob(f"history-*{PART}"):
            left.unlink()
        name = f"history-{at.astimezone(UTC):{STAMP}}Z"
        if self._store.file is not None:
            self._check_room(self._store.file.stat().st_size)
            self._store.backup(self.folder / f"{name}.db")
        else:
            self._export(self.folder / f"{name}.json")
        # those from the future go first, so that a clock that was wrong once does not keep out all that come
        oldest = sorted(self._backups(), key=lambda backup: (backup[0] <= at, backup[0]))
        for _, old in oldest[:-KEPT]:
            old.unlink()

    def _export(self, path: Path) -> None:
        """A server's whole history, as JSON for an import."""
        text = self._store.export_json()
        if len(text) > MOST_BYTES:
            raise StoreError(
                f"the history has more than the {MOST_BYTES >> 20} MB that an import takes", "use pg_dump every night"
            )
        self._check_room(len(text))
        with whole_copy(path) as part:
            part.write_text(text, encoding="utf-8")
            read(part.read_text(encoding="utf-8"))

    def _check_room(self, size: int) -> None:
        """Raise StoreError unless a backup leaves as much room as it takes, so that the history can grow."""
        free = shutil.disk_usage(self.folder).free
        if free < 2 * size:
            raise StoreError(
                f"{self.folder} has {free >> 20} MB left, and a backup needs {-(-2 * size >> 20)} MB",
                "make room, or name a folder on a larger disk with --backup-to",
            )

    def _is_beside(self) -> bool:
        own = self._store.file
        with suppress(OSError):
            return own is not None and self.folder.stat().st_dev == own.stat().st_dev
        return False

    def _backups(self) -> list[tuple[datetime, Path]]:
        dated, paths = [], []
        with suppress(OSError):  # a medium that was pulled out just now
            paths = [*self.folder.glob("history-*")]
        for path in paths:
            if match := NAME.fullmatch(path.name):
                with suppress(ValueError):
                    dated.append((datetime.strptime(match[1], STAMP).replace(tzinfo=UTC), path))
        return dated
