"""The electronic cribbage board. What it does is in lib/cribboard_fw; how it is wired is in settings.toml."""

from cribboard_fw.hardware import main

main()
