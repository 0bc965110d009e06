"""What has to happen to a drive: which of its files are ours, which are the maker's, and which are in the way.

A list of our modules lies among them, so that another version's are known for ours, and whatever else is in our folders
for the maker's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cribboard.drive import PACKAGES
from cribboard.install.compiled import is_module, other_form
from cribboard.install.disk import Disk
from cribboard.install.failures import told
from cribboard.install.own_lines import without

CODE, SETTINGS = "code.py", "settings.toml"
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
    """What has to happen to a drive, and nothing when it is as it should be."""

    wanted: Mapping[str, bytes]
    writes: tuple[str, ...]
    removes: tuple[str, ...] = ()
    asides: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()  # what stays although it could be taken for ours

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes or self.asides)

    @property
    def size(self) -> int:
        """Bytes to write."""
        return sum(len(self.wanted[path]) for path in self.writes)


def with_list(wanted: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files, and the list of those among them that are modules of ours."""
    listed = sorted(path for path in wanted if path.startswith(FOLDERS) and path != LIST)
    return {**wanted, LIST: "\n".join([*listed, ""]).encode()}


def planned(disk: Disk, wanted: Mapping[str, bytes]) -> Plan:
    """How to make a drive hold these files; what is on it already stays, and what is another's is put aside.

    A module is there in one form: CircuitPython takes a .py before the .mpy of its name.
    """
    wanted = with_list(wanted)
    with told(disk, "reading it"):
        modules = _modules(disk, wanted)
        in_folders = _in_folders(disk)
        there = {path: disk.read(path) for path in wanted}
        others = {path: data for path in _other_forms(wanted) if (data := disk.read(path)) is not None}
        replaced = [path for path, data in others.items() if path in modules or _library(path, data)]
        removes = [path for path in in_folders if path in modules and path not in {*wanted, *replaced}] + replaced
        asides = [path for path in IN_THE_WAY if path in disk.names("")] + _obstacles(disk, wanted)
        asides += [path for path, data in there.items() if data is not None and not _ours(path, data)]
        asides += [path for path in others if path not in replaced]
        stay = [path for path in in_folders if path not in {*wanted, *removes, *asides}]
        writes = [path for path, data in wanted.items() if there[path] != data]
        named = tuple((path, _free_name(disk, path)) for path in asides)
        remarks = tuple(f"{path} is not cribboard's; it stays" for path in stay)
        return Plan(wanted, tuple(sorted(writes, key=_order)), tuple(removes), named, remarks)


def removal(disk: Disk, shipped: Mapping[str, bytes]) -> Plan:
    """How to take the firmware off a drive, and bring back what was put aside for it; nothing, where there is none."""
    with told(disk, "reading it"):
        top = disk.names("")
        at_top = [path for path in with_list(shipped) if "/" not in path and path != SETTINGS]
        ours = [path for path in at_top if path in top and _marked(disk.read(path) or b"")]
        modules = _modules(disk, shipped)
        files = sorted((path for path in _in_folders(disk) if path in modules), key=lambda path: path == LIST)
        folders = [folder for folder in FOLDERS if disk.is_folder(folder)]
        backs = {path: aside for folder in ("", "lib", *FOLDERS) for path, aside in _asides(disk, folder).items()}
        if not (ours or files or folders):
            return Plan({}, ())
        full = [path for path in _in_folders(disk) if path not in files]
        emptied = [folder for folder in folders if not any(path.startswith(folder) for path in full)]
        own = disk.read(SETTINGS)
        rest = b"" if own is None else without(_text(own), _text(shipped[SETTINGS])).encode()
        removes = [*ours, *([SETTINGS] if own is not None and not rest else []), *files, *emptied]
        neopixel = [path for path in NEOPIXEL if (data := disk.read(path)) is not None and _library(path, data)]
        if any(path in backs for path in NEOPIXEL):
            removes += neopixel
        there = {*top, *(f"lib/{name}" for name in disk.names("lib")), *_in_folders(disk)} - {*removes}
        asides = tuple((aside, path) for path, aside in backs.items() if path not in there)
        remarks = [f"{path} is not cribboard's; it stays" for path in full if path not in dict(asides)]
        remarks += [f"{path} stays, since other programs may use it" for path in neopixel if path in there]
        writes = (SETTINGS,) if rest and rest != own else ()
        return Plan({SETTINGS: rest}, writes, tuple(removes), asides, tuple(remarks))


def _ours(path: str, data: bytes) -> bool:
    """Whether a file may be replaced: our packages and settings always, the rest when we or nobody made it."""
    if path == SETTINGS or path.startswith(FOLDERS):
        return True
    return _library(path, data) or _marked(data) or data.strip() in (b"", FRESH)


def _library(path: str, data: bytes) -> bool:
    """Whether a file is Adafruit's library, in either form and any version, or the beginning of one."""
    return path in NEOPIXEL and (ADAFRUITS in data or not data)


def _marked(data: bytes) -> bool:
    return MARK in data.partition(b"\n")[0]


def _in_folders(disk: Disk) -> list[str]:
    """Everything in our two folders."""
    return [f"{folder}/{name}" for folder in FOLDERS for name in disk.names(folder)]


def _modules(disk: Disk, shipped: Mapping[str, bytes]) -> set[str]:
    """What is ours in our folders: what an installer has listed. Without its list, what was copied by hand."""
    listed = disk.read(LIST)
    found = {LIST, *_text(listed).splitlines()} if listed else {*with_list(shipped), *_other_forms(shipped)}
    return {path for path in found if path.startswith(FOLDERS)}


def _other_forms(shipped: Mapping[str, bytes]) -> list[str]:
    return [other_form(path) for path in shipped if is_module(path)]


def _obstacles(disk: Disk, wanted: Mapping[str, bytes]) -> list[str]:
    """Files where folders go, folders where files go, and those that CircuitPython takes before a module of ours."""
    found = []
    for path in ("lib", *FOLDERS):
        folder, _, name = path.rpartition("/")
        if name in disk.names(folder) and not disk.is_folder(path):
            found.append(path)
    modules = [path.rpartition(".")[0] for path in wanted if is_module(path)]
    return [*found, *(path for path in (*wanted, *modules) if disk.is_folder(path))]


def _asides(disk: Disk, folder: str) -> dict[str, str]:
    """What was put aside in a folder: the newest by the path that it had."""
    found: dict[str, tuple[int, str]] = {}
    for name in disk.names(folder):
        path, before, number = (f"{folder}/{name}" if folder else name).rpartition(BEFORE)
        if before and (number.isdigit() or not number):
            aside = (int(number or 1), path + before + number)
            found[path] = max(aside, found.get(path, aside))
    return {path: aside for path, (_, aside) in found.items()}


def _free_name(disk: Disk, path: str) -> str:
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
