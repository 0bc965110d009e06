"""The page that a board with Wi-Fi serves: one compressed file, made of the modules of the other pages and its own.

A board reads it from its drive in pieces, so it is small: what it shares is what speaks to a board (`client.js`) and
what draws. Comments and the types in them stay behind.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from cribboard.scripts import INDENT, bare, bundle, policy_hash

OWN = Path(__file__).parent / "static"
PACKAGE = OWN.parent.parent
SHARED = (OWN, PACKAGE / "site" / "static", PACKAGE / "web" / "static")
STYLES = ("base.css", "phone.css")
LIGHT = "light.css"
MOST = 25_000  # bytes of the compressed page

CSS_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
POLICY = re.compile(r'(http-equiv="Content-Security-Policy" content=")[^"]+')


def page() -> bytes:
    """The page, compressed: the same bytes on every computer."""
    return gzip.compress(_text().encode(), 9, mtime=0)


def _text() -> str:
    script = bare(bundle(_modules(), "phone.js"))
    styles = [(_css(name), "") for name in STYLES] + [(_css(LIGHT), ' media="(prefers-color-scheme: light)"')]
    text = (OWN / "phone.html").read_text(encoding="utf-8")
    text = POLICY.sub(lambda policy: policy[1] + _policy(script, [style for style, _ in styles]), INDENT.sub("", text))
    head = "".join(f"<style{media}>{style}</style>\n" for style, media in styles)
    text = text.replace("</head>", f"{head}</head>")
    return text.replace("</body>", f'<script type="module">{script}</script>\n</body>')


def _modules() -> dict[str, bytes]:
    """All modules that it may import; its own go before others of their name."""
    paths = [path for folder in reversed(SHARED) for path in sorted(folder.glob("*.js"))]
    return {path.name: path.read_bytes() for path in paths}


def _css(name: str) -> str:
    [path] = [folder / name for folder in SHARED if (folder / name).is_file()]
    return INDENT.sub("", CSS_COMMENT.sub("", path.read_text(encoding="utf-8")))


def _policy(script: str, styles: list[str]) -> str:
    shown = " ".join(map(policy_hash, styles))
    return (
        f"default-src 'none'; script-src {policy_hash(script)}; style-src {shown}; img-src data:; "
        "connect-src 'self' ws:; base-uri 'none'; form-action 'none'"
    )
