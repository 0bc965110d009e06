"""Who is here: names, removal, locked tables, and how many games one phone may begin."""

from __future__ import annotations

import json

import pytest
from rigs import hostile
from web.rig import OTHER, PHONE, wait_until

from cribboard.errors import CribboardError
from cribboard.slots import Slots, newest
from cribboard.web import allowance, identity, phones
from cribboard.web.allowance import Allowance
from cribboard.web.identity import Visitor
from cribboard.web.limits import Limits
from cribboard.web.phones import EVENING_S, KNOCK_S, Phones
from cribboard.web.problem import Problem

PEG = {"do": "peg", "side": 1, "points": 1, "again": True}
THIRD, JOKER = "192.168.7.22", "192.168.7.28"


def code(answer):
    return answer.status_code, answer.json()["error"]["code"]


def number(browser):
    return browser.get("/api/me").json()["phone"]["number"]


def here(browser, board=1):
    return browser.get(f"/api/boards/{board}/phones").json()


def knock(rig, board=1, client=THIRD):
    """A phone that nobody knows scans the code of a locked table."""
    browser = rig.browser(client)
    answer = browser.post("/api/pair", {"token": rig.kiosk.invites.newest(board).token})
    assert answer.json() == {"role": "guest", "waits": board}
    return browser


def lock(browser, board=1, locked=True):
    return browser.post(f"/api/boards/{board}/lock", {"locked": locked})


def admit(browser, newcomer, board=1, yes=True):
    return browser.post(f"/api/boards/{board}/phones/{newcomer}", {"admit": yes})


def test_the_table_and_staff_see_who_is_here_for_which_side_and_since_when(rig):
    ann, bob = rig.player(1, PHONE), rig.player(1, OTHER)
    assert ann.post("/api/me", {"name": " Ann ", "side": 1}).status_code == 200
    assert bob.post("/api/me", {"side": 0}).status_code == 200
    for browser in (ann, bob, rig.staff(), rig.screen()):
        first, second = here(browser)["phones"]
        assert (first["name"], first["side"], first["waits"]) == ("Ann", 1, False)
        assert first["by"] == f"Ann (phone {number(ann)})"
        assert (second["name"], second["side"]) == (f"Phone {number(bob)}", 0)
        assert second["by"] == f"phone {number(bob)}"
        assert first["since"].endswith("Z")
    assert [phone["own"] for phone in here(bob)["phones"]] == [False, True]
    (table, _) = rig.staff().get("/api/phones").json()["tables"]
    assert [phone["name"] for phone in table["phones"]] == ["Ann", f"Phone {number(bob)}"]


def test_who_takes_a_nameless_seat_plays_by_the_name_of_their_phone(rig):
    ann, bob = rig.player(1, PHONE), rig.player(1, OTHER)

    def called():
        return [seat["name"] for seat in ann.get("/api/boards/1").json()["deal"]["seats"]]

    ann.order(1, do="new", names=["", "Cid", "", ""], teams=2, again=True)
    ann.post("/api/me", {"side": 1})
    ann.post("/api/me", {"name": "Ann"})  # later, under More
    ann.post("/api/me", {"name": "Anna"})
    bob.post("/api/me", {"name": "cid", "side": 1})  # somebody has it already
    assert called() == ["Ann", "Cid", None, None]
    bob.post("/api/me", {"name": "Bob", "side": 2})
    assert called() == ["Ann", "Cid", None, "Bob"]


def test_who_is_elsewhere_does_not_see_who_is_here(rig):
    rig.player(1)
    assert code(rig.browser().get("/api/boards/1/phones")) == (403, "join")
    assert code(rig.player(2, OTHER).get("/api/boards/1/phones")) == (403, "board")
    for browser in (rig.browser(), rig.player(1, OTHER), rig.screen()):
        assert code(browser.get("/api/phones")) == (403, "staff")


@pytest.mark.parametrize(
    "said",
    [
        {"name": "x" * 21},
        {"name": "A\u202eB"},
        {"name": "A\u200bB"},
        {"name": "12"},
        {"name": "red"},
        {"name": "Computer (expert)"},
        {"name": "Staff"},
        {"name": "STAFF 2"},
        {"name": "phone 7"},
        {"name": "\uff30hone7"},
        {"name": 7},
        {"name": ["Ann"]},
        {"name": "Ann", "role": "staff"},
        {"side": 7},
        {"side": -1},
        {"side": True},
        {"side": "1"},
        {},
    ],
    ids=ascii,
)
def test_what_cannot_be_a_phones_name_or_side_is_refused(rig, said):
    player = rig.player()
    assert player.post("/api/me", said).status_code == 400
    (phone,) = here(player)["phones"]
    assert (phone["name"], phone["side"]) == (f"Phone {number(player)}", None)


def test_a_name_may_begin_like_a_word_that_is_kept(rig):
    player = rig.player()
    assert player.post("/api/me", {"name": "Staffan"}).status_code == 200
    assert here(player)["phones"][0]["name"] == "Staffan"
    assert player.post("/api/me", {"name": ""}).status_code == 200
    assert here(player)["phones"][0]["name"] == f"Phone {number(player)}"


def test_two_phones_at_a_table_are_not_called_alike(rig):
    rig.player(1).post("/api/me", {"name": "Ann ❤\ufe0f"})
    bob = rig.player(1, OTHER)
    assert code(bob.post("/api/me", {"name": "A\u200dNN ❤"})) == (409, "name")
    assert rig.player(2, OTHER).post("/api/me", {"name": "Ann"}).status_code == 200


def test_who_is_at_no_table_has_no_name(rig):
    for browser in (rig.browser(), rig.screen(), rig.staff()):
        assert code(browser.post("/api/me", {"name": "Ann"})) == (403, "join")


def test_a_phone_does_not_change_its_name_all_the_time(rigs):
    player = rigs(Limits(writes=1000, write_burst=1000)).player()
    statuses = [player.post("/api/me", {"name": f"Ann{at}"}).status_code for at in range(phones.NAMINGS + 1)]
    assert statuses == [200] * phones.NAMINGS + [429]


def test_a_removed_phone_does_not_come_back_with_its_badge(rig):
    joker, boss = rig.player(1), rig.staff()
    gone, badge = number(joker), joker.client.cookies[identity.PLAYER]
    joker.post("/api/me", {"name": "Joker"})
    joker.order(1, do="pend", side=1, points=5)
    assert boss.ask("DELETE", f"/api/boards/1/phones/{gone}").json()["phones"] == []
    wait_until(lambda: joker.get("/api/boards/1").json()["sides"][0]["waiting"] == 0)
    assert code(joker.order(1, **PEG)) == (403, "removed")
    assert joker.get("/api/me").json()["role"] == "guest"
    for board in (1, 2):
        assert code(joker.post("/api/pair", {"token": rig.kiosk.invites.newest(board).token})) == (403, "removed")
    assert joker.ask("DELETE", "/api/pair").status_code == 200
    assert joker.client.cookies[identity.PLAYER] == badge
    assert boss.post("/api/leave").status_code == 200
    assert code(joker.post("/api/pair", {"token": rig.kiosk.invites.newest(1).token})) == (403, "removed")
    assert code(joker.post("/api/me", {"name": "Back"})) == (403, "join")


def test_a_removed_phone_stays_removed_when_the_kiosk_starts_again(rigs):
    first = rigs()
    joker, ann = first.player(1), first.player(1, OTHER)
    first.staff().ask("DELETE", f"/api/boards/1/phones/{number(joker)}")
    lock(ann)
    second = rigs()
    for browser, role in ((joker, "guest"), (ann, "player")):
        cookie = {"Cookie": f"{identity.PLAYER}={browser.client.cookies[identity.PLAYER]}"}
        assert second.browser().get("/api/me", headers=cookie).json()["role"] == role
    assert here(second.staff())["locked"] == {"by": f"Phone {number(ann)}"}


def test_only_staff_remove_and_only_whom_there_is(rig):
    ann, bob = rig.player(1), rig.player(1, OTHER)
    for browser in (ann, bob, rig.browser(), rig.screen()):
        assert code(browser.ask("DELETE", f"/api/boards/1/phones/{number(bob)}")) == (403, "staff")
    boss = rig.staff()
    assert boss.ask("DELETE", f"/api/boards/2/phones/{number(bob)}").status_code == 404
    assert boss.ask("DELETE", "/api/boards/1/phones/99999").status_code == 404
    assert bob.order(1, **PEG).status_code == 200


def test_a_player_leaves_and_a_copy_of_the_badge_is_nothing(rig):
    ann = rig.player(1)
    cookie = {"Cookie": f"{identity.PLAYER}={ann.client.cookies[identity.PLAYER]}"}
    ann.order(1, do="pend", side=1, points=5)
    assert ann.ask("DELETE", "/api/pair").json() == {"role": "guest"}
    assert identity.PLAYER not in ann.client.cookies
    assert rig.browser().get("/api/me", headers=cookie).json()["role"] == "guest"
    wait_until(lambda: ann.get("/api/boards/1").json()["sides"][0]["waiting"] == 0)
    ann.post("/api/pair", {"token": rig.kiosk.invites.newest(1).token})
    assert rig.browser().get("/api/me", headers=cookie).json()["role"] == "guest"


def test_leaving_ends_staffs_rights_for_a_copy_of_the_cookie_too(rigs):
    first = rigs()
    boss, other = first.staff(), first.staff(PHONE)
    cookie = {"Cookie": f"{identity.STAFF}={boss.client.cookies[identity.STAFF]}"}
    assert first.browser().get("/api/me", headers=cookie).json()["role"] == "staff"
    assert boss.ask("DELETE", "/api/staff").status_code == 200
    for rig in (first, rigs()):
        assert rig.browser().get("/api/me", headers=cookie).json()["role"] == "guest"
    assert other.get("/api/me").json()["role"] == "staff"
    assert boss.post("/api/staff", {"pin": "481516"}).status_code == 200
    assert boss.get("/api/me").json()["role"] == "staff"


def test_a_phone_that_joins_again_is_the_same_phone(rig):
    ann = rig.player(1)
    before = number(ann)
    ann.post("/api/me", {"name": "Ann"})
    ann.post("/api/pair", {"token": rig.kiosk.invites.newest(1).token})
    assert number(ann) == before
    ann.post("/api/pair", {"token": rig.kiosk.invites.newest(2).token})
    assert number(ann) == before
    assert here(rig.staff())["phones"] == []


def test_a_locked_table_admits_a_newcomer_only_by_who_sat_there_before(rig):
    ann, bob = rig.player(1), rig.player(1, OTHER)
    assert lock(ann).json()["locked"] == {"by": f"Phone {number(ann)}"}
    first = knock(rig)
    assert code(first.order(1, **PEG)) == (403, "waits")
    assert code(first.get("/api/boards/1/phones")) == (403, "waits")
    newcomer = number(first)
    for browser, why in ((first, "waits"), (rig.player(2, OTHER), "board"), (rig.screen(), "join")):
        assert code(admit(browser, newcomer)) == (403, why)
        assert code(lock(browser, locked=False)) == (403, why)
    first.post("/api/me", {"name": "Cid"})
    (waits,) = [phone for phone in here(bob)["phones"] if phone["waits"]]
    assert (waits["name"], waits["phone"]) == ("Cid", newcomer)
    assert admit(bob, newcomer).status_code == 200
    assert first.order(1, **PEG).status_code == 200
    second = knock(rig)
    assert here(first)["may"] == {"admit": False, "open": False, "remove": False}
    assert code(admit(first, number(second))) == (403, "host")
    assert code(lock(first, locked=False)) == (403, "lock")
    lock(first)  # which makes it no host
    assert code(admit(first, number(second))) == (403, "host")
    assert admit(ann, number(second), yes=False).status_code == 200
    assert second.get("/api/me").json() == {"role": "guest", "board": None, "by": None}
    assert code(second.order(1, **PEG)) == (403, "join")


def test_neither_code_nor_another_tables_badge_is_a_way_round_the_lock(rig):
    ann = rig.player(1)
    lock(ann)
    short = rig.kiosk.invites.newest(1).code
    assert rig.browser(OTHER).post("/api/pair", {"code": short, "board": 1}).json() == {"role": "guest", "waits": 1}
    dee = rig.player(2, THIRD)
    assert dee.post("/api/pair", {"token": rig.kiosk.invites.newest(1).token}).json()["role"] == "guest"
    assert code(dee.order(1, **PEG)) == (403, "waits")
    ann.ask("DELETE", "/api/pair")
    assert dee.get("/api/me").json()["role"] == "player"  # nobody sits there who could let it in


def test_who_sat_there_before_the_lock_comes_back_by_the_code(rig):
    ann, bob = rig.player(1), rig.player(1, OTHER)
    lock(ann)
    for board in (2, 1):
        assert bob.post("/api/pair", {"token": rig.kiosk.invites.newest(board).token}).json()["role"] == "player"
    assert here(bob)["may"]["admit"]
    bob.ask("DELETE", "/api/pair")
    assert bob.post("/api/pair", {"token": rig.kiosk.invites.newest(1).token}).json()["role"] == "guest"


def test_staffs_lock_is_opened_by_staff_only_and_staff_admit_at_every_table(rig):
    ann, boss = rig.player(1), rig.staff()
    lock(ann)
    assert lock(boss).json()["locked"] == {"by": "staff"}
    assert code(lock(ann, locked=False)) == (403, "lock")
    assert here(ann)["may"] == {"admit": True, "open": False, "remove": False}
    cid, dee = knock(rig), knock(rig)
    assert admit(boss, number(cid)).status_code == 200
    assert cid.order(1, **PEG).status_code == 200
    assert lock(boss, locked=False).json()["locked"] is None
    assert dee.order(1, **PEG).status_code == 200
    assert rig.screen().get("/api/boards/1/invite").json()["locked"] is False


def test_a_removed_host_lets_nobody_in_and_a_lock_without_hosts_ends(rig):
    joker, boss = rig.player(1), rig.staff()
    lock(joker)
    assert rig.screen().get("/api/boards/1/invite").json()["locked"] is True
    newcomer = number(knock(rig))
    boss.ask("DELETE", f"/api/boards/1/phones/{number(joker)}")
    assert code(admit(joker, newcomer)) == (403, "removed")
    assert here(boss)["locked"] is None
    lock(boss)
    assert here(boss)["locked"] == {"by": "staff"}


@pytest.mark.parametrize("said", [{}, {"locked": 1}, {"locked": None}, {"locked": True, "seated": [1]}])
def test_what_is_no_lock_is_refused(rig, said):
    assert rig.player(1).post("/api/boards/1/lock", said).status_code == 400
    assert here(rig.staff())["locked"] is None


@pytest.mark.parametrize("said", [{}, {"admit": "yes"}, {"admit": 1}, {"admit": True, "as": "staff"}])
def test_what_is_no_answer_to_a_newcomer_is_refused(rig, said):
    ann = rig.player(1)
    lock(ann)
    cid = knock(rig)
    assert ann.post(f"/api/boards/1/phones/{number(cid)}", said).status_code == 400
    assert code(cid.order(1, **PEG)) == (403, "waits")
    assert admit(ann, 99999).status_code == 404
    assert admit(ann, number(ann)).status_code == 404


def test_nobody_knocks_all_the_time_nor_do_all_knock_at_once(rig):
    boss, ann = rig.staff(), rig.player(1)
    lock(ann)
    for _ in range(phones.KNOCKS):
        admit(boss, number(knock(rig)), yes=False)
    token = {"token": rig.kiosk.invites.newest(1).token}
    assert code(rig.browser(THIRD).post("/api/pair", token)) == (429, "tries")
    for at in range(phones.MOST_WAITING):
        knock(rig, client=f"192.168.8.{at}")
    assert code(rig.browser("192.168.9.1").post("/api/pair", token)) == (429, "crowded")


def test_pages_are_nudged_when_it_changes_who_is_here(rig):
    nudges = lambda table: rig.live.channels[table].phones  # noqa: E731
    before = nudges(2)
    ann = rig.player(1)
    wait_until(lambda: nudges(1) == 1)
    ann.post("/api/me", {"name": "Ann"})
    wait_until(lambda: nudges(1) == 2)
    lock(ann)
    wait_until(lambda: nudges(1) == 3)
    ann.post("/api/me", {"name": "Ann"})
    lock(ann)
    assert nudges(1) == 3
    assert nudges(2) == before


class Clock:
    def __init__(self):
        self.now = 1.8e9

    def __call__(self):
        return self.now


def test_an_evening_ends_and_so_does_a_knock(tmp_path):
    clock = Clock()
    register = Phones(tmp_path, lambda table: f"e{table}", clock)
    register.join(1, 1, "a")
    register.lock(1, 1)
    register.join(2, 1, "b")
    clock.now += KNOCK_S
    assert (register.find(1).state, register.find(2)) == ("seated", None)
    with pytest.raises(Problem, match="no phone 2"):
        register.admit(2, 1)
    clock.now += EVENING_S
    assert register.at(1) == []
    assert Phones(tmp_path, lambda table: f"e{table}", clock).lock_of(1) is None


def test_a_flood_of_badges_drives_out_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(phones, "MOST_PHONES", 3)
    register = Phones(tmp_path, lambda table: f"e{table}")
    for at in range(1, 9):
        register.join(at, 1, "a")
    assert [phone.number for phone in register.at(1)] == [1, 2, 8]
    register.open.update([1, 2, 8])
    with pytest.raises(Problem, match="have joined"):
        register.join(9, 1, "a")


def test_a_register_that_is_damaged_is_not_taken_for_an_empty_one(tmp_path):
    register = Phones(tmp_path, lambda table: f"e{table}")
    register.join(1, 1, "a")
    register.introduce(1, {"name": "Ann", "side": 2})
    register.lock(1, 1)
    path = tmp_path / phones.NAME
    whole = newest(path.read_bytes())
    assert Phones(tmp_path, lambda table: f"e{table}").find(1).label == "Ann"
    bad = json.loads(whole)
    bad["phones"][0]["name"] = "A\u202eB"
    for text in ("", "{", whole.replace("seated", "boss"), json.dumps(bad)):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CribboardError, match="is damaged"):
            Phones(tmp_path, lambda table: f"e{table}")
    for at, data in hostile.changes(json.loads(whole)):
        Slots(path, 4096).write(json.dumps(data))
        try:
            read = Phones(tmp_path, lambda table: f"e{table}")
        except CribboardError as error:
            assert len(at) < 2 or (f"({'phone 1' if at[0] == 'phones' else 'locks'}") in str(error), at
        else:
            states = [(phone.state, phone.side in (None, *range(7))) for phone in read._kept.phones.values()]
            assert states in ([], [("seated", True)]), at
            assert not read.lock_of(1) or read.lock_of(1).by < 1 << 32, at


def begin(browser, key="", **more):
    names = {"names": [f"Joker {index}" for index in range(2)]}
    return browser.order(1, do="new", **names, **({"key": key} if key else {}), **more)


def test_a_phone_begins_six_games_in_half_an_hour_and_staff_begin_more(rigs):
    rig = rigs(Limits(writes=1000, write_burst=1000))
    joker = rig.player(1)
    assert begin(joker, seen=1, target=7).status_code == 400
    assert begin(joker, start=[1, 2, 3]).status_code == 400
    answers = [begin(joker) for _ in range(32)]
    assert [answer.status_code for answer in answers] == [200] * allowance.MOST + [409] * (32 - allowance.MOST)
    assert answers[-1].json()["error"]["code"] == "games"
    assert "6 games in half an hour" in answers[-1].json()["error"]["message"]
    window = rig.player(1)  # a private window, at the same address
    assert code(begin(window)) == (409, "games")
    assert begin(rig.player(1, OTHER)).status_code == 200
    assert begin(rig.staff()).status_code == 200
    assert joker.order(1, **PEG).status_code == 200


def test_a_game_that_is_sent_again_counts_once(rigs):
    rig = rigs(Limits(writes=1000, write_burst=1000))
    player = rig.player(1)
    answers = [begin(player, key="k" * 20) for _ in range(3)] + [begin(player) for _ in range(allowance.MOST)]
    assert [answer.status_code for answer in answers] == [200] * (allowance.MOST + 2) + [409]


def test_names_are_not_changed_all_the_time(rigs):
    player = rigs(Limits(writes=1000, write_burst=1000)).player(1)
    statuses = [player.order(1, do="names", names=[f"Joker {at}", ""]).status_code for at in range(allowance.MOST + 1)]
    assert statuses == [200] * allowance.MOST + [409]


def test_half_an_hour_later_more_games_may_begin():
    clock = Clock()
    counted = Allowance(clock)
    player = Visitor("player", 1, 7, PHONE, False)

    def begins(key):
        with counted.taken({"do": "new", "key": key}, player):
            pass

    for key in "abcdef":
        begins(key)
    with pytest.raises(Problem, match="6 games"):
        begins("g")
    clock.now += allowance.SAME_S + 1
    with pytest.raises(Problem, match="6 games"):
        begins("f")
    clock.now += allowance.WHILE_S
    begins("g")


@pytest.mark.parametrize("do", [["new"], {"new": 1}, None, 7])
def test_an_order_that_is_no_word_is_refused_in_words(rig, do):
    assert code(rig.player(1).order(1, do=do)) == (400, "order")


def test_the_history_says_who_it_was_by_name_and_number(rig):
    bob, guest = rig.player(1, PHONE), rig.player(1, OTHER)
    assert bob.order(1, do="new", names=["", ""]).status_code == 200
    assert bob.post("/api/me", {"name": "Bob"}).status_code == 200
    assert bob.order(1, do="peg", side=1, points=2, again=True).json()["kept"]
    assert guest.order(1, do="undo", rev=bob.get("/api/boards/1").json()["undo"]["rev"]).json()["kept"]
    assert bob.post("/api/me", {"name": "Robert"}).status_code == 200
    assert bob.order(1, do="peg", side=1, points=3, again=True).json()["kept"]
    events = bob.get("/api/boards/1/game").json()["events"]
    named = [f"Bob (phone {number(bob)})", f"phone {number(guest)}", f"Robert (phone {number(bob)})"]
    assert [event["by"] for event in events[-3:]] == named


def test_a_phone_that_takes_back_what_others_score_is_asked_about_by_name_and_number(rig):
    ann, joker, staff = rig.player(2, PHONE), rig.player(2, JOKER), rig.staff(THIRD)
    assert joker.post("/api/me", {"name": "Bob"}).status_code == 200
    assert ann.order(2, do="new", names=["Ann", ""]).status_code == 200

    def undo(**more):
        assert ann.order(2, do="peg", side=1, points=2, again=True).status_code == 200
        rev = ann.get("/api/boards/2").json()["undo"]["rev"]
        return rev, joker.order(2, do="undo", rev=rev, **more)

    for _ in range(3):
        assert undo()[1].status_code == 200
    rev, refused = undo(own=2)
    assert code(refused) == (409, "asked")
    joker_is = f"Bob (phone {number(joker)})"
    asked = {"phone": f"phone {number(joker)}", "name": joker_is, "side": 2, "rev": rev, "text": "Ann pegs 2"}
    asked["points"] = None
    assert ann.get("/api/boards/2").json()["asked"] == asked
    (_, table) = staff.get("/api/phones").json()["tables"]
    assert table["asked"] == asked
    private = rig.player(2, JOKER)
    assert code(private.order(2, do="allow", rev=rev, yes=True, own=1)) == (409, "own")
    assert code(rig.browser(THIRD).order(2, do="allow", rev=rev, yes=True)) == (403, "join")
    assert staff.order(2, do="allow", rev=rev, yes=True).status_code == 200
    assert ann.get("/api/boards/2").json()["sides"][0]["front"] == 0
    assert undo()[1].status_code == 409


def test_both_sides_correct_a_score_and_the_history_says_who(rig):
    ann, bob, guest = rig.player(2, PHONE), rig.player(2, JOKER), rig.browser(THIRD)
    assert ann.order(2, do="new", names=["Ann", "Bob"]).status_code == 200
    assert ann.order(2, do="peg", side=1, points=10).status_code == 200
    line = {"rev": ann.get("/api/boards/2").json()["rev"], "side": 1, "points": 10, "text": "Ann pegs 10, now at 10"}
    assert ann.get("/api/boards/2/lines").json() == {"lines": [line]}
    assert code(guest.get("/api/boards/2/lines")) == (403, "join")
    assert code(guest.order(2, do="correct", rev=line["rev"], points=12)) == (403, "join")
    assert code(ann.order(2, do="correct", rev=line["rev"], points=12, own=1)) == (409, "asked")
    answer = bob.order(2, do="allow", rev=line["rev"], points=12, yes=True, own=2).json()
    assert answer["text"] == "Ann pegs 12, corrected from 10 by Ann and Bob, now at 12."
    wait_until(lambda: len(bob.get("/api/boards/2/game").json()["events"]) == len(("new", "peg", "set")))
    replay = bob.get("/api/boards/2/game").json()
    assert [event["text"] for event in replay["events"][1:]] == [
        "Ann pegs 12, corrected from 10 by Ann and Bob.",
        "Ann pegs 12, corrected from 10 by Ann and Bob, now at 12.",
    ]
    assert [(one["who"], one["what"]) for one in replay["corrections"]] == [("Ann and Bob", "score")]


def test_a_phone_without_another_at_its_table_is_told_that_nobody_can_say_yes(rig):
    ann, bob = rig.player(1), rig.player(1, OTHER)
    rev = rig.staff().order(1, do="peg", side=2, points=7).json()["rev"]

    def hint():
        return ann.order(1, do="correct", rev=rev, points=8, own=2).json()["error"]["hint"]

    assert hint() == "ask the staff, or somebody at the table to join"
    rig.kiosk.phones.open[bob.get("/api/me").json()["phone"]["number"]] = 1
    assert hint().startswith("the others are asked now")
    bob.post("/api/me", {"side": 2})
    assert hint() == "ask the staff, or somebody at the table to join"
    assert ann.get("/api/boards/1").json()["asked"]["name"] == "Blue"
