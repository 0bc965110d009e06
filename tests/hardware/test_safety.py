"""A board that cannot work or could burn is found out, each mistake by itself, and told what to do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware import feed, ratings
from cribboard.hardware.budget import budget
from cribboard.hardware.controllers import FITTING, load
from cribboard.hardware.description import Description, folder
from cribboard.hardware.description import load as described
from cribboard.hardware.electricity import check, pin_lines, rewired
from cribboard.hardware.feed import usb


def wrong(board: Description, controller: str = "") -> list[str]:
    """What is wrong with a board, as one line each."""
    findings = check(board, load(controller or board.controller))
    return [f"{each.where}: {each.said}; {each.advice}" for each in findings if each.wrong]


def notes(board: Description) -> str:
    return "\n".join(each.said for each in check(board, load(board.controller)) if not each.wrong)


@pytest.mark.parametrize("name", ["board.toml", "boards/oval.toml", "boards/travel.toml"])
def test_nothing_is_wrong_with_the_ready_boards(name):
    assert wrong(described(folder() / name)) == []


def test_nothing_is_wrong_with_a_good_supply():
    assert wrong(own_supply()) == []


@pytest.mark.parametrize(
    ("lines", "said", "advice"),
    [
        ({"shifter": '"none"'}, "want 3.5 V for a one, and a pin gives 3.3 V", "use a 74AHCT125"),
        ({"shifter": '"74HC125"'}, "it wants 3.5 V for a one", "use a 74AHCT125"),
        ({"data_ohm": "0"}, "spikes", "use 100 to 1000"),
        ({"data_ohm": "10000"}, "too slow", "use 100 to 1000"),
        ({"capacitor_uf": "0"}, "too small for the inrush", "use 100 to 4700"),
        ({"capacitor_uf": "10000"}, "too high", "use 100 to 4700"),
        ({"limit_ma": "391"}, "take 292 mA, and a game 100 more", "allow 392 or more"),
        ({"limit_ma": "451"}, "more than 90% of the 0.5 A", "set limit_ma = 450"),
        ({"current_a": "0.4"}, "more than 90% of the 0.4 A", "use a stronger supply"),
        ({"current_a": "2"}, "the Micro-USB socket of the raspberry_pi_pico is assumed to carry 1.8 A", "allow 1.8 A"),
        ({"current_a": "3.5"}, "USB gives 3 A at 5 V at the most", "give the strips a supply of their own"),
        ({"fuse_a": "0.5"}, "it carries 0.375 A continuously, and up to 0.4 A may flow through it", "use 0.75 A"),
        ({"fuse_a": "1.5"}, "the VBUS pin of the raspberry_pi_pico is assumed to carry 1 A", "use a fuse of 1 A and a"),
        ({"wire_mm2": "0.15"}, "too thin for 5 V wires", "use 0.5 mm² (AWG 20)"),
        ({"shifter": '"74HCT125"'}, "diodes lead from its inputs to its", "use a 74AHCT125 or a 74AHCT1G125"),
        ({"shifter": '"74LVC125"'}, "it cannot be fed with 5 V", "use a 74AHCT125 or a 74AHCT1G125"),
        ({"strip": '"30/m"', "count": "1", "pins": '["GP2"]', "leds": "121", "current_a": "1.5", "limit_ma": "2000"},
         "more than 90%", "limit_ma = 800"),
    ],
)  # fmt: skip
def test_what_is_wrong_on_usb_is_said(lines, said, advice):
    matches = [line for line in wrong(board(**lines)) if said in line]
    assert len(matches) == 1, wrong(board(**lines))
    assert advice in matches[0]


@pytest.mark.parametrize("controller", ["adafruit_qtpy_rp2040", "adafruit_feather_rp2040", "waveshare_rp2040_plus_4mb"])
def test_no_usb_board_of_20_amperes_passes_whatever_its_controller(controller):
    strong = board(current_a="20", limit_ma="11000", fuse_a="15", wire_mm2="2.5")
    fed = rewired(strong, load(controller))
    assert fed is not None
    problems = "\n".join(wrong(fed))
    assert "current_a = 20: USB gives 3 A at 5 V at the most" in problems
    assert f"fuse_a = 15: the {usb(controller).pin or '5 V'} pin of the {controller} is assumed to carry" in problems


@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize("controller", [*FITTING, "waveshare_rp2040_plus_4mb", "board_of_mine"])
def test_the_fuse_and_the_limit_that_are_advised_for_a_controller_are_right_then(controller, weak):
    current = 0.5 if weak else usb(controller).socket_a
    strong = replace(board(current_a=f"{current}", limit_ma="3000", fuse_a="4"), controller=controller)
    (advice,) = [each.advice for each in check(strong, None) if "use a fuse of" in each.advice]
    fuse, limit = re.findall(r"use a fuse of ([\d.]+) A and a limit of (\d+) mA", advice)[0]
    mended = replace(strong, supply=replace(strong.supply, fuse_a=float(fuse), limit_ma=int(limit)))
    assert [each for each in check(mended, None) if each.wrong] == []


def test_a_source_above_what_a_controllers_socket_carries_is_wrong():
    for controller in (*FITTING, "board_of_mine"):
        for current, bad in ((usb(controller).socket_a, False), (usb(controller).socket_a + 0.1, True)):
            tried = replace(board(current_a=f"{current}"), controller=controller)
            said = [each.where for each in check(tried, None) if each.wrong]
            assert (f"[supply] current_a = {current:g}" in said) is bad, controller


@pytest.mark.parametrize(
    ("lines", "said", "advice"),
    [
        ({"fuse_a": "1.5"}, "carries 1.125 A continuously, and up to 1.5 A", "use 2 A, or a lower limit_ma"),
        ({"fuse_a": "1.5", "current_a": "3"}, "carries 1.125 A continuously", "set limit_ma = 1150"),
        ({"wire_mm2": "0.22"}, "the wire carries 1 A: it burns before the fuse", "use 0.5 mm²"),
        ({"fuse_a": "4"}, "fuse_a = 4: it opens at 8 A, and the supply gives 4", "use 2 A, and limit_ma = 1550"),
        ({"fuse_a": "3", "current_a": "8", "main_wire_mm2": "1.5"}, "copper of a strip is assumed to carry 2", "2 A"),
        ({"current_a": "8.1"}, "sets a wire on fire", "use one of 8 A or less marked “SELV”, or “ES1” and “PS2”"),
        ({"current_a": "39"}, "sets a wire on fire", "use one of 8 A or less"),
        ({"main_wire_mm2": "0.75"}, "it carries 6 A, and in a fault the supply gives 8", "use 1 mm² (AWG 16)"),
        ({"main_wire_mm2": "0"}, "main_wire_mm2 = 0: too thin", "use 1 mm²"),
        ({"current_a": "8"}, "main_wire_mm2 = 1: it carries 10 A, and in a fault the supply gives 12", "use 1.5 mm²"),
        ({"shifter": '"74HCT125"'}, "diodes lead from its inputs to its", "use a 74AHCT125 or a 74AHCT1G125"),
        ({"limit_ma": "3700"}, "more than 90% of the 4 A", "set limit_ma = 1550"),
        ({"current_a": "0.9", "fuse_a": "0.45", "limit_ma": "390"}, "0.5 A: it opens at 1 A", "use a stronger"),
        ({"wire_mm2": "1.5"}, "wire_mm2 = 1.5: so thick a wire cannot be soldered", "use 0.5 to 1 mm²"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_supply_is_said(lines, said, advice):
    matches = [line for line in wrong(own_supply(**lines)) if said in line]
    assert len(matches) == 1, wrong(own_supply(**lines))
    assert advice in matches[0]


@pytest.mark.parametrize(
    "lines",
    [
        {"current_a": "4.0"},
        {"current_a": "5"},
        {"current_a": "8", "main_wire_mm2": "1.5"},
        {"current_a": "2", "fuse_a": "1", "limit_ma": "800"},
    ],
)
def test_a_supply_of_up_to_eight_amperes_passes(lines):
    assert wrong(own_supply(**lines)) == []


def test_no_fuse_is_advised_that_does_not_carry_the_current_either():
    singles = {"strip": '"5mm"\npitch_mm = 12', "fuse_a": "4", "current_a": "8", "main_wire_mm2": "1.5"}
    assert wrong(own_supply(limit_ma="5000", **singles)) == [
        "[supply] fuse_a = 4: it carries 3 A continuously, and up to 4.95 A may flow through it; set limit_ma = 3050"
    ]
    assert wrong(own_supply(limit_ma="3050", **singles)) == []


def test_a_long_strip_at_much_current_is_said_to_lose_too_much():
    long = own_supply(strip='"30/m"', current_a="8", main_wire_mm2="1.5")
    assert wrong(long) == [
        "[supply] limit_ma = 1550: with all light in the middle of a track 756 mV are lost on the 4.03 m of it; "
        "set limit_ma = 1000"
    ]


def test_every_fuse_that_passes_is_blown_by_its_source_and_guards_what_is_behind_it():
    for fuse in ratings.FUSES_A:
        for current in ("1", "2", "4", "5", "8"):
            tried = own_supply(fuse_a=f"{fuse}", current_a=current, limit_ma="400", main_wire_mm2="1.5")
            fits = 2 * fuse <= float(current) and fuse <= feed.STRIP_A and fuse >= 0.5
            assert (wrong(tried) == []) is fits, (fuse, current)


def test_what_the_limit_is_told_to_be_is_then_right():
    for made in (board, own_supply):
        for current in ("0.5", "0.9", "1.5", "4"):
            tried = made(current_a=current, limit_ma="20000")
            advice = " ".join(wrong(tried)).partition("set limit_ma = ")[2].split(";")[0].split()
            if advice:
                again = replace(tried, supply=replace(tried.supply, limit_ma=int(advice[0])))
                assert not [line for line in wrong(again) if "limit_ma =" in line.partition(":")[0]]


def test_a_fuse_that_a_weak_port_never_blows_is_noted():
    assert "a port of 0.5 A never blows it" in notes(board())
    assert "a port of 1.5 A never blows it, which takes 2 A" in notes(board(current_a="1.5"))
    assert "never blows it" not in notes(board(current_a="1.0", fuse_a="0.5"))


@pytest.mark.parametrize("mm2", ["0.2", "0.25", "0.34"])  # AWG 24 to 22
def test_thin_wire_behind_a_fuse_of_one_ampere_is_right_and_loses_more(mm2: str) -> None:
    thin = board(wire_mm2=mm2)
    assert not [each for each in check(thin, load(thin.controller)) if each.wrong]
    assert budget(thin).drop_mv > 2 * budget(board()).drop_mv


def test_on_usb_it_is_noted_what_the_standard_does_not_allow():
    assert "USB allows 10 µF" in notes(board(capacitor_uf="1000"))
    assert "USB allows" not in notes(board()), "what the advice says is what the default has"
    assert "100 mA" in notes(board())
    assert "USB" not in notes(own_supply())


@pytest.mark.parametrize("name", FITTING)
def test_every_fitting_controller_is_given_pins_that_are_right_then(name):
    careful = board(fuse_a="0.5", limit_ma="400")  # which every controller's pin carries
    problems = wrong(careful, name)
    if not name.startswith("raspberry_pi_pico"):
        assert f"the {load(name).title} has no GP2 GP3 GP6" in problems[0]
        notes = [each for each in check(careful, load(name)) if "these would do" in each.said]
        assert f'[controller] board = "{name}"' in notes[0].advice
    again = rewired(careful, load(name))
    assert again is not None
    assert wrong(again) == []
    assert "[tracks] pins = [" in "\n".join(pin_lines(again))


@pytest.mark.parametrize("name", ["feather_nrf52840_express", "adafruit_feather_esp32s3_4mbflash_2mbpsram"])
def test_a_controller_that_does_not_fit_is_said_to_and_nothing_of_its_pins(name):
    findings = [each for each in check(board(), load(name)) if "controller" in each.where or "pins" in each.where]
    assert [each.said.partition(":")[0] for each in findings] == ["it does not fit"]
    assert findings[0].wrong and "such as raspberry_pi_pico or adafruit_feather_rp2040" in findings[0].advice


def test_a_qt_py_is_too_small_for_three_players_and_says_how_many_pins_are_short():
    players = '[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"], ["GP16", "GP17", "GP18"]]'
    problems = wrong(board(players_of_buttons=players, pin='"GP14"'), "adafruit_qtpy_rp2040")
    assert "14 pins are needed, and the Adafruit QT Py RP2040 has 13" in problems[1]
    assert "give some players no buttons" in problems[1] and "no port expander" in problems[1]


def test_two_names_of_one_pin_are_one_pin():
    twice = board(undo='"GP26"', deal='"A0"')
    said = "[buttons] deal: A0: it is the same pin as GP26 of [buttons] undo; everything needs a pin of its own"
    assert wrong(twice) == [said]
    assert "these would do on the Raspberry Pi Pico" in notes(twice)


def test_a_pin_with_another_job_is_wrong_and_a_doubtful_one_noted():
    lit = board(deal='"LED"')
    assert "the board's own LED" in wrong(lit)[0] and "these would do on the Raspberry Pi Pico" in notes(lit)
    again = rewired(board(pin='"GP14"'), load("adafruit_qtpy_rp2040"))
    assert again is not None and again.piezo
    assert "resistors on it" in notes(again)


def test_a_chip_that_lacks_what_the_firmware_needs_is_wrong():
    problems = wrong(board(), "adafruit_qtpy_esp32c3")
    assert any("usb_cdc" in line and "use a board with an RP2040 or RP2350" in line for line in problems)
    no_flash = replace(load("raspberry_pi_pico"), nvm_bytes=0)
    said = [each.said for each in check(board(), no_flash) if each.wrong]
    assert said == ["it does not fit: it has no memory for the score"]


def test_the_tables_rise():
    for table in (ratings.WIRES, ratings.FUSES_A, [ma for _, ma in feed.PORTS]):
        assert list(table) == sorted(table)  # type: ignore[type-var]
    assert ratings.ampacity(0.15) == 0 and ratings.ampacity(0.4) == 1
    assert ratings.ampacity(0.5) == 3 and ratings.ampacity(0.8) == 6
    assert ratings.wire_for(4) == 0.75 and ratings.wire_for(1000) == 6
    assert ratings.fuse_for(1.5) == 2 and ratings.fuse_for(1.6) == 3 and ratings.fuse_for(1000) == 4
    assert feed.fuse_within(2.5) == 2 and feed.fuse_within(2) == 2 and feed.fuse_within(0.4) == 0
    assert ratings.in_a_fault(4) == ratings.in_a_fault(5) == 8 and ratings.in_a_fault(8) == 12
    assert [ratings.awg(mm2) for mm2 in (0.25, 0.5, 0.75, 1.0, 1.5)] == [22, 20, 18, 16, 14]
    assert ratings.drop_mv(0.5, 1, 1000) == 78
