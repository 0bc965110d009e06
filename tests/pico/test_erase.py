"""The power is cut while the real firmware erases its journal; the real host gives back what was lost, and once."""

from __future__ import annotations

from pathlib import Path

import pytest
from pico.emulator import MakePico, Pico
from pico.firmware import Wire, firmware_files

from cribboard.board.client import Board
from cribboard.errors import TransportError
from cribboard_core.events import PEG, SET
from cribboard_core.journal import TRIES, Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

EPOCH = 77
READ_MS = 2


class Plug:
    """A program's cable to an emulated board, in the board's own time; who plugs it in again switches the board on."""

    name = "emulated"

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        if not pico.powered:
            pico.boot()

    def read(self) -> bytes:
        if not self.pico.powered:
            raise TransportError("the board on the emulated cable is gone", "plug it in")
        self.pico.run(READ_MS)
        return self.pico.read()

    def write(self, data: bytes) -> None:
        self.pico.write(data)

    def close(self) -> None:
        pass

    wake = close


def full(room: int) -> bytes:
    """The flash of a board in mid-game with so many slots of its journal left; the pegs of side 0 are at 12 and 0."""
    nvm = bytearray(b"\xff" * 4096)
    match, journal = Match(), Journal(nvm)
    journal.mount(match, EPOCH)
    keeper = Keeper(match, journal)
    keeper.do((SET, 0, 121, 100, 0))
    keeper.do(keeper.new([121, 3, 2, 1, -1, -1]))
    keeper.do((PEG, 0, 12, 0, 0))
    while journal.free > room:
        keeper.do((PEG, 0, 0, 0, 0))
    return bytes(nvm)


@pytest.fixture(scope="module")
def pico(pico_with: MakePico) -> Pico:
    return pico_with(firmware_files())


# None: no cut; in the erase itself, in the snapshot that is written then, among the events that undo can take back
# The first byte of an erase costs nothing, and behind the snapshot's copy the score is there.
@pytest.mark.parametrize(
    ("cut", "healed"),
    [(None, {0}), (("erase", 1), {0}), (("erase", 2_000), {1}), (("program", 30), {1}), (("program", 300), {0, 1})],
)
def test_a_cut_in_an_erase_is_healed_by_the_host_and_the_command_counts_once(
    pico: Pico, tmp_path: Path, cut: tuple[str, int] | None, healed: set[int]
) -> None:
    pico.power_off()
    pico.set_nvm(full(TRIES))
    wire = Wire(pico)
    erases = pico.counts["nvm_erases"]
    assert wire.hello[5] == EPOCH
    notices: list[str] = []
    plugged: list[Plug] = []

    def plug_in() -> Plug:
        plugged.append(Plug(pico))
        return plugged[-1]

    with Board(
        plug_in,
        tmp_path,
        clock=lambda: pico.now_ms / 1000,
        pause=lambda seconds: pico.run(seconds * 1000),
        on_notice=notices.append,
    ) as board:
        board.peg(0, 0)
        assert pico.counts["nvm_erases"] == erases, "there was room for one more"
        if cut:
            pico.cut_power_at(cut[1], kind=cut[0])
        board.peg(1, 7)
        assert len(plugged) == (2 if cut else 1)
        standing = board.sync()
        assert (standing.front(0), standing.front(1), standing.won) == (12, 7, (1, 0))
        assert sum("has been restored" in notice for notice in notices) in healed, notices
        assert board.check()
        board.peg(0, 1)
        assert board.sync().front(0) == 13
    assert pico.counts["nvm_erases"] > erases
    pico.run(200)
    kept = Match()
    assert Journal(bytearray(pico.nvm())).mount(kept, 0)
    assert (kept.front(0), kept.front(1), kept.won(0)) == (13, 7, 1)
