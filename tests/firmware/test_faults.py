"""Faults in a row are counted over resets, and the journal does not notice."""

from random import Random

import pytest

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.nvm import MOST_IN_A_ROW, Faults, at, used


def test_an_erased_flash_has_no_faults():
    assert Faults(bytearray(b"\xff" * 4096)).in_a_row == 0


def test_faults_are_still_counted_after_a_reset_until_there_are_too_many():
    nvm = bytearray(b"\xff" * 4096)
    for number in range(MOST_IN_A_ROW):
        assert not Faults(nvm).gives_up()
        Faults(nvm).fault()
        assert Faults(nvm).in_a_row == number + 1
    assert Faults(nvm).gives_up()


def test_running_well_starts_the_count_anew():
    nvm = bytearray(b"\xff" * 4096)
    faults = Faults(nvm)
    faults.fault()
    faults.fault()
    faults.well()
    assert Faults(nvm).in_a_row == 0
    Faults(nvm).fault()
    assert Faults(nvm).in_a_row == 1


def test_a_board_that_runs_well_writes_nothing():
    nvm = bytearray(b"\xff" * 4096)
    Faults(nvm).well()
    assert nvm == b"\xff" * 4096


def test_marks_erase_nothing_and_leave_the_journal_alone():
    flash = Flash(bytearray(b"\xff" * 4096))
    match = Match()
    journal = Journal(flash)
    journal.mount(match, 1)
    for rev in range(1, 40):
        event = (2, rev % 2, 1, 0, 0)
        journal.append(match, event)
        match.apply(rev, event)
        Faults(flash).fault()
    again = Match()
    assert Journal(flash).mount(again, 2)
    assert (again.front(0), again.front(1)) == (19, 20)
    assert flash.erases == 0


def test_a_mark_after_the_journal_has_erased_the_others_is_counted():
    nvm = bytearray(b"\xff" * 4096)
    faults = Faults(nvm)
    faults.fault()
    faults.fault()
    nvm[:] = b"\xff" * 4096
    faults.fault()
    assert Faults(nvm).in_a_row == 1


def test_when_all_marks_are_used_the_count_stays_as_it_is():
    nvm = bytearray(b"\xff" * 256)
    faults = Faults(nvm)
    for _ in range(9):
        faults.fault()
    assert Faults(nvm).in_a_row == 4


def test_the_page_that_the_journal_begins_with_is_the_last_to_be_marked():
    nvm = bytearray(b"\xff" * 4096)
    faults = Faults(nvm)
    for _ in range(60):
        assert nvm[252:256] == b"\xff" * 4
        faults.fault()
    assert nvm[4092:] == b"FFFF"
    faults.fault()
    assert nvm[252:256] == b"F\xff\xff\xff"
    assert Faults(nvm).in_a_row == 61


def test_a_cut_in_a_mark_leaves_the_journal_as_it_is_and_the_next_mark_counts():
    for chance in (None, Random(3)):
        flash = Flash(bytearray(b"\xff" * 4096))
        Journal(flash).mount(Match(), 1)
        whole = bytes(flash.memory[:4080])
        flash.cut = Cut(flash.changed, chance)
        with pytest.raises(PowerCut):
            Faults(flash).fault()
        left = Flash(flash.memory)
        assert flash.memory[:4080] == whole
        before = Faults(left).in_a_row
        Faults(left).fault()
        assert Faults(left).in_a_row == before + 1
        assert Journal(left).mount(Match(), 2)


NEW, OLD = "firmware.002", "firmware.001"


def failed(nvm, folder, times=MOST_IN_A_ROW):
    """A firmware fails at so many starts in a row, and gives up."""
    for _ in range(times):
        Faults(nvm, folder).fault()
        last = Faults(nvm, folder)
        last.bitten()
    assert last.in_a_row == times
    assert last.gives_up()


def test_a_fault_and_the_watchdogs_bite_after_it_are_one_and_a_bite_alone_is_another():
    nvm = bytearray(b"\xff" * 4096)
    Faults(nvm).fault()
    for bites in range(MOST_IN_A_ROW):
        Faults(nvm).bitten()
        assert Faults(nvm).in_a_row == 1 + bites


def test_a_firmware_that_has_given_up_stays_so_until_the_power_is_cut_and_another_is_not_meant():
    nvm = bytearray(b"\xff" * 4096)
    failed(nvm, NEW)
    assert nvm[at(nvm, used(nvm) - 1)] == 0x82, "every firmware has to read it"
    assert Faults(nvm, NEW).gives_up()
    for folder in (OLD, "", "/lib", "firmware.003"):
        assert not Faults(nvm, folder).gives_up()
        assert Faults(nvm, folder).in_a_row == 0
    Faults(nvm, NEW).well()
    assert not Faults(nvm, NEW).gives_up()


@pytest.mark.parametrize("folder", [NEW, OLD, "", "/lib"])
def test_the_bite_that_made_a_firmware_give_up_is_no_fault_of_one_that_is_put_on_the_drive_then(folder):
    nvm = bytearray(b"\xff" * 4096)
    failed(nvm, folder)
    Faults(nvm, "firmware.003").bitten()
    assert Faults(nvm, "firmware.003").in_a_row == 0


def test_the_bite_that_made_a_firmware_give_up_is_no_fault_of_the_one_before_it_whose_own_count():
    nvm = bytearray(b"\xff" * 4096)
    failed(nvm, NEW)
    Faults(nvm, OLD).bitten()
    assert Faults(nvm, OLD).in_a_row == 0
    for bites in range(MOST_IN_A_ROW):
        Faults(nvm, NEW).bitten()
        Faults(nvm, OLD).bitten()
        assert Faults(nvm, OLD).in_a_row == 1 + bites
    assert Faults(nvm, OLD).gives_up()
    assert Faults(nvm, NEW).given_up and Faults(nvm, OLD).given_up and not Faults(nvm, "").gives_up()
