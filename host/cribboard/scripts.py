"""Modules of pages as one script: each a function that gives what it exports, after those that it imports."""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from collections.abc import Mapping

IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"(?<![\w.$])export (?=(?:async )?(?:function|const|class) ([\w$]+))")
JSDOC = re.compile(r"^\s*/\*\*(?:(?!\*/).)*\*/\s*\n|/\*\* @(?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^\s*//.*\n|(?<=[;{},\[(]) +// .*$", re.MULTILINE)
INDENT = re.compile(r"^\s+", re.MULTILINE)
DEFAULT = re.compile(r"(?<![\w.$])export default \w+;?")


def bundle(
    files: Mapping[str, bytes], *entries: str, guards: Mapping[str, str] | None = None, inlined: bool = True
) -> str:
    """These modules with all that they import as one script; one with a guard runs only when that is so.

    One that is not inlined takes the place of its module, whose folder all of them are in, and is a module itself: what
    is not among the files it imports.
    """
    done: dict[str, str] = {}
    outside: dict[str, None] = {}

    def take(path: str) -> None:
        if path in done:
            return
        done[path] = ""
        text = files[path].decode()
        folder = posixpath.dirname(path)
        for match in IMPORT.finditer(text):
            name = posixpath.normpath(posixpath.join(folder, match[2]))
            if inlined or name in files:
                take(name)
            else:
                outside[f"{match[0]}\n"] = None
        done.pop(path)  # behind those that it imports
        done[path] = _function(path, text, files, inlined=inlined)

    for entry in entries:
        take(entry)
    for entry, guard in (guards or {}).items():
        done[entry] = f"if ({guard}) {done[entry]}"
    return f"{''.join(outside)}(async () => {{\nconst modules = {{}};\n{''.join(done.values())}}})();\n"


def policy_hash(text: str) -> str:
    """A script or style within a page, as a content security policy allows it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def bare(script: str) -> str:
    """A script without its comments and the blanks that indent it."""
    return INDENT.sub("", COMMENT.sub("", JSDOC.sub("", script)))


def _function(path: str, text: str, files: Mapping[str, bytes], *, inlined: bool) -> str:
    def taken(imported: re.Match[str]) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported[2]))
        if name not in files:
            return ""
        return f'const {imported[1].replace(" as ", ": ")} = modules["{name}"];' if imported[1] else ""

    names = ", ".join(EXPORT.findall(text))
    body = DEFAULT.sub("", EXPORT.sub("", IMPORT.sub(taken, text)))
    if inlined:
        body = body.replace("import.meta.url", f'"inlined:///{path}"')
    return f'modules["{path}"] = await (async () => {{\n{body}\nreturn {{ {names} }};\n}})();\n'
