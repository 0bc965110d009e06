"""A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket there and ended with them."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

DEBIAN = Path("/usr/lib/postgresql")
NUMBERS = count(1)


def programs() -> Path | None:
    """The folder of initdb and pg_ctl."""
    initdb = shutil.which("initdb")
    if initdb:
        return Path(initdb).resolve().parent
    folders = [folder for folder in DEBIAN.glob("*/bin") if (folder / "initdb").exists()]
    return max(folders, key=lambda folder: int(folder.parent.name), default=None)


def skip_without() -> Path:
    """The folder of the server's programs; where there is none the test is skipped, and in CI it fails."""
    folder = programs()
    if folder is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed, and in CI nothing of it may be left out")
        pytest.skip("PostgreSQL's initdb is not installed")
    return folder


class Server:
    """A running server. `options` are postgres's own."""

    def __init__(self, folder: Path, bin_folder: Path, options: str) -> None:
        self.folder = folder
        self._bin = bin_folder
        self._options = f"-k {folder} -c listen_addresses='' {options}"
        self._who = {"user": "nobody"} if os.geteuid() == 0 else {}  # the server refuses to be run by root
        if self._who:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
        self._do("initdb", "-A", "trust", "-U", "cribboard", "-N", "-E", "UTF8", "--locale=C")

    def start(self) -> None:
        self._do("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", self._options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._do("pg_ctl", "-w", "-m", mode, "stop")

    def limit_files(self, size: str) -> None:
        """Let no file that new connections write to grow above a size in bytes, or `unlimited`."""
        pid = (self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]
        subprocess.run(["prlimit", "--pid", pid, f"--fsize={size}:unlimited"], check=True, **self._who)  # type: ignore[call-overload]

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Ends the server afterwards, also when these tests are killed: a shell waits for the end of its input."""
        words = [str(self._bin / "pg_ctl"), "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop"]
        guard = ["sh", "-c", 'read nothing; exec "$@" >/dev/null 2>&1', "sh", *words]
        with subprocess.Popen(guard, cwd=self.folder, stdin=subprocess.PIPE, **self._who) as waiting:  # type: ignore[call-overload]
            try:
                yield
            finally:
                waiting.stdin.close()

    def database(self) -> str:
        """The URL of a new database."""
        name = f"house{next(NUMBERS)}"
        self._do("createdb", "-h", str(self.folder), "-U", "cribboard", "-T", "template0", name, data=False)
        return f"postgresql://cribboard@/{name}?host={self.folder}"

    def _do(self, program: str, *words: str, data: bool = True) -> None:
        where = ["-D", str(self.folder / "data")] if data else []
        command = [str(self._bin / program), *where, *words]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            check=False,
            **self._who,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"


@contextmanager
def server(options: str = "-c fsync=off") -> Iterator[Server]:
    """A server for as long as it is needed."""
    binaries = skip_without()
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)
    running = Server(folder, binaries, options)
    running.start()
    with running.guarded():
        yield running
    shutil.rmtree(folder)
