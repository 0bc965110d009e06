"""The folder of pages: whole, equal to what it is made from, and refused in words when it cannot be made."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image
from rigs.printed import printed

from cribboard import files
from cribboard.cli.main import cli
from cribboard.install.compiled import CompilerError
from cribboard.install.fitting import designs
from cribboard.install.plans import LIST
from cribboard.site import folder, micropython
from cribboard.site.folder import HEADERS, PAGES, POLICY, boards, firmware, static_files, write_site
from cribboard.site.micropython import INTEGRITY, PACKAGE, VERSION, Runtime, RuntimeMissing, runtime
from cribboard.site.packs import packed
from cribboard_fw.settings import Settings

ROOT = Path(__file__).parents[2]
THEMES = ("base.css", "light.css")
STAND_IN = Runtime(b"export async function loadMicroPython() {}", b"\0asm")  # nothing here runs it


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_site(tmp_path, STAND_IN)
    return tmp_path


def test_what_python_has_compiled_beside_the_pages_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = shutil.copytree(folder.STATIC, tmp_path / "static", dirs_exist_ok=True)
    (static / "__pycache__").mkdir(exist_ok=True)
    monkeypatch.setattr(folder, "STATIC", static)
    assert all(path.is_file() for path in static_files())


def test_every_file_that_a_page_or_a_module_names_is_written(written: Path) -> None:
    named = 0
    for path in [*written.rglob("*.html"), *written.glob("static/*.js"), *written.glob("static/*.css")]:
        text = path.read_text("utf-8")
        for target in re.findall(r'(?:href="|src="|from "|import "|URL\("|url\(")([^"#:]+)"', text):
            if target.startswith("data:") or ":" in target:
                continue
            named += 1
            assert (path.parent / target).resolve().exists(), f"{path.name} names {target}"
    assert named > 30


def test_a_phone_can_put_the_pages_beside_its_programs(written: Path) -> None:
    manifest = json.loads((written / "manifest.webmanifest").read_text("utf-8"))
    for icon in manifest["icons"]:
        data = (written / icon["src"]).read_bytes()
        if icon["src"].endswith(".png"):
            with Image.open(io.BytesIO(data)) as picture:
                picture.load()
                assert "x".join(map(str, picture.size)) == icon["sizes"]
                lights = {picture.getpixel((x, y)) for x in range(picture.width) for y in range(picture.height)}
                assert (0xFF, 0xAB, 0x1F) in lights, "the front peg of the drawing"
    grounds = [re.findall(r"--ground: (#\w+);", (written / "static" / name).read_text("utf-8"))[0] for name in THEMES]
    assert [manifest["theme_color"], manifest["background_color"]] == [grounds[0]] * 2
    for name in PAGES:
        text = (written / name).read_text("utf-8")
        assert re.findall(r'theme-color" content="(#\w+)"', text) == grounds
        assert "og:image" not in text, "there is no address yet"


def test_a_link_shows_the_board_as_soon_as_the_project_has_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "address", lambda: "https://github.com/ann/cribboard")
    text = folder.page("index.html").decode()
    assert '<meta property="og:image" content="https://ann.github.io/cribboard/preview.png">' in text
    with Image.open(io.BytesIO(folder.site_files(STAND_IN)["preview.png"])) as picture:
        assert picture.size == (1200, 630)


def test_a_module_that_two_of_them_import_is_written_once() -> None:
    names = [path.name for path in static_files()]
    assert len(names) == len(set(names))


def test_a_page_comes_in_few_files_and_its_python_compiled(written: Path) -> None:
    entry = re.compile(r'src="(static/[^"]+)"')
    for name in PAGES:
        scripts = [path for path in entry.findall((written / name).read_text("utf-8")) if path != "static/icon.svg"]
        assert len(scripts) == 2, "what old browsers are told, and all modules"
        imported = re.findall(r'^import .*?"([^"]+)";', (written / scripts[1]).read_text("utf-8"), re.MULTILINE)
        assert imported == []
    for name, several in (("board.pack", 40), ("referee.pack", 25), ("feed.pack", 3)):
        sizes, _, data = (written / name).read_bytes().partition(b"\n")
        paths = json.loads(sizes)
        assert sum(paths.values()) == len(data) and len(paths) >= several
        sources = [path for path in paths if path.startswith("lib/") and not path.endswith(".mpy")]
        assert sources == []


def test_without_a_compiler_a_pack_has_the_same_files_as_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> dict[str, bytes]:
        raise CompilerError("there is no compiler")

    monkeypatch.setattr("cribboard.site.packs.compiled", none)
    files = {"lib/one.py": b"ONE = 1\n", "empty.py": b"", "tables.bin": bytes(range(256))}
    sizes, _, data = packed(files).partition(b"\n")
    back = io.BytesIO(data)
    assert {path: back.read(size) for path, size in json.loads(sizes).items()} == files
    assert not back.read()


def test_the_firmware_in_the_page_is_the_boards_own(written: Path) -> None:
    kept = json.loads((written / "firmware.json").read_text("utf-8"))
    assert kept == firmware()
    for name, text in kept.items():
        assert name in ("lib/neopixel.py", LIST) or (ROOT / "firmware" / name).read_text("utf-8") == text
    with zipfile.ZipFile(written / "cribboard-firmware.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == kept


def test_the_boards_are_the_shipped_ones_and_the_firmware_takes_their_settings() -> None:
    shipped = boards()
    assert [board["id"] for board in shipped] == list(designs())
    for board in shipped:
        settings = Settings(str(board["settings"]))
        assert list(settings.strip_pins) == list(board["pins"])  # type: ignore[call-overload]
        assert settings.piezo_pin, "it is heard in the page"


def test_each_page_allows_only_its_own_files_and_the_compiler_of_webassembly(written: Path) -> None:
    assert "'unsafe" not in POLICY.replace("'wasm-unsafe-eval'", "")
    for name in PAGES:
        assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in (written / name).read_text("utf-8")


def test_a_host_of_pages_is_given_the_headers_that_the_command_sends(written: Path) -> None:
    where, *lines = (written / "_headers").read_text("utf-8").splitlines()
    assert where == "/*" and dict(line.strip().split(": ", 1) for line in lines) == HEADERS
    offline = (written / "service-worker.js").read_text("utf-8")
    assert "_headers" not in offline, "a host that does not serve it would keep the pages from working offline"
    text = (ROOT / "host" / "site.md").read_text("utf-8")
    assert f'add_header Content-Security-Policy "{HEADERS["Content-Security-Policy"]}" always;' in text


def test_what_works_offline_is_every_file_and_changes_with_any(written: Path) -> None:
    first = (written / "service-worker.js").read_text("utf-8")
    for path in written.rglob("*"):
        if path.is_file() and path.name not in ("service-worker.js", "_headers"):
            assert f'"{path.relative_to(written).as_posix()}"' in first
    write_site(written, Runtime(STAND_IN.script, STAND_IN.wasm + b"\1"))
    assert (written / "service-worker.js").read_text("utf-8") != first


def test_the_runtime_is_the_one_that_the_firmware_is_tested_on() -> None:
    lock = json.loads((ROOT / "tests" / "vm" / "package-lock.json").read_text("utf-8"))
    locked = lock["packages"][f"node_modules/{PACKAGE}"]
    assert (locked["version"], locked["integrity"]) == (VERSION, INTEGRITY)


def test_another_package_or_folder_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "other.tgz"
    with tarfile.open(package, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("package/micropython.wasm"), io.BytesIO())
    with pytest.raises(RuntimeMissing, match="its checksum is another one"):
        runtime(package)
    with pytest.raises(RuntimeMissing, match=r"micropython.mjs cannot be read"):
        runtime(tmp_path)
    (tmp_path / "micropython.mjs").write_text("nothing", encoding="utf-8")
    (tmp_path / "micropython.wasm").write_bytes(b"nothing")
    with pytest.raises(RuntimeMissing, match="does not hold MicroPython"):
        runtime(tmp_path / "micropython.wasm")


def test_without_npm_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(micropython.shutil, "which", lambda name: None)
    done = CliRunner().invoke(cli, ["site", str(tmp_path / "out")], prog_name="cribboard")
    assert done.exit_code == 1
    assert "there is no npm to get it with" in done.stderr and "--runtime" in done.stderr
    assert not (tmp_path / "out").exists()


def npm_that(says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have npm be this script."""
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(micropython.shutil, "which", lambda name: str(npm))


def test_npm_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "code ECONNREFUSED",
        "errno ECONNREFUSED",
        "FetchError: no network",
        "A complete log is in: x.log",
    ]
    says = "; ".join(f"echo 'npm error {line}' >&2" for line in lines)
    npm_that(f'[ "$2" = --loglevel=error ] || exit 1; {says}; exit 1', tmp_path, monkeypatch)  # --silent says nothing
    with pytest.raises(RuntimeMissing, match=f"{VERSION}: npm error FetchError: no network"):
        runtime()


def test_only_the_right_package_is_kept_and_one_that_was_damaged_since_is_got_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm_that("echo '<h1>Sign in to this Wi-Fi</h1>' >it.tgz", tmp_path, monkeypatch)
    with pytest.raises(RuntimeMissing, match="what npm got is not"):
        runtime()
    good = tmp_path / "good.tgz"
    with tarfile.open(good, "w:gz") as archive:
        for name, data in (("micropython.mjs", STAND_IN.script), ("micropython.wasm", STAND_IN.wasm)):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    digest = base64.b64encode(hashlib.sha512(good.read_bytes()).digest()).decode()
    monkeypatch.setattr(micropython, "INTEGRITY", f"sha512-{digest}")
    npm_that(f"cp '{good}' .", tmp_path, monkeypatch)
    assert runtime() == STAND_IN
    [kept] = (tmp_path / "home" / "runtime").iterdir()
    kept.write_bytes(good.read_bytes()[:-40])
    assert runtime() == STAND_IN and kept.read_bytes() == good.read_bytes()
    npm_that("exit 1", tmp_path, monkeypatch)
    assert runtime() == STAND_IN, "what is kept needs no npm"


def test_the_command_says_where_the_files_are(tmp_path: Path) -> None:
    (tmp_path / "micropython.mjs").write_bytes(STAND_IN.script)
    (tmp_path / "micropython.wasm").write_bytes(STAND_IN.wasm)
    words = ["site", str(tmp_path / "out"), "--runtime", str(tmp_path), "--json"]
    done = CliRunner().invoke(cli, words, prog_name="cribboard")
    result = json.loads(done.stdout)
    assert result["folder"] == str(tmp_path / "out")
    assert result["files"] == len([path for path in (tmp_path / "out").rglob("*") if path.is_file()])


def test_a_folder_must_be_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["site"], prog_name="cribboard")
    assert done.exit_code == 2
    assert "cribboard site DIR" in done.stderr


def test_one_file_holds_all_that_it_needs_and_allows_its_own_script_alone(tmp_path: Path) -> None:
    (tmp_path / "micropython.mjs").write_bytes(STAND_IN.script)
    (tmp_path / "micropython.wasm").write_bytes(STAND_IN.wasm)
    words = ["site", "--single", str(tmp_path / "board.html"), "--runtime", str(tmp_path)]
    done = CliRunner().invoke(cli, [*words, "--json"], prog_name="cribboard")
    page = (tmp_path / "board.html").read_text("utf-8")
    assert printed(done.stdout) == {"file": str(tmp_path / "board.html"), "bytes": len(page.encode())}
    head = page.partition('<script type="application/json"')[0]
    assert not re.findall(r'(?:href|src)="(?!#|data:)', head)
    assert "'unsafe" not in head.replace("'wasm-unsafe-eval'", "") and "default-src 'none'" in head
    assert CliRunner().invoke(cli, [*words, "--serve"], prog_name="cribboard").exit_code == 2
