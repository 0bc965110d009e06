"""The commands that a README shows, in order: all, those that set up an environment, or those that use the program."""

from __future__ import annotations

import re
import sys
from pathlib import Path

SETUP = "python3 -m venv "


def commands(readme: str) -> list[str]:
    """Every line of the README's shell blocks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", readme, flags=re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def setup_commands(readme: str) -> list[str]:
    """The commands that set up all that is needed; .ci/run types them in a fresh clone."""
    return [command for command in commands(readme) if command.startswith(SETUP)]


def use_commands(readme: str) -> list[str]:
    """The commands of the program itself."""
    return [command for command in commands(readme) if command.startswith("cribboard ")]


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    print("\n".join({"all": commands, "setup": setup_commands, "use": use_commands}[sys.argv[2]](text)))
