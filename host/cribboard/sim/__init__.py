"""The virtual board: the real firmware in a process of its own, behind a serial port like any other."""
