"""MicroPython for WebAssembly, which runs the firmware in a page, and the host's own modules translated for it.

The runtime is taken from a file, from an earlier time, or from npm. The referee and the computer come with a few words
put otherwise: MicroPython forgets annotations, so a dataclass gets the names of its fields in `__fields__`. It has no
`*` in displays, no steps in slices, no `strict` in zip and no `isprintable`, and its sort does not keep the order of
equals. What these modules import from the standard library is in `static/standard.py`.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cribboard
from cribboard.errors import CribboardError
from cribboard.files import ensure_folder, home, write_file

PACKAGE, VERSION = "@micropython/micropython-webassembly-pyscript", "1.27.0"
INTEGRITY = "sha512-DnXx4EqxgkeaFESrS3uKrL7mLMk4mRTd0mMzaOd3HUSiZUOAE7t11uLnjf3ftF87N2xm4knHnWEKcVK4IYIUDA=="  # npm's
SCRIPT, WASM = "micropython.mjs", "micropython.wasm"
NPM_S = 120.0
NUMBER = re.compile(r"npm \S+ (code|errno|syscall) ")  # lines that npm says before its sentence
ADVICE = f"install npm, or download {PACKAGE} {VERSION} with it elsewhere (npm pack) and name the .tgz with --runtime"

HOST = Path(cribboard.__file__).parents[1]
TABLES = HOST / "cribboard" / "computer" / "tables.bin"
ROOTS = ("cribboard.board.messages", "cribboard.players", "cribboard.playing.judge", "cribboard.referee.state")
TYPING = (
    "__future__",
    "collections.abc",
    "datetime",
    "importlib.resources",
    "cribboard.json_types",
)  # of which nothing is left when the annotations are gone
TYPES = ("Callable", "dict", "list", "tuple")
FEED = ("cribboard.hardware.feed",)  # what the page that installs checks


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
    with suppress(OSError, RuntimeMissing):
        return _unpacked(kept.read_bytes(), str(kept))
    package = _by_npm()
    unpacked = _unpacked(package, "what npm got")
    ensure_folder(kept.parent)
    write_file(kept, package)
    return unpacked


def _from_folder(given: Path) -> Runtime:
    folder = given if given.is_dir() else given.parent
    try:
        loaded = Runtime((folder / SCRIPT).read_bytes(), (folder / WASM).read_bytes())
    except OSError as error:
        raise RuntimeMissing(f"{error.filename} cannot be read ({error.strerror})", ADVICE) from error
    if not loaded.wasm.startswith(b"\0asm") or b"loadMicroPython" not in loaded.script:
        raise RuntimeMissing(f"{folder} does not hold MicroPython for WebAssembly", ADVICE)
    return loaded


def _from_package(given: Path) -> Runtime:
    try:
        return _unpacked(given.read_bytes(), str(given))
    except OSError as error:
        raise RuntimeMissing(f"{given} cannot be read ({error.strerror})", ADVICE) from error


def _unpacked(package: bytes, name: str) -> Runtime:
    """The files of the very package that the firmware is tested on; raises RuntimeMissing for any other."""
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(package).digest()).decode()
    if integrity != INTEGRITY:
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
        command = [npm, "pack", "--loglevel=error", f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=NPM_S, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeMissing(f"npm did not get {PACKAGE}: {error}", ADVICE) from error
        packages = list(Path(folder).glob("*.tgz"))
        if done.returncode or not packages:
            lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
            said = next((line for line in lines if not NUMBER.match(line)), "no word why")
            raise RuntimeMissing(f"npm did not get {PACKAGE} {VERSION}: {said}", ADVICE)
        return packages[0].read_bytes()


def modules(roots: Sequence[str] = ROOTS) -> dict[str, str]:
    """By path, the modules that a page needs, with all that they import."""
    texts: dict[str, str] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is not None and _target(path) not in texts:
            text = path.read_text(encoding="utf-8")
            texts[_target(path)] = translated(text)
            waiting += [name.rpartition(".")[0], *_imported(ast.parse(text))]
    return texts


def translated(source: str) -> str:
    """A module that MicroPython runs like this one."""
    return ast.unparse(ast.fix_missing_locations(_Translator().visit(ast.parse(source))))


def _path(name: str) -> Path | None:
    path = HOST / name.replace(".", "/")
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if name and one.is_file()), None)


def _target(path: Path) -> str:
    return f"lib/{path.relative_to(HOST).as_posix()}"


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("cribboard."):
            if node.module in TYPING:
                continue
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


class _Translator(ast.NodeTransformer):
    def visit_Module(self, node: ast.Module) -> ast.AST:
        self.generic_visit(node)
        node.body[:0] = ast.parse("from standard import merged, named_tuple, ordered, printable, sort, stepped").body
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        node.names = [alias for alias in node.names if node.module != "typing" or alias.name == "cast"]
        return None if node.module in TYPING or not node.names else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        return ast.Pass() if isinstance(node.value, ast.Constant) else node  # a docstring

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else None

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A name for a type, like `Weighed = list[...]`, says nothing."""
        value = node.value
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in TYPES:
            node.value = ast.Constant(None)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        names = [
            one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        if any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases):
            node.bases = []
            node.decorator_list.append(ast.Name("named_tuple", ast.Load()))
        if node.decorator_list:
            node.body.append(ast.parse(f"__fields__ = {names!r}").body[0])
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self._display(node, "tuple")

    def visit_List(self, node: ast.List) -> ast.AST:
        return self._display(node, "list")

    def _display(self, node: ast.Tuple | ast.List, kind: str) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not any(isinstance(one, ast.Starred) for one in node.elts):
            return node
        parts = [
            ast.Call(ast.Name("list", ast.Load()), [one.value], [])
            if isinstance(one, ast.Starred)
            else ast.List([one], ast.Load())
            for one in node.elts
        ]
        total: ast.expr = parts[0]
        for part in parts[1:]:
            total = ast.BinOp(total, ast.Add(), part)
        return ast.Call(ast.Name(kind, ast.Load()), [total], [])

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        part = node.slice
        if not isinstance(part, ast.Slice) or part.step is None:
            return node
        bounds = [bound or ast.Constant(None) for bound in (part.lower, part.upper, part.step)]
        return ast.Call(ast.Name("stepped", ast.Load()), [node.value, *bounds], [])

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        if None not in node.keys:
            return node
        parts = [
            value if key is None else ast.Dict([key], [value])
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return ast.Call(ast.Name("merged", ast.Load()), list(parts), [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            if node.func.id == "zip":
                node.keywords = []
            elif node.func.id == "sorted":
                node.func.id = "ordered"
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "sort":
            return ast.Call(ast.Name("sort", ast.Load()), [node.func.value, *node.args], node.keywords)
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "isprintable":
            return ast.Call(ast.Name("printable", ast.Load()), [node.func.value], [])
        return node
