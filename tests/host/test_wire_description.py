"""What firmware/README.md says of the wire is what the board does."""

from __future__ import annotations

import re
from pathlib import Path

from firmware.rig import Rig

from cribboard_core.events import KINDS
from cribboard_core.wire import decode
from cribboard_fw.commands import COMMANDS

README = (Path(__file__).parents[2] / "firmware" / "README.md").read_text(encoding="utf-8")


def test_the_example_frames_are_whole_and_what_a_new_board_answers():
    frames = re.findall(r"^    ([<>]) (\[.*)$", README, flags=re.MULTILINE)
    messages = [(who, decode(line.encode())) for who, line in frames]
    assert len(messages) == 5
    assert all(message is not None for _, message in messages)
    rig = Rig()
    hello = rig.ask(*messages[0][1])
    assert hello[:5] + hello[6:] == messages[1][1][:5] + messages[1][1][6:]
    assert rig.ask(*messages[2][1]) == messages[4][1]


def test_every_command_kind_and_code_is_described():
    for op in COMMANDS:
        assert f"`{op}`" in README, op
    for kind in KINDS[1:]:
        assert f"`{kind}`" in README, kind
    library = Path(__file__).parents[2] / "firmware" / "lib"
    source = "".join(path.read_text(encoding="utf-8") for path in library.rglob("*.py"))
    for code in set(re.findall(r'Refused\(\s*"(\w+)"', source)) | set(re.findall(r'"no", \w+, \w+, "(\w+)"', source)):
        assert f"`{code}`" in README, code


def test_every_setting_is_explained_in_the_file_that_makers_read():
    from cribboard_fw.settings import NUMBERS, PIN_KEYS

    settings = (Path(__file__).parents[2] / "firmware" / "settings.toml").read_text(encoding="utf-8")
    for key in (*NUMBERS, *PIN_KEYS):
        assert re.search(rf"^(# )?{key} = ", settings, flags=re.MULTILINE), key
