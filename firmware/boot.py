"""Runs once after a hard reset: gives the cribbage board the USB serial port that hosts talk to."""

import usb_cdc
import usb_hid
import usb_midi

usb_hid.disable()  # small chips have too few USB endpoints for these and two serial ports
usb_midi.disable()
usb_cdc.enable(console=True, data=True)
