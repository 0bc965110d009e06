"""The memory: garbage is collected in one short pause.

CircuitPython's collector follows references depth first and remembers 64 objects (10.x: 128) that it has still to look
into; with more it goes over the whole memory again, which doubles the pause. The table of all modules takes 32. So the
firmware's modules are strung up outside of it, in the order of their imports.
"""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

CORE = "variants events game match records journal pack show wire"
FW = "clock entry nvm power paint scene lights memory hardware keeper link buttons setup piezo sound app"


def let_go(modules: dict[str, ModuleType], names: tuple[str, ...]) -> None:
    """Forget modules that are not needed any more: CircuitPython collects garbage after every import."""
    for name in names:
        package, _, last = name.partition(".")
        delattr(modules[package], last)
        del modules[name]


def string_up(modules: dict[str, ModuleType]) -> None:
    """Take the table of all modules, once nothing is left to be imported; what was needed at power-on only goes."""
    names = ["cribboard_core." + name for name in CORE.split()] + ["cribboard_fw." + name for name in FW.split()]
    strung: object = None
    while names:
        strung = (strung, modules[names.pop()])  # the collector looks into the last one first
    modules.clear()
    modules["strung"] = strung  # type: ignore[assignment]


def collect() -> None:
    """Collect from here, since the collector begins with the module that calls it and this one leads nowhere."""
    gc.collect()
