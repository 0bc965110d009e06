"""An update on a real FAT image: cut short before any sector, the board starts the old or the new firmware."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from install.circuitpy import plug_in
from install.fat import ImageDisk
from pico.drive import from_files, read_files

from cribboard.doctor.checks import look_at
from cribboard.drive import drive_files
from cribboard.install import installer, plans, update
from cribboard.install.circuitpy import InstallError, read
from cribboard.install.compiled import compiled
from cribboard.install.disk import Folder
from cribboard.install.plans import CODE, INSTEAD, LIST, READY, SETTINGS, TROUBLE, Plan, with_list

SHIPPED = {  # a few of the modules, so that every write can be tried
    path: data
    for path, data in drive_files().contents().items()
    if path.count("/") < 2 or path.endswith(("/__init__.py", "/app.py", "/show.py"))
}
NEW = compiled(SHIPPED)
OLD = {path: data + b"\nOLDER = 1\n" if path.startswith("lib/cribboard") else data for path, data in NEW.items()}
OLD["lib/cribboard_fw/was_there_once.mpy"] = b"x" * 700
OLDER = {path: data + b"\nOLDEST = 1\n" if path.startswith("lib/cribboard") else data for path, data in NEW.items()}
BOOT_OUT = {"boot_out.txt": b"Adafruit CircuitPython 9.2.1"}
EARLY_CODE = (Path(__file__).parent / "data" / "code-early.txt").read_bytes()
EARLY = {path: data for path, data in (OLD | {CODE: EARLY_CODE}).items() if path != TROUBLE}


@contextmanager
def drive(image: bytes, pulled_after: int = 1 << 30) -> Iterator[ImageDisk]:
    disk = ImageDisk(image, pulled_after)
    try:
        yield disk
    finally:
        disk.close()


def with_settings(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {**BOOT_OUT, SETTINGS: b"# the maker's\n", **{path: files[path] for path in files if path != SETTINGS}}


def updated(image: bytes, wanted: Mapping[str, bytes]) -> bytes:
    with drive(image) as disk:
        plan = planned(disk, wanted)
        plans.check_room(disk, plan)
        update.carry_out(disk, plan)
        assert not planned(disk, wanted), "there is nothing more to do"
        return disk.image


def planned(disk: ImageDisk, wanted: Mapping[str, bytes]) -> Plan:
    return update.planned(disk, {path: data for path, data in wanted.items() if path != SETTINGS})


def modules(files: Mapping[str, bytes], folder: str = "lib") -> dict[str, bytes]:
    """The modules in a folder of the drive, named as in lib."""
    inner = {path: data for path, data in files.items() if path.startswith(f"{folder}/")}
    return {"lib" + path.removeprefix(folder): data for path, data in inner.items() if path.count("/") == 2}


def starts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The modules that CircuitPython comes to: of the first firmware that code.py tries, and all of them."""
    code = next(files[path] for path in (CODE, INSTEAD[CODE]) if path in files)
    assert code in (EARLY_CODE, SHIPPED[CODE]), "half a code.py"
    assert code == EARLY_CODE or files.get(TROUBLE) == SHIPPED[TROUBLE]
    for path in ("boot.py", "safemode.py"):
        assert files.get(path, files.get(INSTEAD[path])) == SHIPPED[path]
    folders = sorted(path.partition("/")[0] for path in files if path.startswith("firmware.") and READY in path)
    return modules(files, "lib" if code == EARLY_CODE or not folders else folders[-1])


BOARDS = {
    "installed": from_files(with_settings(with_list(OLD))),
    "installed as code.py": from_files(with_settings(with_list(EARLY))),
}


@pytest.mark.parametrize("board", BOARDS)
def test_the_new_firmware_lies_beside_the_old_one_and_is_the_one_that_starts(board: str) -> None:
    contents = read_files(updated(BOARDS[board], NEW))
    assert starts(contents) == modules(with_list(NEW))
    assert modules(contents) == modules(read_files(BOARDS[board]))
    assert contents[SETTINGS] == b"# the maker's\n"
    shipped = {path for path in SHIPPED if "/" not in path}
    if board == "installed as code.py":
        shipped = shipped - {CODE} | {INSTEAD[CODE]}
    assert {path for path in contents if "/" not in path} == {*BOOT_OUT, *shipped}


def test_two_updates_and_what_was_installed_stay() -> None:
    image = BOARDS["installed"]
    for wanted, folders in (
        (OLDER, {"firmware.001"}),
        (NEW, {"firmware.001", "firmware.002"}),
        (OLDER, {"firmware.002", "firmware.003"}),
        (NEW, {"firmware.003", "firmware.004"}),
    ):
        image = updated(image, wanted)
        contents = read_files(image)
        assert {path.partition("/")[0] for path in contents if path.startswith("firmware.")} == folders
        assert starts(contents) == modules(with_list(wanted))
    assert modules(contents) == modules(read_files(BOARDS["installed"]))


@pytest.mark.unmeasured
@pytest.mark.parametrize("board", [*BOARDS, "updated twice"])
def test_cut_short_before_any_sector_it_starts_the_old_firmware_since_the_last_one_is_the_switch(board: str) -> None:
    image = updated(updated(BOARDS["installed"], OLDER), OLD) if board == "updated twice" else BOARDS[board]
    old, new = starts(read_files(image)), modules(with_list(NEW))
    with drive(image) as disk:
        plan = planned(disk, NEW)
        update.carry_out(disk, plan)
        sectors, whole = disk.sectors.written, read_files(disk.image)
    assert starts(whole) == new
    for pulled_after in range(sectors):
        with drive(image, pulled_after) as disk:
            with pytest.raises(InstallError, match="is gone") as caught:
                update.carry_out(disk, plan)
            left = disk.image
        assert update.UNTIL in caught.value.hint
        assert starts(read_files(left)) == old, pulled_after
        again = read_files(updated(left, NEW))
        assert starts(again) == new, pulled_after
        assert again == whole, pulled_after


def test_installing_again_removes_the_updates_and_leaves_one_firmware() -> None:
    image = updated(updated(BOARDS["installed"], OLDER), OLD)
    with drive(image) as disk:
        plans.carry_out(disk, plans.planned(disk, {**NEW, SETTINGS: b""}))
        contents = read_files(disk.image)
    assert not [path for path in contents if path.startswith("firmware.")]
    assert starts(contents) == modules(with_list(NEW))


def test_a_change_of_the_settings_leaves_both_firmwares_alone() -> None:
    image = updated(BOARDS["installed"], NEW)
    with drive(image) as disk:
        plan = plans.planned(disk, {**NEW, SETTINGS: b"BRIGHTNESS = 10\n"})
        assert (plan.writes, plan.removes, plan.renames) == ((SETTINGS,), (), ())
        plans.carry_out(disk, plan)
        contents = read_files(disk.image)
    assert contents == {**read_files(image), SETTINGS: b"BRIGHTNESS = 10\n"}


def test_uninstalling_removes_updates_too() -> None:
    image = updated(updated(BOARDS["installed"], OLDER), NEW)
    with drive(image) as disk:
        plans.take_off(disk, plans.removal(disk, NEW))
        assert set(read_files(disk.image)) == {*BOOT_OUT, SETTINGS, "lib/neopixel.mpy"}


def test_files_of_others_in_the_way_are_renamed() -> None:
    files = {**with_settings(with_list(EARLY)), "main.py": b"import maker\n", TROUBLE: b"import maker\n"}
    contents = read_files(updated(from_files(files), NEW))
    assert (contents["main.py.before"], contents[f"{TROUBLE}.before"]) == (b"import maker\n",) * 2
    assert starts(contents) == modules(with_list(NEW))


def test_the_list_of_modules_is_there_so_that_a_later_removal_knows_them() -> None:
    assert LIST.replace("lib", "firmware.001") in read_files(updated(BOARDS["installed"], NEW))


def codes(folder: Path) -> set[str]:
    """What the doctor finds wrong on a drive."""
    return {finding.code for finding in look_at(read(folder), Folder(folder)).findings if finding.wrong}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A drive with the firmware in lib."""
    folder = plug_in(tmp_path / "CIRCUITPY")
    step = installer.prepare(str(folder), None)
    plans.carry_out(step.disk, step.plan)
    return folder


def test_a_drive_without_firmware_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="no whole cribboard firmware") as caught:
        update.prepare(str(plug_in(tmp_path / "CIRCUITPY")))
    assert "cribboard install" in caught.value.hint


def test_settings_with_which_it_would_not_run_are_refused_before_anything_changes(installed: Path) -> None:
    (installed / SETTINGS).write_text((installed / SETTINGS).read_text() + "BRIGHTNES = 5\n")
    with pytest.raises(InstallError, match="would not run") as caught:
        update.prepare(str(installed))
    assert "BRIGHTNES" in caught.value.hint and "nothing was changed" in caught.value.hint


def test_the_doctor_looks_at_the_firmware_that_starts(installed: Path) -> None:
    module = Path("cribboard_core") / "show.mpy"
    whole = (installed / "lib" / module).read_bytes()
    (installed / "lib" / module).write_bytes(whole + b"older")
    (installed / CODE).write_bytes(EARLY_CODE)
    assert codes(installed) == {"other-firmware"}
    step = update.prepare(str(installed))
    update.carry_out(step.disk, step.plan)
    assert codes(installed) == set()
    (installed / "firmware.001" / module).write_bytes(whole + b"other")
    assert codes(installed) == {"other-firmware"}
