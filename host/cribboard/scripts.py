"""Modules of pages as one script: each a function that gives what it exports, after those that it imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"(?<![\w.$])export (?=(?:async )?(?:function|const|class) ([\w$]+))")
DEFAULT = re.compile(r"(?<![\w.$])export default \w+;?")


def bundle(files: Mapping[str, bytes], *entries: str, guards: Mapping[str, str] | None = None) -> str:
    """These modules with all that they import as one script; one with a guard runs only when that is so."""
    done: dict[str, str] = {}

    def take(path: str) -> None:
        if path in done:
            return
        done[path] = ""
        text = files[path].decode()
        folder = posixpath.dirname(path)
        for _, name in IMPORT.findall(text):
            take(posixpath.normpath(posixpath.join(folder, name)))
        done.pop(path)  # behind those that it imports
        done[path] = _function(path, text)

    for entry in entries:
        take(entry)
    for entry, guard in (guards or {}).items():
        done[entry] = f"if ({guard}) {done[entry]}"
    return f"(async () => {{\nconst modules = {{}};\n{''.join(done.values())}}})();\n"


def _function(path: str, text: str) -> str:
    def taken(imported: re.Match[str]) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported[2]))
        return f'const {imported[1].replace(" as ", ": ")} = modules["{name}"];' if imported[1] else ""

    names = ", ".join(EXPORT.findall(text))
    body = DEFAULT.sub("", EXPORT.sub("", IMPORT.sub(taken, text)))
    body = body.replace("import.meta.url", f'"inlined:///{path}"')
    return f'modules["{path}"] = await (async () => {{\n{body}\nreturn {{ {names} }};\n}})();\n'
