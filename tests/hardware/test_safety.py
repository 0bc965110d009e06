"""A board that cannot work or could burn is found out, each mistake by itself, and told what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware import ratings
from cribboard.hardware.board_toml import folder
from cribboard.hardware.board_toml import load as described
from cribboard.hardware.controllers import FITTING, load
from cribboard.hardware.description import Description
from cribboard.hardware.safety import check, pin_lines, rewired

QT_PY = {
    "pins": '["A0", "A1"]',
    "undo": '"TX"',
    "deal": '"RX"',
    "players_of_buttons": '[["A2", "A3", "SCK"], []]',
}


def wrong(board: Description, controller: str = "") -> list[str]:
    """What is wrong with a board, as one line each."""
    found = check(board, load(controller or board.controller))
    return [f"{each.where}: {each.said}; {each.advice}" for each in found if each.wrong]


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
        ({"shifter": '"none"'}, "want 3.5 V for a one, and a pin gives 3.3 V", "take a 74AHCT125"),
        ({"shifter": '"74HC125"'}, "it wants 3.5 V for a one", "take a 74AHCT125"),
        ({"data_ohm": "0"}, "spikes", "take 100 to 1000"),
        ({"data_ohm": "10000"}, "too slow", "take 100 to 1000"),
        ({"capacitor_uf": "0"}, "too small for the rush", "take 100 to 4700"),
        ({"capacitor_uf": "10000"}, "too big", "take 100 to 4700"),
        ({"limit_ma": "391"}, "take 292 mA, and a game 100 more", "allow 392 or more"),
        ({"limit_ma": "451"}, "more than 90% of the 0.5 A", "set limit_ma = 450"),
        ({"current_a": "0.4"}, "more than 90% of the 0.4 A", "take a stronger supply"),
        ({"current_a": "2"}, "a Micro-USB plug carries 1.8 A", 'kind = "5v"'),
        ({"fuse_a": "0.5"}, "it carries 0.375 A for long, and up to 0.4 A may go through it", "take 0.75 A"),
        ({"fuse_a": "3.5"}, "the wire carries 3 A: it burns before the fuse does", "take 0.75 mm² (AWG 18)"),
        ({"wire_mm2": "0.22"}, "too thin for 5 V wires", "take 0.5 mm² (AWG 20)"),
        ({"current_a": "3.5", "board": '"adafruit_qtpy_rp2040"', **QT_PY}, "the port gives 3.5 A", "take 0.75 mm²"),
    ],
)
def test_what_is_wrong_on_usb_is_said(lines, said, advice):
    found = wrong(board(**lines))
    assert len(found) == 1, found
    assert said in found[0] and advice in found[0]


@pytest.mark.parametrize(
    ("lines", "said", "advice"),
    [
        ({"fuse_a": "3"}, "carries 2.25 A for long, and up to 2.879 A", "take 4 A, or a lower limit_ma"),
        ({"wire_mm2": "0.5"}, "the wire carries 3 A", "take 0.75 mm²"),
        ({"fuse_a": "5"}, "the supply gives 4 A, too little to blow it", "take 4 A"),
        ({"fuse_a": "20", "wire_mm2": "6", "current_a": "40", "main_wire_mm2": "6"}, "guards nothing here", "take 4 A"),
        ({"current_a": "60"}, "melts any wire", "a supply of 20 A or less"),
        ({"main_fuse_a": "0"}, "main_fuse_a = 0: nothing guards the wires before the other fuses", "take 4 A"),
        ({"main_fuse_a": "3"}, "carries 2.25 A for long, and the whole board may take 3 A", "take 4 A, or a lower"),
        ({"main_fuse_a": "5"}, "main_fuse_a = 5: the supply gives 4 A, too little to blow it", "take 4 A"),
        ({"main_wire_mm2": "0.5"}, "main_wire_mm2 = 0.5: it carries 3 A, and the supply gives 4", "take 0.75 mm²"),
        ({"main_wire_mm2": "0"}, "main_wire_mm2 = 0: too thin", "take 0.75 mm²"),
        ({"current_a": "8"}, "main_wire_mm2 = 0.75: it carries 6 A, and the supply gives 8", "take 1 mm² (AWG 16)"),
    ],
)
def test_what_is_wrong_with_a_supply_is_said(lines, said, advice):
    found = wrong(own_supply(**lines))
    assert len(found) == 1, found
    assert said in found[0] and advice in found[0]


def test_a_limit_above_a_supply_is_above_its_fuse_too():
    of_supply, of_fuse = wrong(own_supply(limit_ma="3100"))
    assert "more than 75% of the 4 A" in of_supply and "set limit_ma = 3000" in of_supply
    assert "main_fuse_a = 4: it carries 3 A for long, and the whole board may take 3.1 A" in of_fuse


def test_what_the_limit_is_told_to_be_is_then_right():
    for made in (board, own_supply):
        for current in ("0.5", "0.9", "1.5", "4"):
            tried = made(current_a=current, limit_ma="20000")
            advice = " ".join(wrong(tried)).partition("set limit_ma = ")[2].split(";")[0].split()
            if advice:
                again = replace(tried, supply=replace(tried.supply, limit_ma=int(advice[0])))
                assert not [line for line in wrong(again) if "limit_ma" in line]


def test_on_usb_it_is_noted_what_the_standard_does_not_allow():
    assert "USB allows 10 µF" in notes(board())
    assert "100 mA" in notes(board())
    assert "USB" not in notes(own_supply())


@pytest.mark.parametrize("name", FITTING)
def test_every_fitting_controller_is_given_pins_that_are_right_then(name):
    found = wrong(board(), name)
    if not name.startswith("raspberry_pi_pico"):
        assert f"the {load(name).title} has no GP2 GP3 GP6" in found[0]
        notes = [each for each in check(board(), load(name)) if "these would do" in each.said]
        assert f'[controller] board = "{name}"' in notes[0].advice
    again = rewired(board(), load(name))
    assert again is not None
    assert wrong(again) == []
    assert "[tracks] pins = [" in "\n".join(pin_lines(again))


def test_a_qt_py_is_too_small_for_three_players_and_says_how_many_pins_are_short():
    players = '[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"], ["GP16", "GP17", "GP18"]]'
    found = wrong(board(players_of_buttons=players, pin='"GP14"'), "adafruit_qtpy_rp2040")
    assert "14 pins are needed, and the Adafruit QT Py RP2040 has 13" in found[1]
    assert "give some players no buttons" in found[1] and "no port expander" in found[1]


def test_two_names_of_one_pin_are_one_pin():
    found = wrong(board(undo='"GP26"', deal='"A0"'))
    assert found == ["[buttons] deal: A0: it is the same pin as GP26; everything needs a pin of its own"]


def test_a_pin_with_another_job_is_wrong_and_a_doubtful_one_noted():
    assert "the board's own LED" in wrong(board(deal='"LED"'))[0]
    again = rewired(board(pin='"GP14"'), load("adafruit_qtpy_rp2040"))
    assert again is not None and again.piezo == "A2"
    assert "resistors on it" in notes(again)


def test_a_chip_that_lacks_what_the_firmware_needs_is_wrong():
    found = wrong(board(), "adafruit_qtpy_esp32c3")
    assert any("usb_cdc" in line and "take another board" in line for line in found)
    no_flash = replace(load("raspberry_pi_pico"), nvm_bytes=0)
    assert [each.said for each in check(board(), no_flash) if each.wrong] == ["it has no memory for the score"]
    assert "RP2040 and the RP2350 only" in notes(rewired(board(), load("feather_nrf52840_express")) or board())


def test_the_tables_rise():
    for table in (ratings.WIRES, ratings.FUSES_A, [ma for _, ma in ratings.PORTS]):
        assert list(table) == sorted(table)  # type: ignore[type-var]
    assert ratings.ampacity(0.4) == 0 and ratings.ampacity(0.5) == 3 and ratings.ampacity(0.8) == 6
    assert ratings.wire_for(4) == 0.75 and ratings.wire_for(1000) == 6
    assert ratings.fuse_for(3) == 4 and ratings.fuse_for(3.1) == 5 and ratings.fuse_for(1000) == 15
    assert [ratings.awg(mm2) for mm2 in (0.25, 0.5, 0.75, 1.0, 1.5)] == [22, 20, 18, 16, 14]
    assert ratings.drop_mv(0.5, 1, 1000) == 78
