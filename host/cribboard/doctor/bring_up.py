"""Bring-up: the light, the buttons and the sound of a new board, tried one by one with the person who built it.

The builder answers what no program can see: which colour it is, whether a light is dark. A light that is dark is
found by halving. The report stays in the user's folder, and the doctor reads it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from cribboard.board.link import Connection, Message, NoAnswer
from cribboard.board.transport import SerialTransport, Transport
from cribboard.errors import CribboardError, TransportError
from cribboard.files import ensure_folder, home, parse_line, read_file, write_whole

FULL = 256  # of `Board.light`: not dimmed
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255, 255, 255)}
DIM = 5  # light for the eyes of somebody who sits before it: a fifth
STREET = 30
STREET_S = 0.3  # a street is lit in the walk
TONES, TONE_S = (262, 330, 392, 523), 0.25
KEY_S = 20.0  # so long a button is waited for
ANSWER_S = 3.0
NAMES = ("+1", "+5", "OK")
HOW = (
    "hold +1 of any player and UNDO while you plug the board in; count slowly to six (white dots grow), and let go.\n"
    "Then a block of light walks over the board, and this goes on"
)


class NotInBringUp(CribboardError):
    """The board plays, or is older than the bring-up."""


@dataclass(frozen=True)
class About:
    """What the board says of itself; `order` is PIXEL_ORDER, `keys` how many buttons are wired by its settings."""

    uid: str
    tracks: int
    leds: int
    keys: int
    order: str
    limit_ma: int


@dataclass(frozen=True)
class Step:
    """One thing that was tried."""

    name: str
    good: bool
    what: str
    todo: str = ""


class People(Protocol):
    """The person in front of the board."""

    def ask(self, question: str, answers: Sequence[str]) -> str:
        """One of the answers."""

    def tell(self, text: str) -> None:
        """A line for them to read."""


class Board:
    """A board in its bring-up, at a port."""

    def __init__(
        self,
        port: str,
        reach: Callable[[str], Transport] = SerialTransport,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pause = pause
        self.clock = clock
        self.streets: Sequence[range] = ()  # of the face, by its lights, where they are known
        self._pressed: list[int] = []
        self._number = 0
        nothing: Callable[..., None] = lambda *ignored: None  # noqa: E731
        self._line = Connection(
            lambda: reach(port),
            clock=clock,
            pause=pause,
            on_push=self._heard,
            on_open=nothing,
            on_away=self._away,
            give_up_s=ANSWER_S,
        )
        self._line.open()
        try:
            self.about = self._greet()
        except BaseException:
            self._line.close()
            raise

    def close(self) -> None:
        """Let the port go; the board stays in its bring-up."""
        self._line.close()

    def hole(self, led: int) -> str:
        """What a light is called on the face."""
        return hole(led, self.about.leds, self.streets)

    def end(self) -> None:
        """Let the board go on to its game."""
        self._ask("end")

    def light(self, track: int, leds: range, colour: Sequence[int]) -> int:
        """Light these and nothing else; returns by how many 256ths the board dims them to keep its limit."""
        return int(self._ask("light", track, leds.start, leds.stop, *colour)[2])

    def tone(self, hertz: int) -> None:
        """Sound the piezo; 0 is silence."""
        self._ask("tone", hertz)

    def pressed(self, seconds: float) -> int | None:
        """The next button that is pressed, counted from 0."""
        self._pressed.clear()
        ends = self.clock() + seconds
        while not self._pressed and self.clock() < ends:
            self._line.listen()
        return self._pressed[0] if self._pressed else None

    def _greet(self) -> About:
        try:
            answer = self._ask("bring-up")
        except NoAnswer as error:
            raise NotInBringUp(f"nothing answers at {self._line.name}", HOW) from error
        types = [str, int, int, int, str, int]
        if [type(item) for item in answer[2:]] != types or sorted(answer[6]) != sorted("RGB"):
            raise self._not_in_bring_up()
        return About(*answer[2:])

    def _ask(self, op: str, *args: int) -> Message:
        number = self._number = self._number % 255 + 1
        answer = self._line.attempt(
            [op, number, *args],
            lambda heard: heard[:2] == [op, number] or heard[:3] in (["no", 0, 0], ["no", 0, number]),
        )
        if answer[0] == "no":  # it has restarted, and plays
            raise self._not_in_bring_up()
        return answer

    def _not_in_bring_up(self) -> NotInBringUp:
        return NotInBringUp(f"the board at {self._line.name} is not in its bring-up", HOW)

    def _away(self, error: TransportError) -> None:
        """A board that is gone hears no button; it comes back to its game, or to a bring-up from the beginning."""
        raise TransportError(error.message, f"to start again, {HOW}")

    def _heard(self, message: Message) -> None:
        if message[0] == "key" and message[2:] == [1] and type(message[1]) is int:
            self._pressed.append(message[1])


def try_all(board: Board, people: People) -> Iterator[Step]:
    """All steps, each when it has been tried; what is wrong does not keep the later ones from being tried."""
    about = board.about
    yield _order(board, people)
    tracks: list[Step] = []
    for track in range(about.tracks):
        tracks.append(_track(board, people, track))
        yield tracks[-1]
    if tracks[0].good:
        yield _front(board, people)
    board.light(0, range(0), (0, 0, 0))
    for key in range(about.keys):
        yield _button(board, people, key)
    yield _limit(board)
    yield _sound(board, people)
    board.light(0, range(0), (0, 0, 0))


def order_of(sent: str, seen: dict[str, str]) -> str:
    """PIXEL_ORDER of the strip, when with the order `sent` red, green and blue look as `seen` says."""
    return "".join(seen[{"R": "red", "G": "green", "B": "blue"}[letter]][0].upper() for letter in sent)


def hole(led: int, leds: int, streets: Sequence[range] = ()) -> str:
    """What a light is called on a face with these streets."""
    if led == leds - 1:
        return "the game hole"
    for number, street in enumerate(streets, 1):
        if led in street:
            return f"hole {led + 1} (street {number}, number {led - street.start + 1} of it)"
    return f"hole {led + 1}"


def key_name(key: int, keys: int) -> str:
    """What a button is called, by its number."""
    if key >= keys - 2:
        return ("UNDO", "DEAL")[key - keys + 2]
    return f"{NAMES[key % 3]} of player {key // 3 + 1}"


def report_file(uid: str) -> Path:
    """Where the newest report of a board is."""
    return home() / "boards" / f"{uid}.bring-up.json"


def keep(about: About, steps: Sequence[Step], when: datetime | None = None) -> Path:
    """Write the report."""
    path = report_file(about.uid)
    ensure_folder(path.parent)
    at = (when or datetime.now(UTC)).isoformat(timespec="seconds")
    report = {"at": at, **asdict(about), "steps": [asdict(step) for step in steps]}
    write_whole(path, json.dumps(report, indent=2) + "\n")
    return path


def kept(uid: str) -> str:
    """What the newest report of a board says in a line; empty without a report that can be read."""
    try:
        report = parse_line(read_file(report_file(uid)).replace(b"\n", b" ")) or {}
        steps, at = report["steps"], str(datetime.fromisoformat(str(report["at"])).date())
        if report["uid"] != uid or not isinstance(steps, list) or not steps:
            return ""
        wrong = [str(step["what"]) for step in steps if step["good"] is not True]
        return f"brought up on {at}: {'; '.join(wrong) or 'all was well'}"
    except (OSError, KeyError, TypeError, ValueError):
        return ""


def _order(board: Board, people: People) -> Step:
    seen = _two_colours(board, people)
    if seen["red"] == seen["green"] != "none":
        people.tell("Twice the same colour: look once more.")
        seen = _two_colours(board, people)
    if "none" in seen.values():
        todo = "check 5 V and ground at the strip, then the wire from the shifter to its data input (DIN, not DOUT)"
        return Step("colours", False, "the first lights of track 1 stay dark", todo)
    if "mixed" in seen.values():
        what = "the first lights of track 1 have different colours"
        return Step(
            "colours", False, what, "a strip with four colours (RGBW) cannot work; use WS2812B, which has three"
        )
    if seen["red"] == seen["green"]:
        return Step("colours", False, f"red and green both look {seen['red']}", "use another strip: WS2812B, GRB")
    seen["blue"] = ({"red", "green", "blue"} - set(seen.values())).pop()
    order = order_of(board.about.order, seen)
    if order == board.about.order:
        return Step("colours", True, f"PIXEL_ORDER is {order}, as the strip has it")
    todo = f'`cribboard setup --order {order}` corrects it, or write PIXEL_ORDER = "{order}" into settings.toml'
    return Step("colours", False, f"PIXEL_ORDER is {board.about.order}, and the strip's is {order}", todo)


def _two_colours(board: Board, people: People) -> dict[str, str]:
    seen = {}
    for colour in ("red", "green"):
        board.light(0, range(10), _dim(colour))
        answers = ("red", "green", "blue", "mixed", "none")
        seen[colour] = people.ask("Which colour do the first ten lights of track 1 have?", answers)
    return seen


def _track(board: Board, people: People, track: int) -> Step:
    leds = board.about.leds
    name = f"track {track + 1}"
    while True:
        people.tell(f"Red, green, blue and white walk over {name}, street by street.")
        _walk(board, track)
        answer = people.ask(f"Did every light of {name} glow in every colour?", ("yes", "no", "again"))
        if answer == "yes":
            return Step(name, True, f"all {leds} lights of {name} glow in every colour")
        if answer == "no":
            break
    colour = people.ask("In which colour were some dark?", tuple(COLOURS))
    dark = _first_dark(board, people, track, colour)
    if dark is None:
        return Step(name, True, f"all {leds} lights of {name} glow in {colour}, looked at again")
    what = f"{board.hole(dark)} of {name} stays dark in {colour}"
    rest = range(dark + 1, leds)
    if rest and not _all_lit(board, people, track, rest, colour):
        todo = "the data stops there: resolder the joints of this light and of the one before it, or replace both"
        return Step(name, False, f"{name} is dark from {board.hole(dark)} on", todo)
    return Step(
        name, False, what, "replace this light: cut it out and solder another one in, its arrow along the strip"
    )


def _walk(board: Board, track: int) -> None:
    leds = board.about.leds
    for colour in COLOURS:
        for street in board.streets or [range(first, min(first + STREET, leds)) for first in range(0, leds, STREET)]:
            board.light(track, street, _dim(colour))
            board.pause(STREET_S)


def _first_dark(board: Board, people: People, track: int, colour: str) -> int | None:
    """The first light that is dark, by halving; None when all are lit after all."""
    while not _all_lit(board, people, track, range(board.about.leds), colour):
        first, stop, alone = 0, board.about.leds, False
        while stop - first > 1:
            half = (first + stop) // 2
            if _all_lit(board, people, track, range(first, half), colour):
                first, alone = half, False
            else:
                stop, alone = half, half - first == 1
        if alone or not _all_lit(board, people, track, range(first, stop), colour):
            return first
        people.tell("So no light is dark after all. Look once more.")
    return None


def _all_lit(board: Board, people: People, track: int, leds: range, colour: str) -> bool:
    board.light(track, leds, _dim(colour))
    names = f"from {board.hole(leds.start)} to {board.hole(leds.stop - 1)}"
    if len(leds) == 1:
        return people.ask(f"Now only {board.hole(leds.start)} should glow. Does it?", ("yes", "no")) == "yes"
    return people.ask(f"Now {names} should glow: {len(leds)} lights. Do they all?", ("yes", "no")) == "yes"


def _front(board: Board, people: People) -> Step:
    """Whether light comes through paper and face to a chair, and stays in its hole."""
    led = board.about.leds // 4
    board.light(0, range(led, led + 1), COLOURS["white"])
    people.tell("Sit down in a chair. (Answer later, if the board has no face yet.)")
    question = f"Only {board.hole(led)} should glow. Is it bright, and dark in the holes beside it?"
    answer = people.ask(question, ("yes", "no", "later"))
    if answer == "no":
        todo = "lay the paper right behind the face, tighten the light guides' screws, and paint a white guide black"
        return Step("front", False, "light does not come to a chair, or comes out of the next hole", todo)
    good = "light comes to a chair, and stays in its hole"
    return Step("front", True, good if answer == "yes" else "the front was not looked at yet")


def _button(board: Board, people: People, key: int) -> Step:
    keys = board.about.keys
    name = key_name(key, keys)
    people.tell(f"Press {name}.")
    pressed = board.pressed(KEY_S)
    if pressed not in (key, None):
        people.tell(f"That was {key_name(pressed or 0, keys)}. Once more: press {name}.")
        pressed = board.pressed(KEY_S)
    if pressed == key:
        board.light(0, range(5 * key % board.about.leds, 5 * key % board.about.leds + 1), COLOURS["white"])
        return Step(name, True, f"{name} works")
    if pressed is None:
        todo = "check its two wires, one to its pin and one to ground, and its pin in settings.toml"
        return Step(name, False, f"{name} was not heard for {KEY_S:.0f} seconds", todo)
    other = key_name(pressed, keys)
    todo = "exchange their wires, or their pins in settings.toml"
    return Step(name, False, f"where {name} should be, {other} was heard", todo)


def _limit(board: Board) -> Step:
    about = board.about
    dimmed = board.light(0, range(about.leds), COLOURS["white"])
    if dimmed >= FULL:
        return Step("current limit", True, f"one track in full white stays below {about.limit_ma} mA")
    percent = round(100 * dimmed / FULL)
    return Step("current limit", True, f"one track in full white is dimmed to {percent} % to keep {about.limit_ma} mA")


def _sound(board: Board, people: People) -> Step:
    for hertz in (*TONES, 0):
        board.tone(hertz)
        board.pause(TONE_S)
    heard = people.ask("Did you hear four rising tones?", ("yes", "no", "no piezo"))
    if heard == "no":
        todo = "check the piezo's two wires and PIEZO_PIN in settings.toml; it must be a passive piezo"
        return Step("sound", False, "the piezo was not heard", todo)
    return Step("sound", True, "the piezo plays" if heard == "yes" else "the board has no piezo")


def _dim(colour: str) -> tuple[int, ...]:
    return tuple(channel // DIM for channel in COLOURS[colour])


def find(ports: Callable[[], Sequence[str]], seconds: float, open_at: Callable[[str], Board] = Board) -> Board:
    """The first board that is in its bring-up, waited for; raises NotInBringUp."""
    ends = time.monotonic() + seconds
    while True:
        for port in ports():
            try:
                return open_at(port)
            except (TransportError, NotInBringUp):
                continue
        if time.monotonic() >= ends:
            raise NotInBringUp("no board is in its bring-up", HOW)
        time.sleep(0.3)
