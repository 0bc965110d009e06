"""The electronic cribbage board: starts the firmware on its drive. How the board is wired is in settings.toml."""


def start() -> None:
    """Run the newest firmware; one that cannot be read, or has failed three times, gives way to the one before it."""
    import os
    import sys

    updates = sorted([name for name in os.listdir() if name[:9] == "firmware." and name[9:].isdigit()])
    while True:
        if updates:
            sys.path.insert(0, updates[-1])
        try:
            if updates:
                os.stat(updates[-1] + "/ready")
            from cribboard_fw.hardware import main

            return main()
        except Exception as error:
            if not updates or restarts() or getattr(error, "of_ten", 0) == 1:
                raise
            print(updates.pop(), "does not run:", error)
        del sys.path[0]
        for name in list(sys.modules):
            if name[:10] == "cribboard_" or name == "neopixel":
                del sys.modules[name]


def restarts() -> bool:
    """Whether the watchdog is about to restart the board."""
    return bool(getattr(microcontroller.watchdog, "mode", None))


try:
    import microcontroller

    try:
        start()
    except Exception as error:
        from trouble import red, stop

        red(2 if restarts() else getattr(error, "of_ten", 3))
        if restarts():
            raise
        stop(error)
except KeyboardInterrupt:  # editors send it by themselves; nothing that was interrupted may go on
    microcontroller.reset()
