"""The command that writes the pages which need no server."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from cribboard.cli.options import JSON, IntRange
from cribboard.cli.output import answer, emit, say
from cribboard.cli.progress import progress
from cribboard.errors import ArgumentError
from cribboard.files import ELSEWHERE, home, write_errors, write_file

WEB_PORT = 8122


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--open", "browser", is_flag=True, help="Serve the pages on this computer and open them in its browser.")
@click.option("--serve", is_flag=True, help="Serve them without opening a browser.")
@click.option(
    "--single",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write board, game, scorer and counter as one HTML file, which needs no server.",
)
@click.option("--web-port", metavar="N", type=IntRange(0, 65535), default=WEB_PORT, help="Default: 8122.")
@click.option(
    "--runtime",
    "given",
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="MicroPython for WebAssembly: npm's package (.tgz) or its folder (default: npm gets it).",
)
@JSON
def site(
    folder: Path | None,
    browser: bool,
    serve: bool,
    single: Path | None,
    web_port: int,
    given: Path | None,
    as_json: bool,
) -> None:
    """Write the board as web pages that need no server.

    Any web host with HTTPS can serve the folder DIR; who opens it needs only a browser. In it runs a virtual board with
    the real firmware, to play a game against the computer or to try the buttons. After the first visit it works
    offline. --open serves the pages on this computer only; without DIR they are in your data folder.

    --single FILE writes the pages to play, to keep score and to count a hand as one file for a memory stick: open it
    with a browser.

    With --json: folder, files (how many) and bytes; when it serves, also url; with --single: file and bytes.
    """
    if single is not None:
        _write_single(single, folder is not None or browser or serve, given, as_json)
        return
    if folder is None and not (browser or serve):
        raise ArgumentError(
            "the pages need a folder", "name one: cribboard site DIR; or look at them: cribboard site --open"
        )
    from cribboard.site.folder import write_site
    from cribboard.site.micropython import runtime

    into = (folder or home() / "site").absolute()
    with progress("Getting MicroPython for the pages"):
        interpreter = runtime(given)
    with progress("Writing the pages"):
        sizes = write_site(into, interpreter)
    made = {"folder": str(into), "files": len(sizes), "bytes": sum(sizes.values())}
    if not (browser or serve):
        answer(made, f"{len(sizes)} files are in {into}. Put them on any web host with HTTPS.", as_json)
        return
    _serve(into, web_port, made, browser, as_json)


def _write_single(path: Path, more: bool, given: Path | None, as_json: bool) -> None:
    from cribboard.site.folder import unbundled_files
    from cribboard.site.micropython import runtime
    from cribboard.site.single import single

    if more:
        raise ArgumentError("--single writes one file and nothing else", "leave out DIR, --open and --serve")
    with progress("Getting MicroPython for the pages"):
        interpreter = runtime(given)
    with progress("Writing the page"):
        page = single(unbundled_files(interpreter))
    with write_errors(path, ELSEWHERE):
        write_file(path, page)
    answer({"file": str(path), "bytes": len(page)}, f"The board is in {path}. Open it with a browser.", as_json)


def _serve(into: Path, web_port: int, made: dict[str, object], browser: bool, as_json: bool) -> None:
    from cribboard.site.folder import HOST, server

    with server(into, web_port) as serving:
        url = f"http://{HOST}:{serving.server_port}/"
        emit({**made, "url": url}) if as_json else say(f"The pages are at {url} on this computer. Ctrl-C ends this.")
        if browser:
            click.launch(url)
        with contextlib.suppress(KeyboardInterrupt):
            serving.serve_forever()
