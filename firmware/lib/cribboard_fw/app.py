"""The application: one step of it reads keys, lets time pass, and reads or answers a host or lays out or sends a track.

Nothing here waits or reads a clock.
"""

from __future__ import annotations

from cribboard_core.events import DEAL, PEG, Refused
from cribboard_fw.buttons import IN_PLAY, Buttons
from cribboard_fw.clock import elapsed
from cribboard_fw.entry import Entry
from cribboard_fw.link import Link
from cribboard_fw.nvm import SILENT
from cribboard_fw.scene import CHECK, DARK, GAME, WON, GamePicture
from cribboard_fw.setup import Setup
from cribboard_fw.sound import Sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.keeper import Keeper
    from cribboard_fw.lights import Lights
    from cribboard_fw.settings import Settings
    from cribboard_fw.types import Mode, Parts

VERSION = "1.0.0"
UNDO_SHOWN_MS = 600  # what UNDO takes blinks so long at least
WON_SHOWN_MS = 4_000
DARK_AFTER_MS = 20 * 60_000
KEYS_A_STEP = 4


class App:
    """The board's behaviour over its parts; it is the mode for play itself, and gives way to the set-up."""

    where = IN_PLAY

    def __init__(self, settings: Settings, parts: Parts, keeper: Keeper, lights: Lights) -> None:
        self.settings = settings
        self.parts = parts
        self.keeper = keeper
        self.match = keeper.match
        self.lights = lights
        self.choice = parts.choice
        self.sound = Sound(parts.tone, self.choice.sound if settings.piezo_pin else 0)
        self.entry = Entry(self.match, self._pending_changed)
        places = [place for place in range(6) if settings.buttons[place]]
        self.mode: Mode = self
        self.buttons = Buttons(places, self)
        self.picture = GamePicture(self.match, self.entry)
        self.now: int = 0
        self._touched = -1  # when somebody did something, here or from a host
        if keeper.journal.log.lost or keeper.journal.log.torn:
            self.picture.view = CHECK  # until somebody touches a button, or a host has mended it
            self.sound.refused()
        self._looked = 0  # since when it is this view
        self._undo_since = -1  # when UNDO went down on a whole score, which blinks then
        self._undo_due = False  # and whether it is up: it goes when it has blinked enough
        about = (VERSION, parts.uid, len(parts.strips), settings.leds, len(places), parts.flags)
        self.link = Link(parts.port, keeper, self.entry, about, self.choose)
        keeper.own_lines = (settings.target, settings.skunk, settings.double)
        keeper.on_event = self._happened
        keeper.journal.crowded = not self.choice.kept
        self.changed = True  # the lights may be out of date
        self.owes = False  # the last step was a host's; the next one shows

    def step(self, now: int) -> bool:
        """Do what is due at this time (ticks in ms), at most 10 ms of work on a Pico unless the journal is erased.

        Returns whether anything happened; what only blinks or runs is nothing.
        """
        self.now = self.entry.now = now
        if self.keeper.due:
            return self.link.step()  # nothing comes between the steps of a command
        self.sound.step(now)
        for _ in range(KEYS_A_STEP):
            edge = self.parts.key()
            if edge is None:  # while one waits, a key that came up may have bounced
                self.buttons.step(now)
                break
            self.changed = True
            self._key(edge)
        self.mode.tick(now)
        self._time_passes(now)
        self.owes = (not self.owes or self.link.fresh) and self.link.step()
        busy = self.owes or self.changed
        idle = not busy and self.lights.settled
        if not self.owes and not self._paint(now) and idle:
            self.keeper.journal.prepare(self.match)
        return busy

    def enter(self, mode: Mode) -> None:
        """Let the buttons, time and events mean what they do in this mode."""
        self.mode = mode
        self.buttons.enter(mode)
        self.changed = True

    def tick(self, now: int) -> None:
        """Take back what has blinked enough, and peg what has waited long enough."""
        if self._undo_due and elapsed(now, self._undo_since) >= UNDO_SHOWN_MS:
            self._undo_now()
        if self.choice.commit_s:
            self._commit(self.entry.idle(1000 * self.choice.commit_s))

    def interrupt(self, session: int = 0) -> None:
        """End what blinks for UNDO: something else has happened."""
        self.picture.undoing = self._undo_due = False

    def plus(self, place: int, points: int) -> None:
        """+1 or +5 of a place: pending points."""
        self._undo_now()
        side = self.match.side_of(place)
        self.sound.pressed(side, self.entry.add(side, points) if side >= 0 else 0)

    def ok(self, place: int) -> None:
        """OK of a place: its side pegs what is pending."""
        self._undo_now()
        if not self._commit(self.match.side_of(place)):
            self.sound.refused()

    def tell(self, place: int) -> None:
        """OK held: its side's score is beeped, and the games won are shown."""
        side = self.match.side_of(place)
        if side >= 0:
            self.sound.score(self.match, side)
            self._look(WON)

    def undo_down(self) -> None:
        """UNDO goes down: the score that it would take begins to blink."""
        self._undo_now()
        if not self.entry.any and self.match.can_undo:
            self._undo_since = self.now
            self.picture.undoing = True

    def undo(self) -> None:
        """UNDO tapped: a press goes, or the score that blinks."""
        if self.picture.undoing:
            self._undo_due = True
        else:
            self.sound.taken(self.entry.take_back())

    def redo(self) -> None:
        """UNDO held: what undo took comes back."""
        self.interrupt()
        if self.match.can_redo:
            self.do(self.match.redo_event())
        else:
            self.sound.refused()

    def deal(self) -> None:
        """DEAL tapped: the deal passes."""
        self._undo_now()
        if self.match.winner < 0:
            self.do((DEAL, self.match.next_seat(), 0, 0, 0))
        else:
            self.sound.refused()

    def set_up(self) -> None:
        """DEAL held: the set-up opens."""
        self._undo_now()
        self.entry.drop()
        self.enter(Setup(self))

    def choose(self, brightness: int, sound: int, commit_s: int) -> list[object]:
        """Take what a host chooses, -1 for what there is; returns percent, sound, seconds and whether they are kept."""
        choice = self.choice
        piezo = self.settings.piezo_pin
        choice.choose(brightness, sound if piezo and sound < SILENT else -1, commit_s)
        self.keep()
        if brightness >= 0:
            self.lights.brighten(brightness)
        if sound >= 0 and piezo:
            self.sound.turn(sound % SILENT)
        return [choice.brightness, choice.sound if piezo else 0, choice.commit_s, int(choice.kept)]

    def keep(self) -> None:
        """Let a choice outlast the power: at once, or from a new game's first score on."""
        self.choice.keep()
        self.keeper.journal.crowded = not self.choice.kept

    def do(self, event: tuple[int, ...]) -> None:
        """Apply an event; when it is refused, say so."""
        try:
            self.keeper.do(event)
        except Refused as refused:
            self.link.say(refused.text)
            self.sound.refused()

    def _key(self, edge: tuple[int, bool, int]) -> None:
        number, pressed, when = edge
        if number < 0:
            self.buttons.lost(self.now)
            return
        dark = self.picture.view == DARK
        if pressed:
            self._touch()
        if pressed and dark:
            self.sound.moves(self.buttons.meaning(number)[0], True)
        self.buttons.key(number, pressed, when, dark)

    def _touch(self) -> None:
        self._touched = self.now
        self._look(GAME)

    def _look(self, view: int) -> None:
        self._looked = self.now
        if view != self.picture.view:
            self.picture.view = view
            self.changed = True

    def _commit(self, side: int) -> int:
        points = self.entry.take(side) if side >= 0 and not self.entry.owner[side] else 0
        if points:
            self.do((PEG, side, points, 0, 0))
        return points

    def _happened(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        self.changed = True
        self._touch()
        self.mode.interrupt(session)
        self.entry.after(event[0], event[1])
        self.link.event(rev, event, session, command_id)
        self.sound.happened(self.match, event)
        self.keep()  # the journal may have erased it

    def _pending_changed(self, side: int, points: int, owner: int) -> None:
        self.changed = True
        self._touch()
        self.link.pending(side, points, owner)

    def _time_passes(self, now: int) -> None:
        self.entry.expire()
        if self._touched < 0:
            self._touched = now
        view = self.picture.view
        if view == WON and elapsed(now, self._looked) >= WON_SHOWN_MS:
            self._look(GAME)
        elif view == GAME and elapsed(now, self._touched) >= DARK_AFTER_MS:
            self._look(DARK)
        eighths = self.buttons.progress(now)
        if eighths != self.picture.eighths:
            self.picture.eighths = eighths
            self.changed = True

    def _undo_now(self) -> None:
        if self._undo_due and self.match.can_undo:
            self.do(self.match.undo_event())
        self.interrupt()

    def _paint(self, now: int) -> bool:
        if self.changed and self.lights.settled:  # else a busy host might never be shown
            self.changed = False
            self.lights.update(self.match, self.mode.picture)
        return self.lights.show(self.parts.strips, now)
