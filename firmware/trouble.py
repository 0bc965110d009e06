"""What the cribbage board shows and says when its firmware does not run; it needs no other file of ours."""


def setting(key: str, usual: str) -> str:
    """The text of a setting, read without the firmware's modules, since they may be what is missing."""
    try:
        with open("settings.toml") as file:
            for line in file:
                if line.split("=")[0].strip() == key:
                    return line.split('"')[1]
    except (OSError, ValueError, IndexError):
        pass
    return usual


def red(of_ten: int) -> None:
    """Light so many of ten LEDs a dim red, with what CircuitPython has built in."""
    import board
    import digitalio
    import neopixel_write

    pixel = bytearray(3)
    pixel[max(0, setting("PIXEL_ORDER", "GRB").find("R"))] = 16
    picture = ((pixel * of_ten + bytearray(30 - 3 * of_ten)) * 13)[:363]  # of 121 LEDs
    for name in setting("STRIP_PINS", "GP2 GP3").split():
        try:
            pin = digitalio.DigitalInOut(getattr(board, name))
            pin.switch_to_output()
            neopixel_write.neopixel_write(pin, picture)
        except (AttributeError, ValueError):  # no such pin, or it is in use
            pass


def stop(error: Exception) -> None:
    """Say why the board has stopped, again and again; USB stays alive, and saving a file starts the board again."""
    import time
    import traceback

    while True:
        if hasattr(error, "of_ten"):
            print(error)
        else:
            traceback.print_exception(error)
            print("the firmware is damaged or incomplete; run `cribboard install` again")
        time.sleep(10)
