"""The cribbage board leaves CircuitPython's safe mode, in which it would stay dark, up to three times in a row."""

import microcontroller
import supervisor

from cribboard_fw.faults import Faults

nvm = microcontroller.nvm
if supervisor.runtime.safe_mode_reason == supervisor.SafeModeReason.BROWNOUT:
    microcontroller.reset()  # the supply dipped: no fault of the program
elif nvm:
    faults = Faults(nvm)  # type: ignore[arg-type]  # sliced and assigned like a bytearray
    if not faults.too_many:
        faults.fault()
        microcontroller.reset()
