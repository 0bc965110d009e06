"""The maker's settings.toml keeps what is the maker's."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from cribboard.drive import drive_files
from cribboard.toml_lines import Difference, differences, merged, values, without

SHIPPED = drive_files().settings.read_text(encoding="utf-8")
ALL = values(SHIPPED)
OWN = """\
# my board
BRIGHTNESS = 10 # a dark pub
CIRCUITPY_WIFI_SSID = "home"
STRIP_PINS = "GP0 GP1"

[mine]
BRIGHTNESS = 99
"""


def test_own_values_and_lines_stay_and_missing_keys_are_added_above_the_sections():
    text = merged(OWN, 'BRIGHTNESS = 30\nSTRIP_PINS = "GP2"\nTARGET = 121\n')
    added = "\n# Added by the installer:\nTARGET = 121\n"
    assert text == OWN.replace("\n[mine]", f"{added}[mine]".replace("\n# A", "\n\n# A", 1))


def test_a_named_description_changes_values_and_nothing_else():
    text = merged(OWN, 'BRIGHTNESS = 30\nSTRIP_PINS = "GP2"\n', ALL)
    assert text == OWN.replace("BRIGHTNESS = 10", "BRIGHTNESS = 30").replace("GP0 GP1", "GP2")


def test_line_ends_of_windows_and_a_mark_at_the_beginning_stay():
    own = "\ufeffBRIGHTNESS = 10\r\n# mine\r\n"
    assert merged(own, "BRIGHTNESS = 30\nTARGET = 61", ALL).splitlines(True)[:2] == [
        "BRIGHTNESS = 30\r\n",
        "# mine\r\n",
    ]
    assert merged(own, "BRIGHTNESS = 30") == own


def test_differences_are_those_of_values_not_of_comments():
    wanted = 'BRIGHTNESS = 30\nSTRIP_PINS = "GP0 GP1"\nTARGET = 61\n'
    assert differences(OWN, wanted) == [Difference("BRIGHTNESS", "10", "30")]
    assert differences("A = 3 # x\n", "A = 3\n") == []


def test_a_merged_file_has_nothing_more_to_be_merged():
    once = merged(OWN, SHIPPED, ALL)
    assert merged(once, SHIPPED, ALL) == once
    assert differences(once, SHIPPED) == []


def test_taking_the_firmware_off_leaves_what_is_not_the_projects():
    assert without(merged(SHIPPED, SHIPPED, ALL), SHIPPED) == ""
    assert without(merged(OWN, SHIPPED), SHIPPED) == (
        '# my board\nCIRCUITPY_WIFI_SSID = "home"\n[mine]\nBRIGHTNESS = 99\n'
    )


QUOTED = """\
NAME = "a \\" # b" # mine
STRIP_PINS = "GP\\" # 0" # odd
TEXT = \"\"\"first
BRIGHTNESS = 1
[no section]
last\"\"\" # of mine
LITERAL = 'a # b'
BRIGHTNESS = 10
"""


def test_quotes_within_quotes_and_strings_of_several_lines_are_one_value():
    wanted = 'BRIGHTNESS = 30\nSTRIP_PINS = "GP2"\n'
    assert differences(QUOTED, wanted) == [
        Difference("BRIGHTNESS", "10", "30"),
        Difference("STRIP_PINS", r'"GP\" # 0"', '"GP2"'),
    ]
    text = merged(QUOTED, wanted, ALL)
    assert text == QUOTED.replace("BRIGHTNESS = 10", "BRIGHTNESS = 30").replace(r'"GP\" # 0"', '"GP2"')
    assert tomllib.loads(text)["TEXT"].startswith("first\nBRIGHTNESS = 1\n[no")
    left = without(QUOTED, wanted)
    assert left == QUOTED.replace("BRIGHTNESS = 10\n", "").replace('STRIP_PINS = "GP\\" # 0" # odd\n', "")
    windows = QUOTED.replace("\n", "\r\n")
    assert merged(windows, wanted) == windows


LINES = ["# note", "", "MINE = 1", 'NAME = "a # b"', "BRIGHTNESS = 5 # x", "[part]", "odd", 'T = """a', 'b"""']


@given(st.lists(st.sampled_from(LINES)))
def test_no_line_is_ever_lost(lines):
    own = "\n".join([*lines, ""])
    text = merged(own, SHIPPED)
    left = iter(text.splitlines())
    assert all(line in left for line in lines)
