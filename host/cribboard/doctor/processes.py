"""Which programs have a port open, and whether ModemManager runs, from Linux's /proc."""

from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")
MODEM_MANAGER = "ModemManager"


def holders(port: str, proc: Path = PROC) -> list[str]:
    """The names of programs that have a port open, as far as this user may see them."""
    device = str(Path(port).resolve())
    return sorted({name for process, name in _processes(proc) if _has_open(process, device)})


def modem_manager(proc: Path = PROC) -> bool:
    """Whether ModemManager runs, which tries every new port for half a minute."""
    return any(name == MODEM_MANAGER for _, name in _processes(proc))


def _processes(proc: Path) -> list[tuple[Path, str]]:
    processes = []
    for process in proc.glob("[0-9]*"):
        try:
            processes.append((process, (process / "comm").read_text("utf-8", "replace").strip()))
        except OSError:
            continue  # it has ended
    return processes


def _has_open(process: Path, device: str) -> bool:
    try:
        return any(str(link.readlink()) == device for link in (process / "fd").iterdir())
    except OSError:
        return False  # somebody else's, or ended
