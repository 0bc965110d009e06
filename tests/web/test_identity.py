"""Who may do what: cookies that cannot be made or bent, invitations that end, a PIN that cannot be guessed."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
import threading
import time

import pytest
from web.rig import OTHER, PHONE, PIN, running

from cribboard.web import api_staff, identity, invites, phones
from cribboard.web.invites import FRESH_S, Invites
from cribboard.web.limits import Limits, Tries
from cribboard.web.phones import Phones
from cribboard.web.problem import Problem
from cribboard.web.secrets import COST, Keys
from cribboard.web.tables import Tables

KEPT_COST = {**COST}  # before the tests make it cheap
# `again`: whether two score one thing twice is asked elsewhere
PEG = {"do": "peg", "side": 1, "points": 1, "again": True}
FOR_STAFF = [
    ("POST", "/api/boards/1", {"name": "Bar"}),
    ("POST", "/api/players/1", {"name": "Ann"}),
    ("DELETE", "/api/players/1", None),
    ("POST", "/api/games/1", {"abandon": True}),
    ("GET", "/api/corrections", None),
    ("GET", "/api/export.csv", None),
    ("GET", "/api/export.json", None),
    ("POST", "/api/import", {}),
    ("POST", "/api/leave", {}),
    ("GET", "/api/house", None),
    ("POST", "/api/pin", {"pin": PIN, "new": "271828"}),
]


def ask(browser, method, path, body):
    return browser.ask(method, path) if body is None else browser.ask(method, path, json=body)


@pytest.mark.parametrize(("method", "path", "body"), FOR_STAFF, ids=lambda value: str(value)[:24])
def test_only_staff_do_what_is_staffs(rig, method, path, body):
    for browser in (rig.browser(), rig.player(), rig.screen()):
        answer = ask(browser, method, path, body)
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "staff"


def test_who_asks_is_told_who_he_is(rig):
    assert rig.browser().get("/api/me").json() == {"role": "guest", "board": None, "by": None}
    assert rig.screen().get("/api/me").json() == {"role": "screen", "board": None, "by": None}
    player, staff = rig.player(2).get("/api/me").json(), rig.staff().get("/api/me").json()
    assert (player["role"], player["board"], player["state"], player["phone"]["name"]) == ("player", 2, "seated", "")
    assert player["by"] == "phone 1"
    assert staff["role"] == "staff"
    assert staff["by"].startswith("staff ")


def test_only_those_who_joined_a_table_score_there(rig):
    assert rig.browser().order(1, **PEG).json()["error"]["code"] == "join"
    assert rig.screen().order(1, **PEG).json()["error"]["code"] == "join"
    player = rig.player(1)
    assert player.order(1, **PEG).json()["rev"] > 0
    before = player.get("/api/boards/2").json()["rev"]
    refused = player.order(2, **PEG)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "board")
    assert player.get("/api/boards/2").json()["rev"] == before
    assert rig.staff().order(2, **PEG).status_code == 200


def test_two_devices_of_staff_do_not_score_the_same_twice(rig):
    first, second = rig.staff(), rig.staff(PHONE)
    seen = first.get("/api/boards/1").json()["rev"]
    assert first.order(1, **PEG, seen=seen).status_code == 200
    refused = second.order(1, **PEG, seen=seen)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "seen")
    assert first.order(1, **PEG, seen=seen).status_code == 200


def test_the_cookies_are_not_for_scripts_nor_for_other_sites(rig):
    browser = rig.browser()
    token = rig.kiosk.invites.newest(1).token
    given = browser.post("/api/pair", {"token": token}).headers.get_list("set-cookie")
    given += browser.post("/api/staff", {"pin": PIN}).headers.get_list("set-cookie")
    assert len(given) == 3
    for cookie in given:
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        assert "domain" not in cookie.lower()


def test_a_cookie_cannot_be_bent(rig):
    player = rig.player(1)
    ((name, value),) = player.client.cookies.items()
    assert name == identity.PLAYER
    payload, rest = value.split(".", 1)
    other = rig.player(2, OTHER).client.cookies[identity.PLAYER].split(".")[0]
    twisted = value[:-2] + ("A" if value[-2] != "A" else "B") + value[-1]  # not all bits of the last character count
    for bent in (f"{other}.{rest}", twisted, payload, "", "x" * 600, "[1,1]"):
        assert rig.browser().get("/api/me", headers={"Cookie": f"{identity.PLAYER}={bent}"}).json()["role"] == "guest"
    as_staff = rig.browser().get("/api/me", headers={"Cookie": f"{identity.STAFF}={value}"})
    assert as_staff.json()["role"] == "guest"
    device = rig.staff().client.cookies[identity.DEVICE]
    assert rig.browser().get("/api/me", headers={"Cookie": f"{identity.STAFF}={device}"}).json()["role"] == "guest"


def test_a_cookie_of_another_kiosk_is_nothing(rig, house, portal, tmp_path):
    player = rig.player(1)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with running(house, elsewhere, portal) as other:
        value = player.client.cookies[identity.PLAYER]
        headers = {"Cookie": f"{identity.PLAYER}={value}"}
        assert other.browser().get("/api/me", headers=headers).json()["role"] == "guest"


def test_who_joined_a_table_that_is_forgotten_has_not_joined_the_next_of_its_number(tmp_path):
    def member():
        return Phones(tmp_path, Tables(tmp_path).uid).find(7)

    tables = Tables(tmp_path)
    tables.place("e6")
    Phones(tmp_path, tables.uid).join(7, 1, PHONE)
    assert member().table == 1
    tables.forget(1)
    assert member() is None
    tables.place("f7")
    assert member() is None


def test_a_cookie_grows_old(rig, monkeypatch):
    player, boss = rig.player(1), rig.staff()
    monkeypatch.setattr(rig.kiosk.phones, "_clock", lambda: time.time() + phones.EVENING_S + 1)
    monkeypatch.setattr(rig.kiosk.cookies, "_clock", lambda: time.time() + identity.STAFF_S + 1)
    assert player.get("/api/me").json()["role"] == "guest"
    assert boss.get("/api/me").json()["role"] == "guest"


@pytest.mark.parametrize("set_by_s", [30 * 86400, -600])
def test_nobody_is_sent_away_when_the_clock_is_set(rig, monkeypatch, set_by_s):
    who = [(rig.player(1), "player"), (rig.staff(), "staff")]
    told = [("; ".join(f"{name}={value}" for name, value in one.client.cookies.items()), role) for one, role in who]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + set_by_s)
    monkeypatch.setattr(rig.kiosk.phones, "_wall", time.time)
    for cookies, role in told:
        assert rig.browser().get("/api/me", headers={"Cookie": cookies}).json()["role"] == role
    rig.kiosk.phones.lock(1, 0)  # which writes the file: a kiosk that starts again takes the time from the wall
    register = phones.Phones(rig.kiosk.keys.folder, rig.kiosk.tables.register.key, time.time)
    assert [phone.state for phone in register.at(1)] == ["seated"]


def test_cookies_survive_a_restart_of_the_kiosk(rigs):
    first = rigs()
    player, boss = first.player(1), first.staff()
    second = rigs()
    for browser, role in ((player, "player"), (boss, "staff")):
        cookies = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
        assert second.browser().get("/api/me", headers={"Cookie": cookies}).json()["role"] == role


def test_staff_send_all_phones_away(rig):
    player, boss = rig.player(1), rig.staff()
    shown = rig.screen().get("/api/boards/1/invite").json()["url"].partition("#t=")[2]
    assert boss.post("/api/leave").status_code == 200
    assert player.get("/api/me").json()["role"] == "guest"
    assert player.order(1, **PEG).status_code == 403
    assert boss.get("/api/me").json()["role"] == "staff"
    assert rig.browser().post("/api/pair", {"token": shown}).status_code == 403


def test_only_the_kiosks_own_screen_and_staff_see_how_to_join(rig):
    assert rig.browser().get("/api/boards/1/invite").status_code == 403
    assert rig.player().get("/api/boards/1/invite").status_code == 403
    shown = rig.screen().get("/api/boards/1/invite").json()
    assert set(shown) == {"url", "code", "svg", "locked", "unreachable"}
    assert rig.staff().get("/api/boards/1/invite").json()["code"] == shown["code"]


@pytest.mark.parametrize("header", identity.FORWARDED)
def test_who_comes_through_a_proxy_is_not_the_kiosks_own_screen(rig, header):
    answer = rig.screen().get("/api/boards/1/invite", headers={header: "203.0.113.9"})
    assert answer.status_code == 403


def test_the_token_is_only_in_the_fragment_which_no_browser_sends(rig):
    url = rig.staff().get("/api/boards/1/invite").json()["url"]
    before, _, fragment = url.partition("#")
    assert before == "http://192.168.7.2:8121/score/1"
    assert len(fragment.removeprefix("t=")) == 16  # 96 bits in base64


def test_two_phones_join_by_one_code(rig):
    token = rig.screen().get("/api/boards/2/invite").json()["url"].partition("#t=")[2]
    for client in (PHONE, OTHER):
        phone = rig.browser(client)
        assert phone.post("/api/pair", {"token": token}).json() == {"role": "player", "board": 2}
        assert phone.order(2, **PEG).status_code == 200


@pytest.mark.parametrize("body", [{}, {"token": 7}, {"token": ""}, {"code": "123456"}, {"code": 123456, "board": 1}])
def test_what_is_no_invitation_is_refused(rig, body):
    assert rig.browser().post("/api/pair", body).status_code in (400, 403)


def test_an_invitation_to_no_table_is_refused(rig):
    assert rig.browser().post("/api/pair", {"code": "123456", "board": 99}).status_code == 404


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_invitation_is_replaced_and_the_former_is_good_for_one_more():
    clock = Clock()
    open_to = Invites(clock)
    first = open_to.newest(1)
    clock.now += FRESH_S - 1
    assert open_to.newest(1) is first
    clock.now += 1
    second = open_to.newest(1)
    assert second.token != first.token
    assert open_to.by_token(first.token) == open_to.by_token(second.token) == 1
    clock.now += FRESH_S
    open_to.newest(1)
    assert open_to.by_token(second.token) == 1
    with pytest.raises(Problem, match="no longer valid"):
        open_to.by_token(first.token)


def test_a_code_is_not_guessed():
    clock = Clock()
    open_to = Invites(clock)
    code = open_to.newest(1).code
    open_to.newest(2)
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(invites.TRIES_EACH):
        with pytest.raises(Problem, match="not the code"):
            open_to.by_code(1, wrong, "a")
    with pytest.raises(Problem, match="too many"):
        open_to.by_code(1, code, "a")
    assert open_to.by_code(1, code, "b") == 1
    for number in range(invites.TRIES_ALL - invites.TRIES_EACH):
        with pytest.raises(Problem, match="not the code"):
            open_to.by_code(1, wrong, f"c{number}")
    with pytest.raises(Problem, match="too many"):
        open_to.by_code(1, code, "b")
    assert open_to.by_code(2, open_to.newest(2).code, "b") == 2
    clock.now += FRESH_S
    assert open_to.by_code(1, open_to.newest(1).code, "a") == 1


def test_a_code_is_good_for_its_own_table_only(rig):
    code = rig.screen().get("/api/boards/1/invite").json()["code"]
    if code != rig.kiosk.invites.newest(2).code:
        assert rig.browser().post("/api/pair", {"code": code, "board": 2}).status_code == 403
    phone = rig.browser()
    assert phone.post("/api/pair", {"code": code, "board": 1}).json() == {"role": "player", "board": 1}


def wrong_pins(browser, count):
    return [browser.post("/api/staff", {"pin": f"{number:06}"}).status_code for number in range(count)]


def test_a_pin_is_not_guessed(rig, caplog):
    assert wrong_pins(rig.browser(), api_staff.TRIES_EACH + 2) == [403] * api_staff.TRIES_EACH + [429] * 2
    shut_out = rig.browser().post("/api/staff", {"pin": PIN})
    assert shut_out.status_code == 429
    assert caplog.messages == [f"too many wrong staff PINs, the newest from {PHONE}"]
    assert "minutes" in shut_out.json()["error"]["hint"]


def test_many_wrong_pins_at_once_are_as_many_tries(rig):
    browser = rig.browser()

    async def guess(number):
        headers = {"Origin": browser.url}
        return (await browser.client.post("/api/staff", json={"pin": f"{number:06}"}, headers=headers)).status_code

    async def at_once():
        return await asyncio.gather(*map(guess, range(12)))

    assert sorted(browser._portal.call(at_once)) == [403] * api_staff.TRIES_EACH + [429] * (12 - api_staff.TRIES_EACH)


def test_one_pin_is_looked_at_at_a_time_and_beside_all_else(rig, monkeypatch):
    browser, running, seen = rig.browser(), [], []

    def is_pin(self, pin):
        running.append(pin)
        seen.append((len(running), threading.current_thread()))
        time.sleep(0.05)
        running.pop()
        return False

    async def guess(number):
        await browser.client.post("/api/staff", json={"pin": f"{number:06}"}, headers={"Origin": browser.url})

    async def at_once():
        await asyncio.gather(*map(guess, range(4)))
        return threading.current_thread()

    monkeypatch.setattr(Keys, "is_pin", is_pin)
    loop = browser._portal.call(at_once)
    assert [count for count, _ in seen] == [1] * 4
    assert loop not in [thread for _, thread in seen]
    assert 128 * KEPT_COST["n"] * KEPT_COST["r"] >= 16 << 20  # bytes that each try takes


def test_a_wrong_pin_is_answered_without_a_command_of_a_terminal(rig):
    for who in (rig.screen(), rig.browser()):
        error = who.post("/api/staff", {"pin": "000000"}).json()["error"]
        assert (error["message"], error["hint"]) == ("this is not the PIN", "guests need none; staff know it")


def test_a_right_pin_is_no_try_and_forgives_its_device(rig):
    browser = rig.browser()
    for _ in range(2):
        assert wrong_pins(browser, api_staff.TRIES_EACH - 1) == [403] * (api_staff.TRIES_EACH - 1)
        assert browser.post("/api/staff", {"pin": PIN}).status_code == 200
        browser.client.cookies.clear()
    for number in range(api_staff.TRIES_ALL):
        assert rig.browser(f"192.168.9.{number}").post("/api/staff", {"pin": PIN}).status_code == 200
    left = api_staff.TRIES_ALL - 2 * (api_staff.TRIES_EACH - 1)  # the wrong ones count for all together
    statuses = [wrong_pins(rig.browser(f"192.168.8.{number}"), 1)[0] for number in range(left + 1)]
    assert statuses == [403] * left + [429]


def test_many_addresses_guess_no_better_than_a_few(rig):
    statuses = [wrong_pins(rig.browser(f"192.168.8.{number}"), 1)[0] for number in range(api_staff.TRIES_ALL + 5)]
    assert statuses == [403] * api_staff.TRIES_ALL + [429] * 5


def test_an_attacker_cannot_shut_staff_out(rig):
    known = rig.staff()
    known.ask("DELETE", "/api/staff")
    assert known.get("/api/me").json()["role"] == "guest"
    wrong_pins(rig.browser(OTHER), api_staff.TRIES_EACH)  # at the same address
    for number in range(20):
        wrong_pins(rig.browser(f"192.168.8.{number}"), 2)
    assert rig.browser().post("/api/staff", {"pin": PIN}).status_code == 429
    assert known.post("/api/staff", {"pin": PIN}).status_code == 200
    assert rig.screen().post("/api/staff", {"pin": PIN}).status_code == 200


def test_being_shut_out_ends():
    clock = Clock()
    tries = Tries(2, 900, clock)
    tries.begin("a")
    clock.now += 100
    tries.begin("a")
    assert tries.wait("a") == 800
    clock.now += 800
    assert tries.wait("a") == 0


@pytest.mark.parametrize("pin", [None, 481516, "", "48151", "4" * 13, "48151a", ["481516"], "४८१५१६", "٤٨١٥١٦"])
def test_what_is_no_pin_is_not_even_tried(rig, pin):
    assert rig.browser().post("/api/staff", {"pin": pin}).status_code in (400, 403)


def test_another_pin_makes_the_others_enter_it(rig):
    boss, second = rig.staff(), rig.staff(PHONE)
    assert boss.post("/api/pin", {"pin": "000000", "new": "271828"}).status_code == 403
    assert boss.post("/api/pin", {"pin": PIN, "new": "1111111"}).json()["error"]["code"] == "new"
    assert boss.post("/api/pin", {"pin": PIN, "new": "271828"}).status_code == 200
    assert boss.get("/api/me").json()["role"] == "staff"
    assert second.get("/api/me").json()["role"] == "guest"
    assert rig.browser().post("/api/staff", {"pin": PIN}).status_code == 403
    assert rig.browser().post("/api/staff", {"pin": "271828"}).status_code == 200


def test_a_pin_that_another_process_sets_counts_at_once(rig, tmp_path):
    boss = rig.staff()
    Keys(tmp_path).new_pin("271828")
    assert boss.get("/api/me").json()["role"] == "guest"
    rig.player()  # writes the file, too
    assert rig.browser().post("/api/staff", {"pin": "271828"}).status_code == 200


def test_no_change_is_lost_when_processes_change_the_keys_at_once(tmp_path):
    Keys(tmp_path)
    program = (
        "import sys; from pathlib import Path; from cribboard.web.secrets import Keys; keys = Keys(Path(sys.argv[1]))\n"
        "print(flush=True); sys.stdin.readline()\n"
        "for _ in range(25): keys.another_phone()"
    )
    command, pipe = [sys.executable, "-c", program, str(tmp_path)], subprocess.PIPE
    several = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(3)]
    for process in several:
        process.stdout.readline()
    for process in several:
        process.stdin.close()
    for process in several:
        process.stdout.close()
    assert [process.wait(60) for process in several] == [0, 0, 0]
    assert Keys(tmp_path).now.phones == 75


def test_the_keys_are_for_their_owner_only_and_hold_no_pin(rig, tmp_path):
    path, lock = sorted(tmp_path.glob("kiosk-keys*"))
    assert lock.read_bytes() == b""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert PIN not in path.read_text(encoding="utf-8")
    path.chmod(0o644)
    Keys(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_phones_events_are_told_by_its_number_and_no_secret_is_in_a_log(rigs, caplog, capfd):
    rig = rigs(Limits())
    with caplog.at_level(0):
        shown = rig.screen().get("/api/boards/1/invite").json()
        secrets = [shown["url"].partition("#t=")[2], PIN]
        phone, boss = rig.browser(), rig.browser(OTHER)
        phone.post("/api/pair", {"token": secrets[0]})
        boss.post("/api/staff", {"pin": PIN})
        boss.post("/api/staff", {"pin": "999111"})
        phone.post("/api/pair", {"token": "wrong-token-of-somebody"})
        phone.order(1, **PEG)
        boss.post("/api/pin", {"pin": PIN, "new": "271828"})
    secrets += [value for browser in (phone, boss) for value in browser.client.cookies.values()]
    secrets += ["271828", "999111", "wrong-token-of-somebody", shown["code"], rig.kiosk.keys.now.secret]
    out, errors = capfd.readouterr()
    for secret in secrets:
        assert secret not in caplog.text + out + errors
    assert repr(rig.kiosk.keys.now).find(rig.kiosk.keys.now.secret) < 0
