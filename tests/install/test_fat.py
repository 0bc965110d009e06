"""The installer on a real FAT image: what is on it then, and whatever sector it is pulled out before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from install.fat import ImageDisk
from pico.drive import from_files, read_files

from cribboard.drive import drive_files
from cribboard.install import plans
from cribboard.install.circuitpy import InstallError
from cribboard.install.compiled import compiled
from cribboard.install.plans import CODE, FRESH, planned, removal, stand_in, with_list

SHIPPED = drive_files().contents()
WANTED = with_list(compiled(SHIPPED))
# What all of it goes through some of it goes through sooner: where the forms of modules change, a few of them.
FEW = {
    path: data for path, data in SHIPPED.items() if path.count("/") < 2 or path.endswith(("/__init__.py", "/app.py"))
}
FEW_WANTED = with_list(compiled(FEW))
LETTERS = 13  # of a long name in one entry of a folder
NOT_WHOLE = stand_in(SHIPPED)
NEW = {"boot_out.txt": b"Adafruit CircuitPython 9.2.1", CODE: FRESH + b"\n", "settings.toml": b""}
STALE = "lib/cribboard_fw/was_there_once.py"
TRIED = {"lib/cribboard_fw/app.py": b"print('trying something')\n"}  # the maker's, which runs before the app.mpy
FILM = b"\0" * 960_000  # on a drive of a megabyte
OTHERS = {"code.py": b"import maker\n", "lib/maker.py": b"PI = 3\n", "photo.bmp": b"\x01" * 5000}


@contextmanager
def drive(image: bytes, pulled_after: int = 1 << 30) -> Iterator[ImageDisk]:
    disk = ImageDisk(image, pulled_after)
    try:
        yield disk
    finally:
        disk.close()


def older(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files in another version, which has one more."""
    return {**{path: data + b"\nOLDER = 1\n" for path, data in files.items()}, STALE: b"x = 1\n" * 400}


def install(disk: ImageDisk, wanted: Mapping[str, bytes] = WANTED) -> None:
    plan = planned(disk, wanted)
    plans.check_room(disk, plan)
    plans.carry_out(disk, plan)


def test_a_new_drive_holds_all_files_and_its_own_afterwards() -> None:
    with drive(from_files(NEW)) as disk:
        install(disk)
        files = read_files(disk.image)
    assert files == {"boot_out.txt": NEW["boot_out.txt"], **WANTED}


def test_another_program_is_put_aside_and_comes_back() -> None:
    with drive(from_files({**NEW, **OTHERS})) as disk:
        install(disk)
        files = read_files(disk.image)
        assert files == {"boot_out.txt": NEW["boot_out.txt"], **OTHERS, **WANTED, "code.py.before": OTHERS["code.py"]}
        plans.take_off(disk, removal(disk, WANTED))
        files = read_files(disk.image)
    stays = {"boot_out.txt": NEW["boot_out.txt"], "lib/neopixel.mpy": WANTED["lib/neopixel.mpy"]}
    assert files == {**stays, **OTHERS}


def test_a_drive_that_is_too_full_is_left_as_it_is() -> None:
    image = from_files({**NEW, "lib/film.bin": FILM, "settings.toml": b"#" * 3000, "trouble.py": b"#" * 2000})
    with drive(image) as disk:
        with pytest.raises(InstallError, match=r"KB free, and the firmware needs \d+ KB more") as caught:
            install(disk)
        assert disk.image == image
    assert "such as lib/film.bin (937 KB)" in caught.value.hint
    assert "settings.toml" not in caught.value.hint, "the board would forget how it is wired"


def test_a_drive_that_fills_up_meanwhile_says_so_and_the_next_try_goes_on() -> None:
    with drive(from_files({**NEW, "film.bin": FILM})) as disk:
        plan = planned(disk, WANTED)
        with pytest.raises(InstallError, match="is full") as caught:
            plans.carry_out(disk, plan)
        assert "run the same command again" in caught.value.hint
        assert disk.read(CODE) == NOT_WHOLE
        disk.remove("film.bin")
        install(disk)
        assert read_files(disk.image) == {"boot_out.txt": NEW["boot_out.txt"], **WANTED}


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("before", "wanted", "others"),
    [
        pytest.param({**NEW}, FEW_WANTED, [], id="new"),
        pytest.param({**NEW, **with_list(compiled(older(SHIPPED)))}, WANTED, [], id="update"),
        pytest.param({**NEW, **with_list(older(FEW))}, FEW_WANTED, [], id="update of a drive with source"),
        pytest.param({**NEW, **with_list(compiled(older(FEW)))}, with_list(FEW), [], id="update to source"),
        pytest.param(
            {**NEW, **with_list(compiled(older(FEW))), **TRIED}, FEW_WANTED, list(TRIED), id="something is tried"
        ),
        pytest.param({**NEW, **OTHERS}, FEW_WANTED, [CODE], id="another program"),
    ],
)
def test_pulled_out_before_any_sector_it_never_runs_a_mixture(
    before: dict[str, bytes], wanted: dict[str, bytes], others: list[str]
) -> None:
    """The board runs what it ran, or nothing, or says that it is not whole, or has all; and the next try goes on."""
    image = from_files(before)
    with drive(image) as disk:
        install(disk, wanted)
        whole, sectors = read_files(disk.image), disk.sectors.written
    ends = {*range(20), *range(sectors - 8, sectors)}
    seen = set()
    for pulled_after in sorted(ends | {*range(0, sectors, 293)}):
        with drive(image, pulled_after) as disk:
            with pytest.raises(InstallError, match="is gone"):
                install(disk, wanted)
            left = disk.image
        files = read_files(left)
        seen.add(state(files, before, whole))
        with drive(left) as disk:
            install(disk, wanted)
            again = read_files(disk.image)
        assert ours(again, before) == ours(whole, before), pulled_after
        for path in others:
            aside = [data for name, data in again.items() if name.startswith(f"{path}.before")]
            assert before[path] in aside, pulled_after
    assert seen >= {"as before", "says that it is not whole", "nothing runs"}


def ours(files: dict[str, bytes], before: dict[str, bytes]) -> dict[str, bytes]:
    """What is on the drive without what was put aside, and without a name of `before` that its removal tore.

    FAT keeps 13 letters of a long name in an entry. Where the entries of one name lie in two sectors, a pull between
    the two leaves a file with the first letters as its name, which nothing imports.
    """
    torn = {path[: path.rfind("/") + 1 + LETTERS] for path in before if len(path) > path.rfind("/") + 1 + LETTERS}
    left = {path for path in torn - set(before) if "." not in path}
    return {path: data for path, data in files.items() if ".before" not in path and path not in left}


def state(files: dict[str, bytes], before: dict[str, bytes], whole: dict[str, bytes]) -> str:
    code = files.get(CODE, b"")
    if code == NOT_WHOLE:
        return "says that it is not whole"
    if not code.strip():
        return "nothing runs"
    if files == whole:
        return "whole"
    assert {path: files.get(path) for path in before} == before, "a mixture"
    return "as before"
