"""The lights of all tracks: which of them is due, painted so that at no moment they draw more than the limit."""

from __future__ import annotations

from cribboard_fw import power, scene
from cribboard_fw.clock import elapsed
from cribboard_fw.paint import MOST_MIXED, Palette, Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.match import Match
    from cribboard_fw.types import Picture, Strip

_UNKNOWN = -2


class Lights:
    """`update` when anything has changed, `step` in every turn of the loop, and send the `frame` of what it names."""

    def __init__(self, tracks: int, leds: int, brightness: int, limit_ma: int, skip: int = 0, strong: int = 0) -> None:
        self._tracks = tracks
        self._leds = leds
        self._palette = Palette(brightness, strong)
        self._allowed = power.allowance(tracks * (skip + leds), limit_ma)
        self._skip = skip  # dark pixels before the first of a strip
        dark = [0] * leds
        inks, lit = list(dark), bytearray(leds)  # of the sheet that is laid out
        self._sheets = [Sheet(dark, inks, lit) for _ in range(tracks)]
        self._scenes = [bytearray(scene.SCENE_BYTES) for _ in range(tracks)]
        self._spare = bytearray(scene.SCENE_BYTES)
        self._stale = [False] * tracks  # the scene is newer than the sheet
        self._queue: list[int] = []  # tracks to paint
        self._painted = False  # the first of them is, but not yet sent
        self._light = [0] * tracks  # what the channels of a track can sum up to, undimmed
        self._drawn = [0] * tracks  # and what they could when it was painted, dimmed, in 256ths
        self._winner = _UNKNOWN
        self._show: tuple[int, ...] = ()  # comets: who, gap, race, LEDs a frame
        self._runs: list[scene.Run | None] = [None] * tracks
        self._began = -1
        self._turn = 0

    @property
    def settled(self) -> bool:
        """Whether what was taken in is shown."""
        return not self._queue and True not in self._stale

    def brighten(self, brightness: int) -> None:
        """Show everything at another brightness in percent."""
        self._palette.brighten(brightness)
        self._stale = [True] * self._tracks

    def update(self, match: Match, picture: Picture) -> None:
        """Take in what the board is to show; a track whose part of it has not changed is left alone.

        What changes the picture ends a show.
        """
        changed = False
        for track in range(self._tracks):
            fresh, known = self._spare, self._scenes[track]
            picture.fill(fresh, track, self._tracks)
            if fresh != known:
                changed = True
                self._scenes[track], self._spare = fresh, known
                self._stale[track] = True
        if changed:
            self._end_show()
        winner = match.winner
        if winner >= 0 and self._winner == -1:
            worst = max([match.skunked(side) for side in match.sides])
            self._show = (winner, scene.SKUNK_GAPS[worst], scene.RACE, 2)
            self._stale = [True] * self._tracks
        self._winner = winner

    def step(self, now: int) -> int:
        """Do one track's work at this time in ms; returns the track whose `frame` is to be sent, or -1.

        Send it before the next step: the order of tracks is what keeps the limit while the brightness changes.
        """
        if True in self._stale:
            self._lay_out(self._stale.index(True))
            if True not in self._stale:
                self._settle()
            return -1
        if self._queue:
            track = self._queue[0]
            if not self._painted:
                mixed = self._sheets[track].mix(self._palette)
                if mixed < MOST_MIXED:
                    self._sheets[track].paint(now)
                    self._painted = self._winner >= 0 or mixed > 2
                if mixed > 2 or self._painted:
                    return -1
            self._painted = False
            self._begin(self._queue.pop(0), now)
            return track
        for _ in range(self._tracks):
            self._turn = (self._turn + 1) % self._tracks
            if self._moves(self._turn, now):
                return self._turn
        return -1

    def show(self, strips: list[Strip], now: int) -> bool:
        """Do one step, and send what it names; returns whether that was anything."""
        track = self.step(now)
        if track >= 0:
            strips[track][self._skip :] = self.frame(track)
            strips[track].show()
        return track >= 0

    def frame(self, track: int) -> list[int]:
        """The packed colours of a track as they are now, to be read and not kept."""
        run = self._runs[track]
        return run.lights if run else self._sheets[track].frame

    def _lay_out(self, track: int) -> None:
        self._stale[track] = self._painted = False
        sheet = self._sheets[track]
        scene.lay_out(sheet, self._scenes[track], track, self._tracks, self._leds)
        self._light[track] = sheet.finish(self._palette)
        if self._show:
            self._light[track] += scene.comets_light(self._palette, self._leds, self._show[0], self._show[1])
        if track not in self._queue:
            self._queue.append(track)

    def _settle(self) -> None:
        scale = power.scale(sum(self._light), self._allowed)
        if scale != self._palette.scale:
            self._palette.rescale(scale)
            self._queue = list(range(self._tracks))
        # what grows darker goes first: then no moment between draws more than the picture before or the one after
        if len(self._queue) > 1:
            self._queue.sort(key=lambda track: (self._light[track] * scale - self._drawn[track]) * 8 + track)

    def _begin(self, track: int, now: int) -> None:
        self._drawn[track] = self._light[track] * self._palette.scale
        self._runs[track] = None
        if self._show:
            who, gap, race, stride = self._show
            if self._began < 0:
                self._began = now
            lights = scene.comets(self._palette, self._leds, who, gap)
            self._runs[track] = scene.Run(lights, self._sheets[track].frame, race, stride)

    def _moves(self, track: int, now: int) -> bool:
        run = self._runs[track]
        if run is None:
            return self._sheets[track].blink(now)
        if not run.done:
            return run.advance(elapsed(now, self._began))
        self._end_show()  # the other tracks are there too, or a frame behind
        return False

    def _end_show(self) -> None:
        if self._show:
            self._show = ()
            self._began = -1
            self._stale = [True] * self._tracks
