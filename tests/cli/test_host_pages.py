"""The pages of the host show nothing that does not work: files are written, commands typed, answers compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOST = Path(__file__).parents[2] / "host"
PAGES = (HOST / "matches.md", HOST / "tiles.md")
BLOCK = re.compile(r"^```(text|console) ?(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_says_what_the_page_says(page, tmp_path):
    script = Path(sys.executable).with_name("cribboard")
    environment = {**os.environ, "PATH": f"{script.parent}:/usr/bin:/bin"}
    for kind, name, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "text":
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert done.stdout == answer, f"{command}: {done.stderr}"
            assert done.returncode == 0, f"{command}: {done.stderr}"
