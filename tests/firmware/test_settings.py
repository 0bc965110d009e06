"""settings.toml: the file that we ship, every mistake and its message, and files that are no settings at all."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_fw.settings import SettingsError, load

SHIPPED = (Path(__file__).parents[2] / "firmware" / "settings.toml").read_text(encoding="utf-8")
LEAST = 'STRIP_PINS = "GP2 GP3"\nUNDO_PIN = "GP12"\nDEAL_PIN = "GP13"\n'


def mistakes(text: str) -> list[str]:
    """The lines of the error that these settings raise."""
    with pytest.raises(SettingsError) as caught:
        load(text)
    return str(caught.value).split("\n")


def mistake(text: str) -> str:
    """The only one."""
    (problem,) = mistakes(text)
    return problem


def test_the_shipped_file_is_a_pico_with_two_tracks_and_two_players():
    settings = load(SHIPPED)
    assert settings.strip_pins == ["GP2", "GP3"] and settings.pixel_order == "GRB"
    assert (settings.leds, settings.pixels, settings.brightness, settings.limit_ma) == (121, 242, 30, 450)
    assert settings.buttons == [["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"], None, None, None, None]
    assert (settings.undo_pin, settings.deal_pin, settings.piezo_pin) == ("GP12", "GP13", None)
    assert (settings.players, settings.teams, settings.sides) == (2, 0, 2)
    assert (settings.target, settings.skunk, settings.double) == (121, 91, 61)
    assert settings.commit_s == 0


def test_what_is_left_out_is_as_in_the_shipped_file():
    shipped, least = vars(load(SHIPPED)), vars(load(LEAST))
    for name in shipped:
        if name not in ("buttons", "_values"):
            assert shipped[name] == least[name], name


def test_every_setting_is_in_the_shipped_file():
    assert mistakes("NO = 1")
    for key in ["SKUNK_LINE", "DOUBLE_SKUNK_LINE"]:
        assert f"\n# {key} = " in SHIPPED
        load(SHIPPED.replace(f"# {key} = ", f"{key} = "))


@pytest.mark.parametrize(
    ("players", "teams", "sides"), [(2, 0, 2), (3, 0, 3), (4, 0, 4), (4, 2, 2), (5, 0, 5), (6, 2, 2), (6, 3, 3)]
)
def test_sides_are_the_teams_or_the_players(players, teams, sides):
    assert load(LEAST + f"PLAYERS = {players}\nTEAMS = {teams}").sides == sides


@pytest.mark.parametrize(("target", "lines"), [(61, (31, 0)), (91, (0, 0)), (121, (91, 61)), (241, (0, 0))])
def test_skunk_lines_are_the_targets_own_unless_they_are_set(target, lines):
    settings = load(LEAST + f"TARGET = {target}")
    assert (settings.skunk, settings.double) == lines
    settings = load(LEAST + f"TARGET = {target}\nSKUNK_LINE = 50\nDOUBLE_SKUNK_LINE = 20")
    assert (settings.skunk, settings.double) == (50, 20)


def test_no_skunk_is_no_double_skunk_either():
    settings = load(LEAST + "SKUNK_LINE = 0")
    assert (settings.skunk, settings.double) == (0, 0)


def test_a_pause_is_kept_in_milliseconds():
    assert load(LEAST + "COMMIT_AFTER_S = 7").commit_s == 7


@pytest.mark.parametrize("pin", ["GP14", "D5", "A0", "IO_7", "gp14"])
def test_a_piezo_is_one_pin_of_any_boards_names(pin):
    assert load(f'{LEAST}PIEZO_PIN = "{pin}"').piezo_pin == pin


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + LEAST,
        LEAST.replace("\n", "\r\n"),
        LEAST + "CIRCUITPY_BLE_NAME = whatever\nCIRCUITPY_PYSTACK_SIZE = 4096\n",
        LEAST + "  BRIGHTNESS=30#dim\n",
        LEAST + 'PIEZO_PIN = "" # none\n',
        LEAST + "[section]\nBRIGHTNESS = nonsense\nwhat is this",
    ],
)
def test_what_editors_and_circuitpython_add_is_read(text):
    assert load(text).brightness == 30


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "BRIGTHNESS = 30",
            'line 4, "BRIGTHNESS": there is no such setting; do you mean BRIGHTNESS?',
        ),
        (
            "COLOUR_OF_THE_BAIZE = 3",
            'line 4, "COLOUR_OF_THE_BAIZE": there is no such setting; the settings.toml of the project has them all',
        ),
        ("BRIGHTNESS", 'line 4, "BRIGHTNESS": write KEY = value, or # before a comment'),
        ("BRIGHTNESS = 30.5", "line 4, BRIGHTNESS = 30.5: write a whole number without quotes"),
        ('BRIGHTNESS = "30"', 'line 4, BRIGHTNESS = "30": write a whole number without quotes'),
        ("BRIGHTNESS = true", "line 4, BRIGHTNESS = true: write a whole number without quotes"),
        ("PIEZO_PIN = GP14", 'line 4, PIEZO_PIN = GP14: write text in double quotes, such as "GP2"'),
        ('PIEZO_PIN = "GP14', 'line 4, PIEZO_PIN = "GP14: write text in double quotes, such as "GP2"'),
        ('UNDO_PIN = "GP20"', "line 4, UNDO_PIN: it appears twice; remove one of them"),
        ('PIEZO_PIN = "__class__"', 'line 4, PIEZO_PIN: "__class__" is not the name of a pin'),
        ('PIEZO_PIN = "5V"', 'line 4, PIEZO_PIN: "5V" is not the name of a pin'),
        ('PIEZO_PIN = "GP-14"', 'line 4, PIEZO_PIN: "GP-14" is not the name of a pin'),
        ('PIEZO_PIN = "GP14 GP15"', 'PIEZO_PIN = "GP14 GP15": name one pin'),
        ("BRIGHTNESS = 0", "BRIGHTNESS = 0: choose from 1 to 100"),
        ("BRIGHTNESS = -5", "BRIGHTNESS = -5: choose from 1 to 100"),
        ("SKIP_PIXELS = 9", "SKIP_PIXELS = 9: choose from 0 to 8"),
        ("LEDS_PER_TRACK = 144", "LEDS_PER_TRACK = 144: a track has 61 or 121: 60 or 120 holes and the game hole"),
        ("TARGET = 120", "TARGET = 120: a game is to 61, 91, 121 or 241"),
        ("PLAYERS = 7", "PLAYERS = 7: choose from 2 to 6"),
        ("TEAMS = 2", "TEAMS = 2: 2 players can have 0 (0: no teams)"),
        ("PLAYERS = 6\nTEAMS = 4", "TEAMS = 4: 6 players can have 0 or 2 or 3 (0: no teams)"),
        ("SKUNK_LINE = 122", "SKUNK_LINE = 122: it is the first score that is safe, at most 121; 0 is none"),
        ("DOUBLE_SKUNK_LINE = 92", "DOUBLE_SKUNK_LINE = 92: it is at most the skunk line, 91; 0 is none"),
        ("COMMIT_AFTER_S = 61", "COMMIT_AFTER_S = 61: choose from 0 to 60"),
        (
            'PIXEL_ORDER = "GRBW"',
            'PIXEL_ORDER = "GRBW": choose one of RGB RBG GRB GBR BRG BGR; most strips are GRB; '
            "four colours (RGBW) cannot work: the picture ends at three quarters of the strip",
        ),
        (
            'BUTTONS_1 = "GP6 GP7"',
            'BUTTONS_1 = "GP6 GP7": name three pins, for +1, +5 and OK, such as "GP6 GP7 GP8", or none',
        ),
        (
            'BUTTONS_1 = "GP6 GP7 GP12"',
            'UNDO_PIN = "GP12": GP12 is in BUTTONS_1 too; everything needs a pin of its own',
        ),
        (
            'BUTTONS_1 = "GP6 GP7 gp7"',
            'BUTTONS_1 = "GP6 GP7 gp7": gp7 is named twice; everything needs a pin of its own',
        ),
        (
            "CURRENT_LIMIT_MA = 300",
            "CURRENT_LIMIT_MA = 300: 242 dark pixels and the controller take 292 mA and a game 100 more; "
            "allow 392 if the supply can give it",
        ),
    ],
)
def test_a_mistake_is_named_with_its_value_and_what_to_do(line, message):
    assert mistake(LEAST + line + "\n") == message


@pytest.mark.parametrize("key", ["UNDO_PIN", "DEAL_PIN"])
def test_the_shared_buttons_must_be_there(key):
    text = "\n".join(line for line in LEAST.split("\n") if key not in line)
    advice = ': the game needs this button; name its pin, such as "GP12"'
    assert mistake(text) == key + " is missing" + advice
    assert mistake(text + key + ' = ""') == key + ' = ""' + advice


@pytest.mark.parametrize("pins", ["", "GP2 GP3 GP4 GP5 GP6"])
def test_one_to_four_strips(pins):
    assert mistakes(LEAST.replace("GP2 GP3", pins))[0].startswith(f'STRIP_PINS = "{pins}": name a pin for each track')


def test_three_tracks_do_not_fit_the_default_limit_and_the_figure_is_said():
    text = LEAST.replace("GP2 GP3", "GP2 GP3 GP4")
    assert "allow 513" in mistake(text)
    assert load(text + "CURRENT_LIMIT_MA = 513\nUSB_MA = 900").pixels == 363


@pytest.mark.parametrize(
    ("lines", "most", "said"),
    [
        ("", 450, "USB_MA = 500 and FUSE_MA = 1000 carry 450"),
        ("USB_MA = 1500", 800, "USB_MA = 1500 and FUSE_MA = 1000 carry 800"),
        ("USB_MA = 900\nFUSE_MA = 2000", 810, "USB_MA = 900 and FUSE_MA = 2000 carry 810"),
        ("SUPPLY_MA = 4000\nFUSE_MA = 2000", 1550, "SUPPLY_MA = 4000 and FUSE_MA = 2000 carry 1550"),
        ("SUPPLY_MA = 8000\nFUSE_MA = 4000\nUSB_MA = 0", 3050, "SUPPLY_MA = 8000 and FUSE_MA = 4000 carry 3050"),
    ],
)
def test_a_limit_is_refused_above_what_source_and_fuse_carry(lines, most, said):
    text = f"{LEAST}{lines}\nCURRENT_LIMIT_MA = "
    assert load(f"{text}{most}").limit_ma == most
    advice = "allow that, or set SUPPLY_MA and FUSE_MA to yours"
    assert mistake(f"{text}{most + 1}") == f"CURRENT_LIMIT_MA = {most + 1}: {said}; {advice}"


def test_an_old_file_for_a_supply_of_its_own_is_refused_with_what_to_add():
    said = mistake(LEAST + "CURRENT_LIMIT_MA = 3000")
    assert said.startswith("CURRENT_LIMIT_MA = 3000: USB_MA = 500 and") and "set SUPPLY_MA" in said


@pytest.mark.parametrize(
    ("line", "most"), [("CURRENT_LIMIT_MA = 14000", 8000), ("USB_MA = 3001", 3000), ("SUPPLY_MA = 39000", 8000)]
)
def test_no_source_is_stronger_than_what_is_safe(line, most):
    assert mistake(LEAST + line) == f"{line}: choose from 0 to {most}"


def test_all_mistakes_are_listed_at_once():
    with pytest.raises(SettingsError) as caught:
        load(LEAST + "BRIGHTNESS = 200\nTARGET = 100\nPLAYERS = 9\n")
    assert [line.split(" ")[0] for line in str(caught.value).split("\n")] == ["BRIGHTNESS", "PLAYERS", "TARGET"]
    assert caught.value.of_ten == 1  # red lights


def test_a_value_that_is_no_value_is_one_mistake():
    assert len(mistakes(LEAST.replace('"GP2 GP3"', "GP2"))) == 1


def test_long_and_odd_text_is_cut_in_the_message():
    problem = mistake(LEAST + "BRIGHTNESS = " + "9\x00\u20ac" * 1000)
    assert problem == "line 4, BRIGHTNESS = " + "9??" * 12 + " ...: write a whole number without quotes"
    assert len(mistakes("x" * 100_000 + "=1\n" * 1000)) == 8


@given(st.text())
def test_any_text_is_settings_or_a_settings_error(text):
    for whole in (text, LEAST + text):
        try:
            load(whole)
        except SettingsError as error:
            assert str(error)


KEYS = sorted(
    {line.lstrip("# ").split(" =")[0] for line in SHIPPED.split("\n") if " = " in line and "CIRCUITPY_" not in line}
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(KEYS),
            st.sampled_from(["-1", "0", "2", "61", "99999999999", '""', '"GP1 GP2 GP3"', '"', "'a'", "="]),
        )
    )
)
def test_any_values_are_settings_or_a_settings_error(pairs):
    try:
        settings = load("\n".join(f"{key} = {value}" for key, value in pairs))
    except SettingsError as error:
        assert 1 <= len(str(error).split("\n")) <= 8
    else:
        assert settings.pixels == len(settings.strip_pins) * settings.leds


def test_the_keys_of_the_shipped_file_are_all_there_are():
    from cribboard_fw.settings import NUMBERS, PIN_KEYS

    assert sorted([*NUMBERS, *PIN_KEYS, "PIXEL_ORDER"]) == KEYS


def test_a_source_out_of_range_is_named_once_and_nothing_is_derived_from_it() -> None:
    with pytest.raises(SettingsError) as error:
        load(
            'UNDO_PIN = "GP12"\nDEAL_PIN = "GP13"\nSTRIP_PINS = "GP2 GP3"\nSUPPLY_MA = 39000\nCURRENT_LIMIT_MA = 3000\n'
        )
    assert str(error.value) == "SUPPLY_MA = 39000: choose from 0 to 8000"


# The Wi-Fi

KEY = "00112233445566778899aabbccddeeff"
WIFI = f'WIFI_NETWORK = "pub"\nWIFI_PASSWORD = "pass phrase"\nWIFI_KEY = "{KEY}"\n'


def test_without_a_network_there_is_no_wifi_and_with_one_it_has_a_name():
    assert load(LEAST).wifi is None
    wifi = load(LEAST + WIFI).wifi
    assert (wifi.network, wifi.password, wifi.name, wifi.key) == ("pub", "pass phrase", "cribboard", KEY)
    assert wifi.lacks() == ""
    assert load(LEAST + WIFI + 'WIFI_NAME = "back-room"\n').wifi.name == "back-room"


def test_what_keeps_a_board_off_the_network_is_said(capsys):
    for text, why in (
        ('WIFI_NETWORK = "pub"', "WIFI_KEY is missing"),
        (f'WIFI_KEY = "{KEY}"', "WIFI_NETWORK is missing"),
    ):
        assert load(LEAST + text).wifi.radio() is None
        assert why in capsys.readouterr().out


@pytest.mark.parametrize(
    "chip, release, why",
    [
        ("rp2040", "10.2.1", "a Pico W has too little memory"),
        ("rp2350", "9.2.1", "CircuitPython 9.2.1 breaks down"),
        ("rp2350", "10.2.1", "no radio"),
    ],
)
def test_a_controller_that_cannot_says_so(monkeypatch, capsys, chip, release, why):
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(sysname=chip, release=release))
    assert load(LEAST + WIFI).wifi.radio() is None
    said = capsys.readouterr().out
    assert said.startswith("no Wi-Fi: ") and why in said


@pytest.mark.parametrize(
    "line, mistake",
    [
        ('WIFI_NETWORK = "' + "n" * 33 + '"', "WIFI_NETWORK"),
        ('WIFI_PASSWORD = "secret"', "WIFI_PASSWORD"),
        ("WIFI_PASSWORD = secret", "WIFI_PASSWORD"),
        ("WIFI_PASSWORD secret", "write KEY = value"),
        ('WIFI_KEY = "secret"', "WIFI_KEY"),
        ("WIFI_KEY = 5", "WIFI_KEY"),
        ('WIFI_SECRET = "secret"', "WIFI_SECRET"),
        ('WIFI_NAME = "Back Room"', "WIFI_NAME"),
        ('CIRCUITPY_WIFI_PASSWORD = "secret"', "CIRCUITPY_WIFI_PASSWORD: with it the board starts dark"),
        ('CIRCUITPY_WEB_API_PASSWORD = "secret"', "CIRCUITPY_WEB_API_PASSWORD"),
    ],
)
def test_mistakes_of_the_network_are_named_and_its_secrets_are_not(line, mistake):
    with pytest.raises(SettingsError, match=mistake) as caught:
        load(LEAST + line + "\n")
    assert "secret" not in str(caught.value).lower().replace("wifi_secret", "")
