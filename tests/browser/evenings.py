"""Two evenings of people in a real browser, each player with a phone: python -m browser.evenings --pictures FOLDER

(in the folder tests). Six people with nothing prepared; then fourteen, nine rounds, three boards and four wooden
tables, one who comes after round 2, one who leaves, two quarrels. It takes some minutes. What pages show is held
against what was played; the exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from browser.chromium import LAPTOP, SCREEN, UPRIGHT, launch, no_browser
from browser.house import PATIENCE_S, House, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 780}
TELEVISION = {"width": 1280, "height": 720}
SIX = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
FOURTEEN = (
    *("Ann Barker", "Bob", "Chris Featherstone", "Dee", "Eve", "Fay", "Gus", "Hanna-Luise", "Ivo"),
    *("Jürgen", "Kit", "Lou", "Maxine Oberhuber", "Ned"),
)
LATE, LEAVER, ROUNDS = "Zed", "Gus", 9
BEGUN_S, MOST_TAPS = 120, 6  # until six people play, and taps beside their names
MANY = 200  # matches at most
FETCH = """async ([path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const how = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
  return (await fetch(path, how)).json();
}"""


class Wrong(Exception):
    """Something is not as it should be."""


def held(true: object, words: str) -> None:
    """Raise Wrong unless it is so."""
    if not true:
        raise Wrong(words)


class Evening:
    """A night at a kiosk: the director's laptop, televisions, and a phone for each player."""

    def __init__(self, house: House, browser: Browser, folder: Path | None, name: str) -> None:
        self.house, self.browser, self.folder, self.name = house, browser, folder, name
        self.phones: dict[str, Page] = {}
        self.taps = 0
        self.chance = Random(7)
        self.taken: set[str] = set()
        self.errors: list[str] = []
        self.relays = Relays()

    def page(self, path: str, size: dict[str, int], **more: Any) -> Page:
        """A page of a device of its own."""
        proxy = {"server": self.relays.open(), "bypass": "<-loopback>"}
        context = self.browser.new_context(viewport=size, reduced_motion="reduce", proxy=proxy, **more)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.house.address + path)
        return page

    def picture(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Take a picture, once."""
        if self.folder is not None and name not in self.taken:
            self.taken.add(name)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=self.folder / f"{self.name}-{name}.png", full_page=whole)

    def staff(self) -> Page:
        """The director's laptop, after the PIN."""
        page = self.page("/staff", LAPTOP)
        page.get_by_label("PIN").first.fill(self.house.pin)
        page.keyboard.press("Enter")
        page.locator("#room").wait_for()
        page.goto(self.house.address + "/night")
        self.laptop = page
        return page

    def tap(self, where: Any) -> None:
        """A tap beside names, counted."""
        self.taps += 1
        where.click()

    def night(self) -> Any:
        """The night as the director sees it."""
        return self.laptop.evaluate(FETCH, ["/api/night", None])

    def playing(self) -> list[Any]:
        """The matches that are called and not over."""
        return [each for each in self.night()["matches"] if each["called"] and not each["over"] and not each["bye"]]

    def televisions(self, when: str) -> None:
        """A picture of a television in each size, and of the screen of all tables with its strip."""
        if self.folder is None or f"tv-720p-{when}" in self.taken:
            return
        for name, size in (("tv-720p", TELEVISION), ("tv-1080p", SCREEN), ("tv-upright", UPRIGHT)):
            page = self.page("/night?view=tv", size)
            page.locator(".call, .podium").first.wait_for()
            page.wait_for_timeout(500)  # the code comes after
            self.picture(page, f"{name}-{when}")
            page.goto(self.house.address + "/screen")
            page.locator("#night:not([hidden])").wait_for()
            page.wait_for_timeout(1000)
            self.picture(page, f"{name}-tables-{when}")
            page.context.close()

    def join(self, name: str) -> Page:
        """A phone that scans the code and taps its name."""
        url = self.laptop.evaluate(FETCH, ["/api/night/invite", None])["url"]
        page = self.page(f"/night#t={url.partition('#t=')[2]}", PHONE, has_touch=True)
        page.get_by_role("button", name=name, exact=True).wait_for()
        self.picture(page, "phone-who")
        page.get_by_role("button", name=name, exact=True).tap()
        page.get_by_role("heading", name="My card").wait_for()
        self.picture(page, "phone-asked")
        page.locator("[data-key=tell-no]").tap()
        self.phones[name] = page
        return page

    def scores(self) -> tuple[int, int]:
        """A winner's and a loser's points, as they come."""
        return 121, self.chance.choice((120, 117, 112, 108, 103, 99, 95, 88, 84, 57))

    def say(self, match: Any, teller: int, winner: int, points: int, when: str = "") -> None:
        """One phone says who won and the loser's points."""
        page = self.phones[match["names"][teller]]
        form = page.locator(".report")
        form.get_by_role("button", name=match["names"][winner], exact=True).tap()
        page.locator("#points").fill(str(points))
        self.picture(page, f"phone-report{when}")
        page.get_by_role("button", name="Send").tap()

    def answer(self, match: Any, side: int, button: str) -> None:
        """The other phone's answer, as soon as it is asked."""
        page = self.phones[match["names"][side]]
        page.locator(".ask").wait_for()
        self.picture(page, "phone-question")
        page.get_by_role("button", name=button, exact=True).tap()

    def result(self, number: int) -> Any:
        """How a match's newest game stands."""
        legs = next((each for each in self.night()["matches"] if each["match"] == number), {"legs": []})["legs"]
        return legs[-1] if legs else None

    def on_wood(self, matches: list[Any]) -> None:
        """Each two report their game on a wooden board: one says it, the other phone agrees."""
        tellers = []
        for match in matches:
            winner, (_, points) = self.chance.randrange(2), self.scores()
            tellers.append(self.chance.randrange(2))
            self.say(match, tellers[-1], winner, points)
            sender = self.phones[match["names"][tellers[-1]]]
            sender.locator(".sent").first.wait_for()
            self.picture(sender, "phone-sent")
        for match, teller in zip(matches, tellers, strict=True):
            self.answer(match, 1 - teller, "Right")
        for match in matches:
            wait_for(lambda match=match: (self.result(match["match"]) or {}).get("state") == "agreed")

    def on_board(self, match: Any) -> None:
        """One starts the board, both peg on the phone, and the board's win is the result."""
        from playwright.sync_api import Error

        page = self.phones[match["names"][0]]
        self.picture(page, "phone-board")
        page.get_by_role("button", name="Start the game").tap()
        page.wait_for_url("**/score/*")
        page.locator("#foot").wait_for()  # its side is known
        path = f"/api/boards/{match['table']}"
        wait_for(lambda: [each["name"] for each in page.evaluate(FETCH, [path, None])["sides"]] == match["names"])
        winner, (_, points) = self.chance.randrange(2), self.scores()

        def order(**fields: Any) -> None:
            fields |= {"key": f"evening{time.monotonic_ns():020d}", "seen": page.evaluate(FETCH, [path, None])["rev"]}
            said = page.evaluate(FETCH, [path + "/orders", fields])
            held("error" not in said, f"{fields}: {said}")

        fronts = [0, 0]
        while "running" not in self.taken:  # of one game pictures are taken: deal by deal, as people play
            for side, most in ((winner, 12), (1 - winner, 9)):
                fronts[side] += most
                order(do="peg", side=side + 1, points=most)
            order(do="deal")
            if fronts[winner] >= 72:
                fronts[winner] += 8
                order(do="peg", side=winner + 1, points=8)
                self.taken.add("running")
                self.televisions("running")
                page.wait_for_timeout(1500)
                self.picture(page, "phone-score")
        for side, target in ((1 - winner, max(points, fronts[1 - winner])), (winner, 121)):
            while fronts[side] < target:
                step = min(29, target - fronts[side])
                fronts[side] += step
                order(do="peg", side=side + 1, points=step)
        wait_for(lambda: (self.result(match["match"]) or {}).get("state") == "agreed")
        recorded = page.locator("#over", has_text=re.compile("Recorded[:.]"))
        wait_for(lambda: page.url.endswith("/night") or recorded.count())  # whoever is called is there
        if not page.url.endswith("/night"):
            self.picture(page, "phone-won")
            with contextlib.suppress(Error):  # the page is on its way there by itself
                page.evaluate("document.querySelector('#over a')?.click()")
        page.get_by_role("heading", name="My card").wait_for()

    def play(self, matches: list[Any]) -> None:
        """All of these matches, on their boards or on wood."""
        boards = {each["table"] for each in self.night()["tables"] if each["board"]}
        self.on_wood([each for each in matches if each["table"] not in boards])
        for match in matches:
            if match["table"] in boards:
                self.on_board(match)

    def quarrel(self, match: Any) -> None:
        """Both say that they won; the director settles it by keyboard."""
        for side in (0, 1):
            page = self.phones[match["names"][side]]
            if side:
                page.get_by_role("button", name="Not right").tap()
                page.locator(".report").wait_for()
            self.say(match, side, side, 100, "-quarrel")
        wait_for(lambda: (self.result(match["match"]) or {}).get("state") == "disputed")
        self.laptop.locator("tr[data-state=disputed]").first.wait_for()
        self.picture(self.laptop, "laptop-quarrel")
        self.phones[match["names"][0]].locator(".dispute:visible").first.wait_for()
        self.picture(self.phones[match["names"][0]], "phone-quarrel")
        self.televisions("quarrel")
        self.laptop.locator(f"[data-key=points-{match['match']}-1]").fill("100")
        self.laptop.keyboard.press("Enter")
        wait_for(lambda: (self.result(match["match"]) or {}).get("state") == "settled")

    def close(self) -> None:
        """Close the night, and look at the end."""
        self.laptop.get_by_role("button", name="Close the night").click()
        self.laptop.get_by_role("button", name="Close it").click()
        wait_for(lambda: self.night()["closed"])
        self.televisions("podium")
        first = self.night()["standings"][0]["name"]
        for name, which in ((next(iter(self.phones)), "phone-over"), (first, "phone-winner")):
            page = self.phones[name]
            page.goto(self.house.address + "/night")
            page.get_by_text("The night is over").first.wait_for()
            self.picture(page, which)
        self.laptop.wait_for_timeout(2500)
        self.picture(self.laptop, "laptop-over", whole=True)
        self.paper("standings")

    def paper(self, *kinds: str) -> None:
        """What is printed, as the printer gets it."""
        if self.folder is None:
            return
        self.laptop.evaluate("window.print = () => {}")
        for kind in kinds:
            for size in ("A4", "Letter"):
                self.laptop.locator("[data-key=print]").click()  # after a print the page shows itself again
                self.laptop.locator("#dialog").get_by_role("button", name=re.compile(f"^{kind}", re.IGNORECASE)).click()
                self.laptop.locator(f"#paper.{kind}:not([hidden])").wait_for(state="attached")
                self.laptop.pdf(path=self.folder / f"{self.name}-paper-{kind}-{size}.pdf", format=size)


class Relays:
    """SOCKS proxies on this computer, each with an address of its own towards the kiosk, as phones have."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._addresses = (f"127.3.0.{number}" for number in range(1, 255))

    def open(self) -> str:
        """Another one; its address for a browser."""
        return asyncio.run_coroutine_threadsafe(self._serve(next(self._addresses)), self._loop).result()

    async def _serve(self, address: str) -> str:
        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await reader.readexactly((await reader.readexactly(2))[1])  # RFC 1928: no authentication is asked
                writer.write(b"\x05\x00")
                kind = (await reader.readexactly(4))[3]
                length = 4 if kind == 1 else (await reader.readexactly(1))[0]
                host = await reader.readexactly(length)
                port = int.from_bytes(await reader.readexactly(2), "big")
                to = socket.inet_ntoa(host) if kind == 1 else host.decode()
                theirs, mine = await asyncio.open_connection(to, port, local_addr=(address, 0))
                writer.write(b"\x05\x00\x00\x01" + bytes(6))
                await asyncio.gather(_pump(reader, mine), _pump(theirs, writer))

        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        return f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextmanager
def kiosk(boards: tuple[str, ...]) -> Iterator[House]:
    """A kiosk with these virtual boards and a name, in a folder of its own."""
    with tempfile.TemporaryDirectory() as home, House(Path(home), boards, ("--pub", "The Anchor")) as house:
        yield house


def six(evening: Evening) -> None:
    """Six with nothing prepared: they play within two minutes, by six taps beside their names."""
    began = time.monotonic()
    page = evening.staff()
    page.locator("#go").wait_for()
    evening.picture(page, "laptop-begin", whole=True)
    for name in SIX:
        page.locator("#title").fill(name)
        page.keyboard.press("Enter")
    page.locator("#wooden").fill("2")
    evening.tap(page.locator("#comes"))
    page.get_by_text("6 players, 3 tables").wait_for()
    evening.picture(page, "laptop-ready", whole=True)
    evening.tap(page.get_by_role("button", name="Draw"))
    page.locator("input.points").first.wait_for()
    took = time.monotonic() - began
    held(took < BEGUN_S and evening.taps <= MOST_TAPS, f"{evening.taps} taps, {took:.0f} s until six people play")
    evening.televisions("begun")
    page.locator("[data-key=invite]").click()  # nobody has a television there
    page.locator("#dialog .code").wait_for()
    evening.picture(page, "laptop-invite")
    page.keyboard.press("Escape")
    for name in SIX:
        evening.join(name)
    evening.picture(evening.phones["Ann"], "phone-called", whole=True)
    evening.picture(page, "laptop-director", whole=True)
    for _ in range(MANY):
        playing = evening.playing()
        if not playing:
            break
        evening.play(playing)
    entry = evening.night()
    met = {frozenset(each["names"]) for each in entry["matches"] if not each["bye"]}
    held(len(met) == 15, f"{len(met)} pairs of six have met, of 15")
    games = {each["name"]: each["games"] for each in entry["standings"]}
    held(set(games.values()) == {5}, f"not everybody has played five games: {games}")
    evening.televisions("all-played")
    evening.close()


def fourteen(evening: Evening) -> None:
    """Fourteen, nine rounds, three boards and four wooden tables, one late, one who leaves, two quarrels."""
    page = evening.staff()
    page.locator("#go").wait_for()
    page.get_by_text("Paste a list").click()
    page.locator("#pasted").fill("\n".join(FOURTEEN))
    page.get_by_role("button", name="Take these names").click()
    page.locator("#wooden").fill("4")
    page.locator("#rounds").fill(str(ROUNDS))
    page.get_by_text("14 players, 7 tables, 9 rounds").wait_for()
    evening.picture(page, "laptop-ready", whole=True)
    page.get_by_role("button", name="Draw").click()
    page.locator("input.points").first.wait_for()
    evening.picture(page, "laptop-director", whole=True)
    evening.paper("cards", "plan", "slips")
    evening.televisions("begun")
    for name in FOURTEEN:
        evening.join(name)
    late = gone = False
    quarrels = 2
    for _ in range(MANY):
        entry, playing = evening.night(), evening.playing()
        if not playing:
            break
        if entry["round"] == 3 and not late:
            late = True
            page.get_by_role("button", name="Add somebody").click()
            evening.picture(page, "laptop-late")
            page.locator("#dialog input").fill(LATE)
            page.keyboard.press("Enter")
            wait_for(lambda: LATE in [each["name"] for each in evening.night()["entrants"]])
            evening.join(LATE)
            continue
        if entry["round"] == 5 and not gone:
            mine = [each for each in playing if LEAVER in each["names"]]
            if mine and mine[0]["table"] < 100:
                evening.play(mine)
                continue
            if mine:  # nobody has agreed to it yet
                evening.say(mine[0], mine[0]["names"].index(LEAVER), 0, 112)
                wait_for(lambda match=mine[0]: (evening.result(match["match"]) or {}).get("state") == "waits")
            gone = True
            page.keyboard.press("l")  # the keyboard is in an empty score
            page.keyboard.type(LEAVER)
            evening.picture(page, "laptop-leaves")
            page.keyboard.press("Enter")
            wait_for(lambda: not next(each for each in evening.night()["entrants"] if each["name"] == LEAVER)["here"])
            for called in [each for each in evening.playing() if LEAVER in each["names"]]:  # then the director is asked
                rival = called["names"][1 - called["names"].index(LEAVER)]
                page.locator("#dialog").get_by_role("button", name=f"{rival} wins").click()
                wait_for(lambda match=called["match"]: match not in [each["match"] for each in evening.playing()])
            if mine:
                evening.answer(mine[0], 1 - mine[0]["names"].index(LEAVER), "Right")
            continue
        wooden = [each for each in playing if each["table"] > 100]
        if quarrels and entry["round"] > 1 and wooden:
            quarrels -= 1
            evening.quarrel(wooden[0])
            continue
        if entry["round"] == 4 and "mid" not in evening.taken:
            evening.taken.add("mid")
            evening.televisions("middle")
            evening.picture(evening.phones["Ann Barker"], "phone-middle", whole=True)
            for phone in evening.phones.values():
                if phone.get_by_text("You sit out round").count():
                    evening.picture(phone, "phone-sits-out")
            evening.picture(page, "laptop-middle", whole=True)
        evening.play(playing)
    entry = evening.night()
    real = [each for each in entry["matches"] if not each["bye"]]
    held(late and gone and not quarrels, "somebody did not come, leave or quarrel")
    held(all(each["over"] for each in real), "not all matches are over")
    met = [frozenset(each["names"]) for each in real]
    held(len(met) == len(set(met)), "somebody met twice")
    evening.televisions("all-played")
    evening.picture(page, "laptop-all-played", whole=True)
    games = {row["name"]: row["games"] for row in entry["standings"]}
    print("games:", games)
    evening.close()


EVENINGS = {"six": (six, ("first",)), "fourteen": (fourteen, ("first", "second", "third"))}


def main() -> int:
    """Play them; 1 if something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--only", choices=sorted(EVENINGS))
    options = parser.parse_args()
    if why := no_browser():
        sys.exit(why)
    from playwright.sync_api import sync_playwright

    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name, (play, boards) in EVENINGS.items():
        if options.only not in (None, name):
            continue
        with kiosk(boards) as house, sync_playwright() as playwright:
            browser = launch(playwright)
            evening = Evening(house, browser, options.pictures, name)
            began = time.monotonic()
            try:
                play(evening)
                held(not evening.errors, f"errors of pages: {evening.errors[:3]}")
            except Wrong as error:
                wrong += 1
                print(f"{name}: WRONG: {error}")
            print(f"{name}: {time.monotonic() - began:.0f} s, {len(evening.phones)} phones")
            browser.close()
    return int(wrong > 0)


if __name__ == "__main__":
    os.environ.setdefault("CRIBBOARD_PORT", "sim")
    sys.exit(main())
