"""What a virtual board is: its settings, and the board.toml beside them or the ready one that is most alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cribboard.drive import drive_files
from cribboard.files import board_folder, home, read_file, write_whole
from cribboard.hardware.description import Description, DescriptionError, folder, load
from cribboard.hardware.shape import Layout
from cribboard.sim.board import VirtualBoard
from cribboard_fw.settings import Settings, SettingsError

NAME = "board.toml"
READY = {121: "board.toml", 61: "boards/travel.toml"}


def keep(name: str, text: str) -> None:
    """Have the virtual board of this name be the board of this description."""
    write_whole(board_folder(name) / NAME, text)


def kept(folder: Path) -> list[Description]:
    """What is kept beside the settings in a virtual board's folder."""
    own = folder / NAME
    try:
        return [load(own)] if own.exists() else []
    except DescriptionError:  # it was fine when it was kept; the game goes on
        return []


def settings_of(board: VirtualBoard) -> tuple[Settings, list[str]]:
    """The board's settings, or the shipped ones and what is wrong with its own."""
    try:
        return Settings(read_file(board.folder / "settings.toml").decode()), []
    except SettingsError as error:
        return Settings(drive_files().settings.read_text(encoding="utf-8")), [
            "settings.toml:",
            *str(error).splitlines(),
        ]


def mistakes(name: str) -> str:
    """The file with a virtual board's settings and, in lines, why its firmware refuses them; empty if it does not."""
    path = home() / "sim" / name / "settings.toml"
    try:
        Settings(read_file(path).decode())
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path}:\n{error.strerror}"
    except ValueError as error:
        return f"{path}:\n{error}"
    return ""


def layout_of(board: VirtualBoard, settings: Settings) -> Layout:
    """The places of the holes of a board with these settings, which may have been changed since it was described."""
    return fitting(kept(board.folder), len(settings.strip_pins), settings.leds)


def fitting(descriptions: Iterable[Description], tracks: int, leds: int) -> Layout:
    """The first of these that has so many tracks and LEDs a track, or else the ready one that is most alike."""
    fits = [board for board in descriptions if (board.tracks.count, board.tracks.leds) == (tracks, leds)]
    return Layout(fits[0] if fits else alike(tracks, leds))


def alike(tracks: int, leds: int) -> Description:
    """The ready description for so many LEDs a track, with so many tracks."""
    ready = load(folder() / READY[leds])
    more = (tracks - ready.tracks.count) * ready.shape.track_mm
    shape = replace(ready.shape, apart_mm=ready.shape.apart_mm + more)
    return replace(ready, tracks=replace(ready.tracks, count=tracks), shape=shape)
