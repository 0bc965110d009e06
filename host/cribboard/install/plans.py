"""What has to happen to a drive: which of its files are ours, which are the maker's, and which are in the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from cribboard.drive import PACKAGES
from cribboard.install.circuitpy import InstallError
from cribboard.install.compiled import is_module, other_form
from cribboard.install.disk import AGAIN, Disk, drive_errors
from cribboard.toml_lines import without

CODE, SETTINGS, TROUBLE = "code.py", "settings.toml", "trouble.py"
# What makes a board start as it is wired, and is never to be removed for room.
STARTS = (SETTINGS, CODE, "main.py", "boot.py", "safemode.py", TROUBLE, "boot_out.txt")
# What CircuitPython runs when the file itself is gone: `update` replaces each without a moment that has neither.
INSTEAD = {"boot.py": "boot.txt", CODE: "main.py", "safemode.py": "safemode.txt"}
LIB, READY = "lib", "ready"  # where `install` puts the modules, and what is in the folder of an update that is whole
NEOPIXEL = ("lib/neopixel.py", "lib/neopixel.mpy")
MARK = b"cribbage board"  # in the first line of our code.py and boot.py, and of the one that stands in for code.py
ADAFRUITS = b"Adafruit_CircuitPython_NeoPixel"  # in every version of the library, compiled or not
FRESH = b'print("Hello World!")'  # CircuitPython's own code.py on a new drive
FOLDERS = tuple(f"lib/{name}" for name in PACKAGES)
LIST = f"{FOLDERS[-1]}/installed.txt"
BEFORE = ".before"
# What CircuitPython would take before ours: code.txt before code.py, the top folder before lib.
IN_THE_WAY = ("code.txt", "neopixel", "neopixel.py", "neopixel.mpy", *PACKAGES)


@dataclass(frozen=True)
class Plan:
    """What has to happen to a drive; nothing if it is up to date."""

    wanted: Mapping[str, bytes]
    writes: tuple[str, ...]
    removes: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()  # what stays although it could be taken for ours

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes or self.renames)

    @property
    def size(self) -> int:
        """Bytes to write."""
        return sum(len(self.wanted[path]) for path in self.writes)


def with_list(wanted: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files, and the list of those among them that are modules of ours."""
    listed = sorted(path for path in wanted if path.startswith(FOLDERS) and path != LIST)
    return {**wanted, LIST: "\n".join([*listed, ""]).encode()}


def planned(disk: Disk, wanted: Mapping[str, bytes]) -> Plan:
    """How to make a drive hold these files; what is on it already stays, and what is another's is renamed.

    A module is there in one form: CircuitPython takes a .py before the .mpy of its name.
    """
    wanted = with_list(wanted)
    with drive_errors(disk, "reading it"):
        beside = updates(disk)
        if beside and holds(disk, beside[-1], wanted):  # the newest is this one, so lib stays what it falls back on
            top = {path: data for path, data in wanted.items() if "/" not in path}
            changed = tuple(path for path in top if disk.read(path) != top[path])
            return Plan(top, changed, tuple(_half_replaced(disk)), tuple(in_the_way(disk, top)))
        modules = _modules(disk, wanted)
        in_folders = _in_folders(disk)
        there = {path: disk.read(path) for path in wanted}
        others = {path: data for path in _other_forms(wanted) if (data := disk.read(path)) is not None}
        replaced = [path for path, data in others.items() if path in modules or _library(path, data)]
        removes = [path for path in in_folders if path in modules and path not in {*wanted, *replaced}] + replaced
        removes += [*_half_replaced(disk), *all_of(disk, folders(disk))]
        renames = [path for path in IN_THE_WAY if path in disk.names("")] + _obstacles(disk, wanted)
        renames += [path for path, data in there.items() if data is not None and not ours(path, data)]
        renames += [path for path in others if path not in replaced]
        stay = [path for path in in_folders if path not in {*wanted, *removes, *renames}]
        writes = [path for path, data in wanted.items() if there[path] != data]
        named = tuple((path, free_name(disk, path)) for path in renames)
        remarks = [f"{path} is not cribboard's; it stays" for path in stay]
        if f"{SETTINGS}.txt" in map(str.lower, disk.names("")):
            remarks.append(
                f"{SETTINGS}.txt stays, but the board reads only {SETTINGS}; take .txt off its name if it is yours"
            )
        return Plan(wanted, tuple(sorted(writes, key=_order)), tuple(removes), named, tuple(remarks))


def in_the_way(disk: Disk, top: Iterable[str]) -> list[tuple[str, str]]:
    """What somebody else has put where these files at the top go, and the names that it gets."""
    there = {path: data for path in [*top, "code.txt"] if (data := disk.read(path)) is not None}
    return [(path, free_name(disk, path)) for path, data in there.items() if not ours(path, data)]


def folders(disk: Disk) -> list[str]:
    """The folders of updates, whole or not, the newest last."""
    return sorted(name for name in disk.names("") if re.fullmatch(r"firmware\.\d+", name) and disk.is_folder(name))


def updates(disk: Disk) -> list[str]:
    """The folders of whole updates; code.py starts the last one, or without any the firmware in lib."""
    return [folder for folder in folders(disk) if disk.read(f"{folder}/{READY}") is not None]


def holds(disk: Disk, folder: str, wanted: Mapping[str, bytes]) -> bool:
    """Whether all of these modules, which are named as in lib, are in this folder."""
    return all(disk.read(folder + path.removeprefix(LIB)) == data for path, data in wanted.items() if "/" in path)


def files_in(disk: Disk, folder: str) -> list[str]:
    """Every file in a folder of the drive and in the folders there."""
    files = []
    for path in (f"{folder}/{name}" for name in disk.names(folder)):
        files += [f"{path}/{name}" for name in disk.names(path)] if disk.is_folder(path) else [path]
    return files


def all_of(disk: Disk, named: Iterable[str]) -> list[str]:
    """Everything in these folders, first what makes an update count and last the folders themselves."""
    paths = []
    for folder in named:
        inner = [f"{folder}/{name}" for name in disk.names(folder) if disk.is_folder(f"{folder}/{name}")]
        files = sorted(files_in(disk, folder), key=lambda path: path != f"{folder}/{READY}")
        paths += [*files, *inner, folder]
    return paths


def _half_replaced(disk: Disk) -> list[str]:
    """What an update that was cut short has left in place of code.py and the like."""
    return [path for path in INSTEAD.values() if marked(disk.read(path) or b"")]


def removal(disk: Disk, shipped: Mapping[str, bytes]) -> Plan:
    """How to take the firmware off a drive, and bring back what was renamed for it; nothing, where there is none."""
    with drive_errors(disk, "reading it"):
        top = disk.names("")
        at_top = [path for path in with_list(shipped) if "/" not in path and path != SETTINGS]
        mine = [path for path in at_top if path in top and marked(disk.read(path) or b"")]
        modules = _modules(disk, shipped)
        # The list goes last: if the removal is cut short, the next one still knows which modules are ours.
        files = sorted((path for path in _in_folders(disk) if path in modules), key=lambda path: path == LIST)
        beside = all_of(disk, folders(disk))
        mine += [path for path in _half_replaced(disk) if path in top]
        packages = [folder for folder in FOLDERS if disk.is_folder(folder)]
        backs = {path: renamed for folder in ("", "lib", *FOLDERS) for path, renamed in _renamed(disk, folder).items()}
        if not (mine or files or packages or beside):
            return Plan({}, ())
        full = [path for path in _in_folders(disk) if path not in files]
        emptied = [folder for folder in packages if not any(path.startswith(folder) for path in full)]
        own = disk.read(SETTINGS)
        rest = b"" if own is None else without(_text(own), _text(shipped[SETTINGS])).encode()
        removes = [*mine, *([SETTINGS] if own is not None and not rest else []), *files, *emptied, *beside]
        neopixel = [path for path in NEOPIXEL if (data := disk.read(path)) is not None and _library(path, data)]
        if any(path in backs for path in NEOPIXEL):
            removes += neopixel
        # A file gets its old name back only where nothing else stays under that name.
        there = {*top, *(f"lib/{name}" for name in disk.names("lib")), *_in_folders(disk)} - {*removes}
        renames = tuple((renamed, path) for path, renamed in backs.items() if path not in there)
        remarks = [f"{path} is not cribboard's; it stays" for path in full if path not in dict(renames)]
        remarks += [f"{path} stays, since other programs may use it" for path in neopixel if path in there]
        writes = (SETTINGS,) if rest and rest != own else ()
        return Plan({SETTINGS: rest}, writes, tuple(removes), renames, tuple(remarks))


def ours(path: str, data: bytes) -> bool:
    """Whether a file may be replaced: our packages and settings always, the rest when we or nobody made it."""
    if path == SETTINGS or path.startswith(FOLDERS):
        return True
    return _library(path, data) or marked(data) or data.strip() in (b"", FRESH)


def _library(path: str, data: bytes) -> bool:
    """Whether a file is Adafruit's library, in either form and any version, or the beginning of one."""
    return path in NEOPIXEL and (ADAFRUITS in data or not data)


def marked(data: bytes) -> bool:
    """Whether a file at the top of the drive is ours."""
    return MARK in data.partition(b"\n")[0]


def _in_folders(disk: Disk) -> list[str]:
    """Everything in our two folders."""
    return [f"{folder}/{name}" for folder in FOLDERS for name in disk.names(folder)]


def _modules(disk: Disk, shipped: Mapping[str, bytes]) -> set[str]:
    """What is ours in our folders: what an installer has listed. Without its list, what was copied by hand."""
    listed = disk.read(LIST)
    paths = {LIST, *_text(listed).splitlines()} if listed else {*with_list(shipped), *_other_forms(shipped)}
    return {path for path in paths if path.startswith(FOLDERS)}


def _other_forms(shipped: Mapping[str, bytes]) -> list[str]:
    return [other_form(path) for path in shipped if is_module(path)]


def _obstacles(disk: Disk, wanted: Mapping[str, bytes]) -> list[str]:
    """Files where folders go, folders where files go, and those that CircuitPython takes before a module of ours."""
    obstacles = []
    for path in ("lib", *FOLDERS):
        folder, _, name = path.rpartition("/")
        if name in disk.names(folder) and not disk.is_folder(path):
            obstacles.append(path)
    modules = [path.rpartition(".")[0] for path in wanted if is_module(path)]
    return [*obstacles, *(path for path in (*wanted, *modules) if disk.is_folder(path))]


def _renamed(disk: Disk, folder: str) -> dict[str, str]:
    """What was renamed in a folder: the newest by the path that it had."""
    newest: dict[str, tuple[int, str]] = {}
    for name in disk.names(folder):
        path, before, number = (f"{folder}/{name}" if folder else name).rpartition(BEFORE)
        if before and (number.isdigit() or not number):
            renamed = (int(number or 1), path + before + number)
            newest[path] = max(renamed, newest.get(path, renamed))
    return {path: renamed for path, (_, renamed) in newest.items()}


def free_name(disk: Disk, path: str) -> str:
    """The name that a file gets which is in the way."""
    folder = path.rpartition("/")[0]
    taken = {f"{folder}/{name}" if folder else name for name in disk.names(folder)}
    number = 2
    name = path + BEFORE
    while name in taken:
        name = f"{path}{BEFORE}{number}"
        number += 1
    return name


def _order(path: str) -> tuple[bool, bool, bool]:
    """The settings, which say where to show red, and the list of modules first; then these; code.py last of all."""
    return path == CODE, path not in (LIST, SETTINGS), "/" not in path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


FOLDER_CLUSTERS = 12  # what new folders may take
STANDS_IN = b'"""Stands in for code.py of the cribbage board until all of its firmware is on the drive."""'
NOT_WHOLE = b'red(3)\nstop(ImportError("the firmware on this drive is not whole; run `cribboard install` again"))\n'


def stand_in(wanted: Mapping[str, bytes]) -> bytes:
    """What stands in for code.py among these files: it shows red and says why, as code.py does with its trouble.py."""
    return STANDS_IN + b"\n" + wanted[TROUBLE].partition(b"\n")[2] + b"\n\n" + NOT_WHOLE


def stands_in(code: bytes) -> bool:
    """Whether the code.py of a drive stands in for ours, this version's or another's."""
    return code.startswith(STANDS_IN)


def check_room(disk: Disk, plan: Plan) -> None:
    """Raise InstallError when the drive cannot hold what is to be written; nothing has been changed then."""
    with drive_errors(disk, "reading it"):
        gone = sum(_clusters(disk, len(disk.read(path) or b"")) for path in plan.removes)
        renamed = {path for path, _ in plan.renames}
        # Files are written one by one, so the room that counts is the most that is taken on the way, not at the end.
        taken = most = FOLDER_CLUSTERS - gone
        for path in plan.writes:
            old = b"" if path in renamed else disk.read(path) or b""
            taken += _clusters(disk, len(plan.wanted[path])) - _clusters(disk, len(old))
            most = max(most, taken)
        free = disk.free()
        if most * disk.cluster > free:
            need = -(-most * disk.cluster // 1024)
            raise InstallError(
                f"the drive {disk.name} has {free // 1024} KB free, and the firmware needs {need} KB more",
                f"nothing was changed; remove something from it first{_largest(disk, plan.wanted)}",
            )


def carry_out(disk: Disk, plan: Plan) -> None:
    """Carry out the plan and read everything back. Raises InstallError; the same command then continues."""
    if not plan:
        return
    # From here to the last write the board starts what only shows red: the maker's own code.py is out of the way
    # first, and a copy that is cut short anywhere never runs modules of two versions.
    rename(disk, [(path, to) for path, to in plan.renames if path == CODE])
    write(disk, CODE, stand_in(plan.wanted))
    rename(disk, [(path, to) for path, to in plan.renames if path != CODE])
    for path in plan.removes:
        remove(disk, path)
    for path in plan.writes:
        if path != CODE:
            write(disk, path, plan.wanted[path])
    for path in plan.wanted:
        if path != CODE:
            check(disk, path, plan.wanted[path])
    write(disk, CODE, plan.wanted[CODE])
    check(disk, CODE, plan.wanted[CODE])


def take_off(disk: Disk, plan: Plan) -> None:
    """Do it: ours that stand where something of the maker's was, and that again, at first; then all the rest."""
    places = (f"{CODE}/", *(f"{to}/" for _, to in plan.renames))
    # code.py is among them: cut short anywhere, a removal leaves a board that starts the maker's program or none, and
    # never ours without its modules.
    first = [path for path in plan.removes if f"{path}/".startswith(places)]
    for path in first:
        remove(disk, path)
    rename(disk, plan.renames)
    for path in plan.writes:
        write(disk, path, plan.wanted[path])
    for path in (path for path in plan.removes if path not in first):
        remove(disk, path)


def rename(disk: Disk, names: Iterable[tuple[str, str]]) -> None:
    """Give files other names."""
    for path, to in names:
        with drive_errors(disk, f"renaming {path}"):
            disk.rename(path, to)


def remove(disk: Disk, path: str) -> None:
    """Remove a file or an empty folder."""
    with drive_errors(disk, f"removing {path}"):
        disk.remove(path)


def write(disk: Disk, path: str, data: bytes) -> None:
    """Write a file."""
    with drive_errors(disk, f"writing {path}"):
        disk.write(path, data)


def check(disk: Disk, path: str, data: bytes) -> None:
    """Read a file back; raises InstallError when it is not what was written."""
    with drive_errors(disk, f"reading {path} back"):
        stored = disk.read(path)
    if stored != data:
        raise InstallError(
            f"{path} on {disk.name} does not read back as it was written",
            f"eject the drive, plug the board in again, and run the same command again. {AGAIN}\n"
            "If it happens again, the drive's file system is damaged. To format it, which erases it, type in its\n"
            "console: import storage; storage.erase_filesystem()",
        )


def _clusters(disk: Disk, size: int) -> int:
    return -(-size // disk.cluster)


def _largest(disk: Disk, wanted: Mapping[str, bytes]) -> str:
    """The largest files that are not ours, to be named."""
    sizes = []
    for folder in ("", "lib/"):
        for name in disk.names(folder.rstrip("/")):
            path = folder + name
            if path in STARTS:
                continue
            with suppress(InstallError):  # a link: we write none
                sizes.append((len(disk.read(path) or b"") if path not in wanted else 0, path))
    large = [f"{path} ({size // 1024} KB)" for size, path in sorted(sizes, reverse=True)[:3] if size >= 1024]
    return f", such as {', '.join(large)}" if large else ""
