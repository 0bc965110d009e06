"""The cribbage board leaves CircuitPython's safe mode, in which it would stay dark, up to three times in a row."""

import microcontroller
import supervisor

from cribboard_fw.nvm import MOST_IN_A_ROW, Faults

nvm = microcontroller.nvm
if supervisor.runtime.safe_mode_reason == supervisor.SafeModeReason.BROWNOUT:
    microcontroller.reset()  # the supply dipped: no fault of the program
elif nvm:
    faults = Faults(nvm)  # type: ignore[arg-type]  # sliced and assigned like a bytearray
    if faults.in_a_row < MOST_IN_A_ROW and not faults.given_up:
        faults.fault()
        microcontroller.reset()
