"""The static pages to read and to install from: the guide with its search, and the firmware onto a drive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings, small
from browser.conftest import or_skip
from browser.site import RUNTIME, Site, site

from cribboard.install import fitting
from cribboard.install.circuitpy import InstallError
from cribboard.site.folder import firmware

Open = Callable[..., Any]
# The browser's own private folder has the same API as a drive that somebody chose.
CHOOSABLE = """() => {
  window.choosable = [];
  new MutationObserver(() => window.choosable.push(!document.querySelector("#choose").disabled))
    .observe(document.querySelector("#done"), { childList: true, characterData: true, subtree: true });
}"""
DRIVE = "window.showDirectoryPicker = () => navigator.storage.getDirectory();"
PUT = """async ([path, text]) => {
  let folder = await navigator.storage.getDirectory();
  const names = path.split("/");
  for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
  const stream = await (await folder.getFileHandle(names.at(-1), { create: true })).createWritable();
  await stream.write(text);
  await stream.close();
}"""
HOLDS = """async () => {
  const files = {};
  const walk = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === "directory") await walk(handle, `${path}${name}/`);
      else files[path + name] = await (await handle.getFile()).text();
    }
  };
  await walk(await navigator.storage.getDirectory(), "");
  return files;
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


@pytest.fixture
def drive(visit: Open, pages: Site) -> Any:
    page = visit("about:blank", LAPTOP)
    page.context.add_init_script(DRIVE)
    page.goto(f"{pages.address}install.html")
    return page


def choose(page: Any) -> None:
    page.get_by_role("button", name="Choose the drive CIRCUITPY").click()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_guide_is_read_and_searched(visit: Open, pages: Site, size: dict[str, int], keep: Any) -> None:
    page = visit(f"{pages.address}docs/firmware.html", size)
    assert page.locator("h1").bounding_box()["y"] < size["height"], "the page begins on the first screen"
    assert page.locator("#pages li").first.is_visible() == (size is LAPTOP)
    if size is PHONE:
        page.locator("summary").click()
        assert findings(page) == [] == small(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert findings(page) == [] == small(page)
    page.get_by_label("Search").fill("flush crib")
    page.locator("#results a").first.wait_for()
    keep(page, f"site-guide-{size['width']}")
    assert findings(page) == [] == small(page)
    page.get_by_label("Search").fill("xyzzy")
    page.get_by_text("Nothing found.").wait_for()
    page.get_by_label("Search").fill("stale session")
    page.locator("#results a").first.click()
    page.wait_for_url("**/docs/*.html#*")


def test_no_page_of_the_guide_is_wider_than_a_phone(visit: Open, pages: Site) -> None:
    page = visit("about:blank", PHONE)
    wide = []
    for path in sorted((pages.folder / "docs").glob("*.html")):
        page.goto(f"{pages.address}docs/{path.name}")
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path.name)
    assert wide == []


def test_the_firmware_is_written_onto_a_drive_and_what_is_anothers_is_put_aside(drive: Any, keep: Any) -> None:
    page = drive
    for path, text in (
        ("boot_out.txt", "Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico\nBoard ID:raspberry_pi_pico\n"),
        ("code.py", "print('my own program')\n"),
        ("code.py.before", "print('my first program')\n"),
        ("settings.toml", "# mine\n"),
        ("lib/cribboard_fw/old.mpy", "x"),
        ("firmware.001/cribboard_fw/app.mpy", "x"),
        ("firmware.001/ready", ""),
    ):
        page.evaluate(PUT, [path, text])
    choose(page)
    page.get_by_text("raspberry_pi_pico with CircuitPython 9.2.1.").wait_for()
    assert findings(page) == [] == small(page)
    page.evaluate(CHOOSABLE)
    page.locator("#plan button").click()
    page.get_by_text("All files are on the drive and were read back.").wait_for()
    *writing, done = page.evaluate("window.choosable")
    assert writing and done and not any(writing), "another drive can be chosen only when all is written"
    keep(page, "site-install")
    holds = page.evaluate(HOLDS)
    assert holds.pop("code.py.before") == "print('my first program')\n"
    assert holds.pop("code.py.before2") == "print('my own program')\n"
    assert holds.pop("settings.toml") == "# mine\n"
    assert holds.pop("boot_out.txt")
    assert holds == {name: text for name, text in firmware().items() if name != "settings.toml"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("other.txt", "", "is not the drive of a CircuitPython board"),
        ("INFO_UF2.TXT", "UF2", "is a board in its boot loader"),
        ("boot_out.txt", "Adafruit CircuitPython 8.2.0", "CircuitPython 8.2.0 on this board is too old"),
        ("boot_out.txt", "Adafruit CircuitPython 9.2.0", "needs 9.2.1"),
        ("boot_out.txt", "nothing", "names no version of CircuitPython"),
        (
            "boot_out.txt",
            "Adafruit CircuitPython 9.2.1 on 2024-11-20; Adafruit QT Py ESP32-S2 with ESP32S2\nBoard ID:x\n",
            "This board does not fit: its USB has 5 IN endpoints",
        ),
        (
            "boot_out.txt",
            "Adafruit CircuitPython 9.2.1 on 2024-11-20; QT Py with rp2040\nBoard ID:adafruit_qtpy_rp2040\n",
            "The pins of these files are a Pico",
        ),
    ],
)
def test_another_folder_is_refused(drive: Any, name: str, text: str, said: str) -> None:
    drive.evaluate(PUT, [name, text])
    choose(drive)
    drive.get_by_role("alert").get_by_text(said).wait_for()
    assert "code.py" not in drive.evaluate(HOLDS)


def test_mistakes_in_the_drives_settings_are_told_before_anything_is_written(drive: Any) -> None:
    said = "Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
    for path, text in (("boot_out.txt", said), ("settings.toml", 'BRIGHTNESS = 200\nUNDO_PIN = "GP3"\n')):
        drive.evaluate(PUT, [path, text])
    choose(drive)
    drive.get_by_text("The board will not play until you correct its settings.toml").wait_for()
    drive.get_by_text("BRIGHTNESS").wait_for()
    assert findings(drive) == [] == small(drive)
    drive.evaluate(PUT, ["settings.toml", 'STRIP_PINS = "GP2 GP3"\nUNDO_PIN = "GP12"\nDEAL_PIN = "D99"\n'])
    choose(drive)
    drive.get_by_text("this controller has no pin D99").wait_for()
    assert not drive.get_by_text("no phones over Wi-Fi").count()
    drive.evaluate(PUT, ["boot_out.txt", said.replace("9.2.1", "10.2.1").replace("pi_pico", "pi_pico2_w")])
    choose(drive)
    drive.get_by_text("no phones over Wi-Fi").wait_for()
    assert findings(drive) == [] == small(drive)


def test_a_browser_that_cannot_write_is_told_of_the_zip(visit: Open, pages: Site) -> None:
    page = visit("about:blank", PHONE)
    page.context.add_init_script("delete window.showDirectoryPicker")
    page.goto(f"{pages.address}install.html")
    page.get_by_text("This browser cannot write to a folder").wait_for()
    assert page.get_by_role("button", name="Choose the drive").is_disabled()
    assert findings(page) == [] == small(page)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("code.txt", "code.txt is on the drive, and CircuitPython runs it instead of"),
        ("cribboard_fw/app.py", "cribboard_fw is on the drive, and CircuitPython runs it instead of"),
        ("settings.toml.txt", "the board only reads settings.toml"),
    ],
)
def test_what_would_run_or_be_read_instead_is_recognised(drive: Any, name: str, said: str) -> None:
    boot_out = "Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
    for path in ("boot_out.txt", name):
        drive.evaluate(PUT, [path, boot_out])
    choose(drive)
    drive.get_by_role("alert").get_by_text(said).wait_for()
    assert "code.py" not in drive.evaluate(HOLDS)


PINS = 'STRIP_PINS = "GP2 GP3"\nUNDO_PIN = "GP12"\nDEAL_PIN = "GP13"\n'


@pytest.mark.parametrize(
    ("board", "power", "said"),
    [
        ("raspberry_pi_pico", "CURRENT_LIMIT_MA = 1000\nUSB_MA = 1500\nFUSE_MA = 2000\n", "VBUS pin"),
        ("raspberry_pi_pico", "CURRENT_LIMIT_MA = 1000\nSUPPLY_MA = 3000\nFUSE_MA = 2000\n", "would never blow"),
        ("raspberry_pi_pico", "CURRENT_LIMIT_MA = 1000\nSUPPLY_MA = 8000\nFUSE_MA = 3000\n", "copper of a strip"),
    ],
)
def test_more_current_than_source_fuse_or_controller_carries_is_refused_as_by_install(
    drive: Any, board: str, power: str, said: str
) -> None:
    boot_out = f"Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\nBoard ID:{board}\n"
    with pytest.raises(InstallError) as refused:
        fitting.carried(PINS + power, board, strips=True)
    for path, text in (("boot_out.txt", boot_out), ("settings.toml", PINS + power)):
        drive.evaluate(PUT, [path, text])
    choose(drive)
    drive.get_by_role("alert").get_by_text(said).wait_for()
    shown = drive.get_by_role("alert").inner_text()
    assert str(refused.value.hint).splitlines()[0] in shown, "in the same words"
    assert "code.py" not in drive.evaluate(HOLDS)
