"""The installer: finds the drive of a CircuitPython board and gives it the firmware."""
