"""The landlord's page says what is so."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import click
import pytest
from readme_commands import use_commands

from cribboard.cli.kiosk import WEB_PORT, kiosk
from cribboard.cli.main import cli
from cribboard.service import writer
from cribboard.store import backup
from cribboard.store.export_reader import MOST_BYTES
from cribboard.store.report import MOST_EVENTS
from cribboard.web import api_staff, invites
from cribboard.web.limits import Limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "host" / "kiosk.md").read_text(encoding="utf-8")
UNIT = re.search(r"^```ini\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


def test_every_command_for_the_history_works(tmp_path):
    script = Path(sys.executable).with_name("cribboard")
    environment = {**os.environ, "PATH": f"{script.parent}:/usr/bin:/bin", "CRIBBOARD_HOME": str(tmp_path / "home")}
    commands = use_commands(PAGE)
    assert len(commands) == 4
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"


def test_every_option_that_it_names_is_one_of_the_kiosks():
    known = {option for parameter in kiosk.params for option in parameter.opts}
    named = set(re.findall(r"cribboard kiosk (--[a-z-]+)", PAGE)) | set(re.findall(r"`(--[a-z-]+)", PAGE))
    assert named - {"--help"} <= known
    assert {"--new-pin", "--forget", "--address", "--web-port", "--database"} <= named


def test_its_numbers_are_the_programs():
    assert str(WEB_PORT) in PAGE
    assert (api_staff.TRIES_EACH, api_staff.TRIES_ALL, api_staff.TRIES_S) == (5, 10, 15 * 60)
    assert "Five wrong PINs from a device, or ten from all together" in PAGE
    assert "a quarter of an hour" in PAGE
    assert (invites.FRESH_S, invites.CODE_DIGITS) == (5 * 60, 6)
    assert "changes every five minutes" in PAGE
    assert "the six digits" in PAGE
    assert f"the newest {MOST_EVENTS:,}, until it ends" in PAGE
    assert (writer.AGAIN_S, "Every five seconds" in PAGE) == (5, True)
    assert f"The newest {backup.KEPT} backups stay" in PAGE
    assert (5, timedelta(hours=1), timedelta(days=2)) == (backup.NIGHT, backup.QUIET, backup.OLD)
    assert f"may have {MOST_BYTES >> 20} MB" in PAGE.replace("\n", " ")
    assert f"have {Limits().streams_each} pages open at most" in PAGE


def test_the_unit_starts_the_kiosk():
    command = shlex.split(re.search(r"^ExecStart=%h/cribboard/bin/cribboard (.*)$", UNIT, re.MULTILINE)[1])
    assert command[0] == kiosk.name
    kiosk.make_context("kiosk", command[1:], parent=click.Context(cli, **cli.context_settings))
    stop_s = int(re.search(r"TimeoutStopSec=(\d+)", UNIT)[1])
    assert stop_s >= 10


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / "cribboard-kiosk.service"
    unit.write_text(UNIT.replace("%h/cribboard/bin/cribboard", "/bin/true"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--user", unit], capture_output=True, text=True, check=False)
    assert str(unit) not in done.stderr
    assert "Unknown" not in done.stderr
