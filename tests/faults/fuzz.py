"""Coverage-guided fuzzing of all that takes input from outside: no crash, no hang, no memory that grows.

    python -m faults.fuzz --seconds 600 --seed 1

(in the folder tests). Each target runs in a process of its own, under libFuzzer by way of atheris, which also ends it
when one input takes too long or memory grows too much. An input that breaks a promise is printed; it belongs into
`seeds` then, where the test suite tries it ever after. Names of targets behind the options choose some.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import re
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
NAMES = ("wire", "link", "host", "ledger", "settings", "cards", "journal", "batch", "bodies", "history")
HANG_S = 30  # of the clock on the wall; usual is a hundredth of a second
MOST_MEMORY_MB = 400
LONGEST = 4096  # bytes of one input


def inside(name: str, arguments: list[str]) -> None:
    """Fuzz one target with libFuzzer's own arguments; this process ends with it."""
    import atheris
    from faults.seeds import hostile
    from faults.targets import TARGETS

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return hostile(data, chance)[:most]

    atheris.Setup([name, *arguments], TARGETS[name], custom_mutator=mutate)
    atheris.Fuzz()


def instrument() -> None:
    """Import all that is fuzzed, so that the fuzzer sees what an input reaches. It takes longer than a short run."""
    import atheris

    quiet = contextlib.redirect_stderr(io.StringIO())  # atheris names every module
    with quiet, atheris.instrument_imports(include=["cribboard", "cribboard_core", "cribboard_fw"]):
        import faults.targets  # noqa: F401


def child(name: str, arguments: list[str], log: Path) -> int:
    """Fuzz one target in a process of its own, which writes to `log`; gives how it ended."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        file = os.open(log, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, 1)
        os.dup2(file, 2)
        inside(name, arguments)
    finally:
        os._exit(1)  # libFuzzer ends the process itself


def fuzz(name: str, seconds: int, seed: int, folder: Path) -> tuple[bool, str]:
    """Fuzz one target for so long; gives whether it bore all, and a line on it or all that was said."""
    from faults.seeds import SEEDS

    corpus = folder / name
    corpus.mkdir()
    for number, data in enumerate(SEEDS[name]):
        (corpus / f"seed{number}").write_bytes(data)
    limits = [f"-timeout={HANG_S}", f"-rss_limit_mb={MOST_MEMORY_MB}", f"-max_len={LONGEST}"]
    where = [f"-artifact_prefix={folder}/{name}-broken-", str(corpus)]
    log = folder / f"{name}.log"
    status = child(name, [f"-max_total_time={seconds}", f"-seed={seed}", *limits, *where], log)
    said = log.read_text("utf-8", errors="replace")
    broken = [path.read_bytes() for path in sorted(folder.glob(f"{name}-broken-*"))]
    runs = re.search(r"Done (\d+) runs in (\d+) second", said)
    if status or broken or runs is None:
        report = [line for line in said.splitlines() if not re.match(r"INFO|WARNING|#\d", line)]
        return False, "\n".join([f"{name}: broken by {broken}", *report[-60:]])
    covered = re.findall(r"cov: (\d+)", said)[-1]
    memory = max(int(size) for size in re.findall(r"rss: (\d+)Mb", said))
    return True, f"{name:8} {runs[1]:>9} inputs in {runs[2]:>4} s, {covered:>5} edges, at most {memory} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz all that takes input from outside.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    unknown = set(asked.targets) - set(NAMES)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(NAMES)}")
    instrument()
    well = True
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.targets or NAMES:
            kept, text = fuzz(name, max(1, asked.seconds // len(asked.targets or NAMES)), asked.seed, Path(folder))
            print(text, flush=True)
            well = well and kept
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
