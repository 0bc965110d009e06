"""MicroPython for WebAssembly, which runs the firmware in a page: from a file, from an earlier time, or from npm."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.files import home, made

PACKAGE, VERSION = "@micropython/micropython-webassembly-pyscript", "1.27.0"
INTEGRITY = "sha512-DnXx4EqxgkeaFESrS3uKrL7mLMk4mRTd0mMzaOd3HUSiZUOAE7t11uLnjf3ftF87N2xm4knHnWEKcVK4IYIUDA=="  # npm's
SCRIPT, WASM = "micropython.mjs", "micropython.wasm"
NPM_S = 120.0
ADVICE = f"install npm, or download {PACKAGE} {VERSION} with it elsewhere (npm pack) and name the .tgz with --runtime"


class RuntimeMissing(CribboardError):
    """There is no MicroPython for the pages."""


@dataclass(frozen=True)
class Runtime:
    """The two files that a page loads."""

    script: bytes
    wasm: bytes


def runtime(given: Path | None = None) -> Runtime:
    """The runtime from a package (.tgz), from a folder or file of its files, or as npm gives it; that is kept."""
    if given is not None:
        return _from_package(given) if given.suffix == ".tgz" else _from_folder(given)
    kept = home() / "runtime" / f"micropython-{VERSION}.tgz"
    if not kept.is_file():
        package = _by_npm()
        made(kept.parent)
        kept.write_bytes(package)
    return _unpacked(kept.read_bytes(), str(kept))


def _from_folder(given: Path) -> Runtime:
    folder = given if given.is_dir() else given.parent
    try:
        found = Runtime((folder / SCRIPT).read_bytes(), (folder / WASM).read_bytes())
    except OSError as error:
        raise RuntimeMissing(f"{error.filename} cannot be read ({error.strerror})", ADVICE) from error
    if not found.wasm.startswith(b"\0asm") or b"loadMicroPython" not in found.script:
        raise RuntimeMissing(f"{folder} does not hold MicroPython for WebAssembly", ADVICE)
    return found


def _from_package(given: Path) -> Runtime:
    try:
        return _unpacked(given.read_bytes(), str(given))
    except OSError as error:
        raise RuntimeMissing(f"{given} cannot be read ({error.strerror})", ADVICE) from error


def _unpacked(package: bytes, name: str) -> Runtime:
    """The files of the very package that the firmware is tested on; raises RuntimeMissing for any other."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(package).digest()).decode()
    if found != INTEGRITY:
        raise RuntimeMissing(f"{name} is not {PACKAGE} {VERSION}: its checksum is another one", ADVICE)
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        parts = [archive.extractfile(f"package/{part}") for part in (SCRIPT, WASM)]
        script, wasm = [part.read() if part else b"" for part in parts]
    return Runtime(script, wasm)


def _by_npm() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeMissing("the pages need MicroPython for WebAssembly, and there is no npm to get it with", ADVICE)
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=NPM_S, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeMissing(f"npm did not get {PACKAGE}: {error}", ADVICE) from error
        packages = list(Path(folder).glob("*.tgz"))
        if done.returncode or not packages:
            said = (done.stderr.strip() or done.stdout.strip() or "no word why").splitlines()[-1]
            raise RuntimeMissing(f"npm did not get {PACKAGE} {VERSION}: {said}", ADVICE)
        return packages[0].read_bytes()
