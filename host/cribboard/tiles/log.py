"""The acts of tile games in a file of JSON lines: however the program ends, the next one resumes the game."""

from __future__ import annotations

from pathlib import Path

from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import append_line, hold, home, made, read_lines
from cribboard.tiles.game import Act, Game, Told


def games_file() -> Path:
    """Where they are."""
    return home() / "tiles.jsonl"


class Log:
    """The newest game of the file, played again act by act; held for this program until closed."""

    def __init__(self) -> None:
        self.path = games_file()
        self.game: Game | None = None
        made(self.path.parent)
        self._lock = hold(self.path.with_suffix(".lock"), "another `cribboard tiles` keeps score")
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let another program have the file."""
        self._lock.release()

    @property
    def playing(self) -> Game:
        """The game, which must be there."""
        if self.game is None:
            raise ArgumentError("there is no game", "start one like: cribboard tiles Ann Bob")
        return self.game

    def begin(self, **options: object) -> Game:
        """Begin a game; the one before can be brought back with undo."""
        self.game = Game(**options)  # type: ignore[arg-type]
        self._add({"act": "new", **options})
        return self.game

    def do(self, act: Act) -> Told:
        """Have the game do something, and write it down."""
        told = self.playing.do(act)
        self._add(act)
        return told

    def undo(self) -> Act:
        """Take the last act back; gives it."""
        if not self._acts:
            raise ArgumentError("there is nothing to undo", "nothing has been played")
        append_line(self.path, {"act": "undo"})
        last = self._acts.pop()
        self.game = self._replayed()
        return last

    def _load(self) -> None:
        self._acts: list[Act] = []
        for _, entry in read_lines(self.path):
            if entry.get("act") != "undo":
                self._acts.append(entry)
            elif self._acts:
                self._acts.pop()
        self.game = self._replayed()

    def _add(self, act: Act) -> None:
        try:
            append_line(self.path, act)
        except CribboardError:
            self.game = self._replayed()  # what is not on the disk has not happened
            raise
        self._acts.append(act)

    def _replayed(self) -> Game | None:
        begun = [at for at, act in enumerate(self._acts) if act.get("act") == "new"]
        if not begun:
            return None
        try:
            new, *acts = self._acts[begun[-1] :]
            game = Game(**{name: value for name, value in new.items() if name != "act"})
            for act in acts:
                game.do(act)
        except (ArgumentError, KeyError, TypeError, AttributeError) as error:
            raise CribboardError(
                f"{self.path} cannot be replayed: {error}", "move the file away, and start a new game"
            ) from error
        return game
