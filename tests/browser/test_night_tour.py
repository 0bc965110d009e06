"""What the director of a night does beside the results, and players beside the next match: each once, in its place."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from browser.chromium import PHONE
from browser.house import House, Player, invitation, wait_for
from browser.test_night import begun, directing, night, on_wood, phone, points, result
from playwright.sync_api import Locator, Page, expect

# What the standings on paper say of the pub's best hand, and whether a television shows it: of tonight's night, and of
# an earlier one.
BEST = """async () => {
  const { paper } = await import("/static/night-paper.js");
  const { Wall } = await import("/static/night-wall.js");
  window.print = () => {};
  const node = document.getElementById("paper");
  const evening = await (await fetch("/api/night")).json();
  const seen = [];
  for (const tonight of [true, false]) {
    await paper(node, { ...evening, tonight }, "standings");
    const wall = Object.assign(new Wall(document.createElement("div")), { hand: { points: 24 }, evening: { tonight } });
    seen.push(node.textContent.includes("Best hand: 24, Ann."), wall.best !== null);
  }
  node.hidden = true;
  return seen;
}"""


@pytest.fixture
def staff(visit: Any, house: House) -> Page:
    return directing(visit, house)


def test_the_director_goes_through_all_that_can_be_done(visit: Any, staff: Page, house: House, player: Player) -> None:
    begun(staff, ["Ann", "Bob", "Cid", "Dee", "Eve"], 2)
    dialog, wrong, notes = staff.locator("#dialog"), staff.locator("#wrong"), staff.locator("#director .notes li")

    def chosen(name: str) -> None:
        dialog.get_by_role("button", name=re.compile(f"^{name}")).click()

    def more(name: str) -> None:
        staff.locator("[data-key=others]").click()
        chosen(name)

    def person(name: str, what: str) -> None:
        staff.get_by_role("button", name=f"More about {name}", exact=True).click()
        chosen(what)

    def about(match: Any, what: str) -> None:
        staff.locator(f"[data-key=more-{match['match']}]").click()
        chosen(what)

    def entrant(name: str) -> Any:
        return next(each for each in night(staff)["entrants"] if each["name"] == name)

    keys = staff.locator("#director kbd")
    more("Letter keys")
    expect(keys).to_have_count(0)
    more("Letter keys")
    expect(keys).to_have_count(6)
    on_board = next(each for each in night(staff)["matches"] if each["called"] and each["table"] == 1)
    staff.route("**/api/**", lambda route: route.abort())
    for press in (lambda: staff.locator(f"[data-key=more-{on_board['match']}]").click(), lambda: more("Attach a game")):
        staff.evaluate("document.getElementById('wrong').hidden = true")
        press()
        expect(wrong).to_contain_text("The kiosk does not answer")
    staff.unroute("**/api/**")
    about(on_board, "Start on the board")
    wait_for(lambda: [side["name"] for side in player.state["sides"]] == on_board["names"])
    wood = on_wood(staff)
    about(wood, "Another table")
    expect(dialog).to_contain_text("Which table?")
    expect(dialog.get_by_role("button", name=wood["place"], exact=True)).to_have_count(0)
    chosen(on_board["place"])
    expect(wrong).to_contain_text("play there. Wait, or choose another table.")
    about(wood, "Another table")
    chosen("Table 3")
    wait_for(lambda: on_wood(staff)["place"] == "Table 3")
    staff.get_by_label("All matches").check()
    one, other = (each for each in night(staff)["matches"] if each["round"] == 5 and not each["bye"])
    about(one, "Swap opponents")
    chosen(" v ".join(other["names"]))
    pairs = {frozenset(each["names"]) for each in (one, other)}
    wait_for(
        lambda: pairs.isdisjoint({frozenset(each["names"]) for each in night(staff)["matches"] if each["round"] == 5})
    )
    about(one, "Remove this match")
    wait_for(lambda: one["match"] not in [each["match"] for each in night(staff)["matches"]])
    about(wood, f"{wood['names'][1]} wins without a game")
    wait_for(lambda: result(staff, wood).get("said") == f"{wood['names'][1]} without a game")
    name = wood["names"][0]
    person(name, "Table")
    chosen("Table 2")
    wait_for(lambda: entrant(name)["table"] == "Table 2")
    somebody = phone(visit, staff, wood["names"][1])
    number = entrant(wood["names"][1])["phone"]
    person(name, "Phone")
    chosen(f"{wood['names'][1]}, {number}")
    expect(somebody.locator(".you strong")).to_have_text(name)
    person(name, "Leaves")
    wait_for(lambda: dialog.is_visible() or not entrant(name)["here"])
    if dialog.is_visible():  # called again meanwhile
        chosen("Remove this match")
    person(name, "Is back")
    wait_for(lambda: entrant(name)["here"])
    person(name, "Points")
    dialog.get_by_label("Points, such as").fill("abc")
    dialog.get_by_label("Why?").fill("late")
    staff.keyboard.press("Enter")
    expect(dialog.locator(".notice")).to_contain_text("isn\u2019t a number of points")
    dialog.get_by_label("Points, such as").fill("\u22121,5")
    staff.keyboard.press("Enter")
    expect(notes).to_have_text([f"{name} \u22121.5: late"])
    more("Write a note")
    dialog.get_by_role("textbox").fill("Bob won the raffle")
    staff.keyboard.press("Enter")
    expect(notes.last).to_have_text("Bob won the raffle")
    more("Plan again")
    wait_for(lambda: not staff.locator("#kept").is_visible())
    more("One more round")
    expect(dialog).to_contain_text("The most anybody has played is 1 game. Fewer have: ")
    chosen("Leave it")
    more("Attach a game")
    expect(wrong).to_have_text("No game on a board was won by people of this night.")
    for pegged in (40, 40, 40, 1):
        player.do("peg", side=1, points=pegged)
    wait_for(lambda: result(staff, on_board)["state"] == "agreed")
    more("Attach a game")
    chosen(r"\d.* 121 . .* 0")
    expect(wrong).to_contain_text("is part of this night already")
    screen = visit("/night?view=tv", {"width": 1280, "height": 800})
    expect(screen.locator(".at").first).to_have_css("text-overflow", "clip")  # a fraction of a pixel costs no letters
    staff.route("**/api/tonight", lambda route: route.fulfill(json={"best_hand": {"points": 24, "by": "Ann"}}))
    assert staff.evaluate(BEST) == [True, True, False, False]
    ended(staff)


def ended(staff: Page) -> None:
    """The night is closed; what is said of two winners, of a night without one, and what a deleted night leaves."""
    dialog, said = staff.locator("#dialog"), staff.locator("#announcer")
    staff.locator("[data-key=close]").click()
    dialog.get_by_role("button", name="Close it").click()
    staff.route("**/begin", lambda route: route.abort())
    staff.locator("[data-key=begin]").click()
    expect(staff.locator("#wrong")).to_contain_text("The kiosk does not answer")
    staff.unroute("**/begin")
    base = staff.url.partition("/night")[0]
    staff.goto(f"{base}/staff")
    begun(staff, ["Ann", "Bob", "Cid", "Dee"], 2, rounds=1)
    assert staff.locator("#pasted").count() == 0  # whose form is gone
    for match in night(staff)["matches"]:
        points(staff, match, 1).fill("100")
        points(staff, match, 1).press("Enter")
        wait_for(lambda match=match: result(staff, match)["state"] == "settled")
    staff.locator("[data-key=close]").click()
    dialog.get_by_role("button", name="Close it").click()
    first = " and ".join(row["name"] for row in night(staff)["standings"][:2])
    expect(said).to_have_text(f"The night is over. {first} win.")
    staff.goto(f"{base}/staff")
    begun(staff, ["Ann", "Bob"], 1, rounds=1)
    number = night(staff)["night"]
    staff.locator("[data-key=close]").click()
    dialog.get_by_role("button", name="Close it").click()
    staff.reload()
    expect(said).to_have_text("The night is over")  # nobody has won, and nobody is called
    staff.get_by_role("button", name="Reopen this one").click()
    dialog.get_by_role("textbox").fill("a slip")
    staff.keyboard.press("Enter")
    staff.goto(f"{base}/night?night={number}")
    staff.locator("[data-key=others]").click()
    dialog.get_by_role("button", name="Delete this night").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(staff).to_have_url(f"{base}/night")
    expect(staff.locator("[data-key=begin]")).to_be_visible()


class WithoutPin(House):
    """A house without staff: a phone begins its night."""

    def start(self) -> None:
        """Begin to serve as a service does, for which no PIN is made."""
        command = [sys.executable, "-m", "cribboard", "kiosk", "--host", "127.0.0.1", "--web-port", str(self.port)]
        virtual = [each for name in self.boards for each in ("--virtual", name)]
        self._process = subprocess.Popen(
            [*command, *virtual], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self._environment()
        )
        wait_for(self._serves)

    def _serves(self) -> bool:
        try:
            return bool(self.get("/api/boards"))
        except OSError:
            return False


@pytest.fixture(scope="module")
def free_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with WithoutPin(tmp_path_factory.mktemp("free") / "house") as one:
        yield one


def test_phones_run_a_night_alone(visit: Any, free_house: House) -> None:
    """One begins it and passes it on; three report, and answer in the order that they choose."""
    base = free_house.address
    guest = visit(f"{base}/night", PHONE)
    expect(guest.locator("#begin")).to_contain_text("Join a table with this phone, then begin one here.")
    phones = [visit(invitation(free_house), PHONE, has_touch=True) for _ in range(3)]
    for one in phones:
        one.get_by_text("Which side is yours?").wait_for()
        one.goto(f"{base}/night")
    first = phones[0]
    name, said, go = first.locator("#title"), first.locator("#comes"), first.locator("#go")
    for each in ("Ann", "Bob", "Cid"):
        name.fill(each)
        name.press("Enter")
    name.fill("Dee")
    first.get_by_role("button", name="Add", exact=True).tap()
    expect(name).to_be_focused()
    first.locator("[data-key=name-Dee]").uncheck()
    first.locator(".boards input[type=checkbox]").uncheck()
    first.locator("#wooden").fill("0")
    expect(said).to_have_text("Choose at least one table.")
    first.locator("#wooden").fill("200")
    expect(said).to_contain_text("Use a whole number from 0 to 100.")
    expect(go).to_have_attribute("aria-disabled", "true")
    go.tap(force=True)
    first.locator("#wooden").fill("2")
    expect(said).to_contain_text("3 players, 2 tables, 3 rounds")
    go.tap()
    first.locator("#director .clock").wait_for()
    by_name: dict[str, Page] = {}
    for one, each in zip(phones, ("Ann", "Bob", "Cid"), strict=True):
        one.goto(f"{base}/night?view=phone")
        one.get_by_role("button", name=each, exact=True).tap()
        one.get_by_role("heading", name="My card").wait_for()
        by_name[each] = one

    def reported(winner: str, loser: str) -> None:
        page = by_name[winner]
        page.reload()  # a phone looks by itself every four seconds
        expect(page.locator(".next .rival", has_text=loser)).to_be_visible()
        page.locator(".report").get_by_role("button", name=winner, exact=True).tap()
        page.locator("#points").fill("100")
        page.keyboard.press("Enter")
        expect(page.locator(".sent")).to_contain_text(f"{winner} won 121\u2060\u2013\u2060100")

    matches = [each for each in night(first)["matches"] if not each["bye"]]
    asked = next(name for name in matches[0]["names"] if name in matches[1]["names"])
    one, other = (next(name for name in match["names"] if name != asked) for match in matches[:2])
    reported(one, asked)
    reported(other, asked)
    reported(one, other)
    card = by_name[one].locator(".own-card")
    card.get_by_role("button", name=f"Change: the game with {asked}").tap()
    expect(by_name[one].locator(".report")).to_contain_text("Round 1, your result: who won?")
    by_name[one].get_by_role("button", name="Cancel").tap()
    answers = by_name[asked]
    answers.reload()
    answers.get_by_role("button", name=f"Answer: the game with {other}").tap()
    expect(answers.locator(".ask h2")).to_contain_text(f"{other} won")
    answers.get_by_role("button", name=f"Back: the game with {other}").tap()
    expect(answers.locator(".ask h2")).to_contain_text(f"{one} won")
    answers.get_by_role("button", name="Right", exact=True).tap()
    expect(answers.locator(".ask h2")).to_contain_text(f"{other} won")
    answers.get_by_role("button", name="Not right").tap()
    by_name[other].reload()
    expect(by_name[other].locator(".dispute")).to_contain_text("You and")
    passed_on(first, phones[1], base)


def passed_on(first: Page, second: Page, base: str) -> None:
    """The phone that began the night gives it to Bob's, which directs it from then on."""
    first.goto(f"{base}/night")
    first.get_by_role("link", name="My match").tap()
    expect(first).to_have_url(f"{base}/night?view=phone")
    first.goto(f"{base}/night")
    first.locator("[data-key=others]").tap()
    dialog: Locator = first.locator("#dialog")
    dialog.get_by_role("button", name="Pass the night on").tap()
    dialog.get_by_role("button", name=re.compile("^Bob, phone")).tap()
    expect(first.locator("#player")).to_be_visible()
    second.goto(f"{base}/night")
    expect(second.locator("#director .clock")).to_be_visible()
