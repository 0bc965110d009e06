"""What code.py may import: the standard library, the board's own modules and the packages on its drive."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from cribboard.drive import PACKAGES


class BoardImports(MetaPathFinder):
    """Goes before all other finders and refuses what a board would not have."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [str(folder) for folder in folders]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The drive's packages from the drive, the standard library as ever."""
        if path is not None:
            return None  # a part of a package that was let in
        if name in PACKAGES:
            return PathFinder.find_spec(name, self._folders, target)
        if name in sys.stdlib_module_names:
            return None
        own = PathFinder.find_spec(name, self._folders[:-1], target)
        if own is None:
            raise ModuleNotFoundError(f"no module named {name!r} on the board", name=name)
        return own


def only_the_boards(folders: Sequence[Path]) -> None:
    """From now on import as the board would. The last of `folders` is the shipped lib, any before it are the user's.

    sys.path stays: a change of it has coverage import its packages anew, beside whatever another thread imports.
    """
    sys.meta_path.insert(0, BoardImports(folders))
