"""What a request has to pass before anything is done: attacked from the outside."""

from __future__ import annotations

import logging
import re
import socket

import pytest
from web.rig import ADDRESS, OTHER, PHONE, Browser, running

from cribboard.scripts import policy_hash
from cribboard.web.guard import POLICY, SECURITY, Guard
from cribboard.web.limits import Limits

FOREIGN = (
    "evil.example",
    "localhost.evil.example",
    f"{socket.gethostname()}.evil.example",
    f"{ADDRESS}.evil.example",
    "10.1.2.3:8121",
    "",
    "a b",
    "localhost@evil",
    "[::2]",
    "kiosk.local.",
)


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_is_not_the_kiosks_is_refused(rig, host):
    answer = rig.browser().get("/api/boards", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["error"]["code"] == "host"
    assert "sides" not in answer.text


@pytest.mark.parametrize("host", [ADDRESS, f"{ADDRESS}:99", "localhost", "LOCALHOST:8121", "127.0.0.1", "[::1]:8121"])
def test_the_kiosks_own_addresses_are_good(rig, host):
    assert rig.browser().get("/api/boards", headers={"Host": host}).status_code == 200


def test_the_names_of_this_computer_are_good_and_the_one_that_it_was_given(rig):
    name = socket.gethostname().lower().partition(".")[0]
    guard = Guard(rig.app._app, Limits(), ["Pub.Example."])
    for host in (name, f"{name}.local", "pub.example", "PUB.example.:8121"):
        assert Browser(rig._portal, guard, PHONE, ADDRESS).get("/api/me", headers={"Host": host}).status_code == 200


def test_two_hosts_are_none(rig):
    browser = rig.browser()
    answer = browser._portal.call(
        lambda: browser.client.request("GET", "/api/me", headers=[("Host", ADDRESS), ("Host", "evil.example")])
    )
    assert answer.status_code == 421


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", f"http://{ADDRESS}", f"ftp://{ADDRESS}:8121"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/api/pair"), ("DELETE", "/api/staff"), ("POST", "/api/count")])
def test_a_page_of_another_origin_changes_nothing(rig, origin, method, path):
    answer = rig.browser().ask(method, path, headers={"Origin": origin, "Content-Type": "application/json"})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "origin"


def test_another_sites_page_does_not_even_read(rig):
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert rig.screen().get("/api/boards/1/invite", headers=headers).status_code == 403
    assert rig.screen().get("/api/boards/1/invite", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_every_answer_has_the_headers_that_keep_a_browser_in_bounds(rig):
    browser = rig.browser()
    answers = [browser.get(path) for path in ("/", "/api/boards", "/nothing", "/static/nothing.js", "/api/boards/99")]
    answers += [browser.get("/api/me", headers={"Host": "evil.example"}), browser.post("/api/staff", {"pin": 1})]
    answers += [browser.ask("PUT", "/api/me"), browser.ask("OPTIONS", "/api/me"), browser.ask("POST", "/api/me")]
    [script] = re.findall("<script>(.*?)</script>", answers[0].text, re.DOTALL)
    for answer in answers:
        assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY, answer.url
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cache-control"] in ("no-store", "no-cache")
    assert {
        "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'; script-src 'self' " + policy_hash(script),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    } == SECURITY


def test_the_pages_that_need_no_server_may_compile_webassembly_and_no_more(house, tmp_path, portal):
    (tmp_path / "site" / "runtime").mkdir(parents=True)
    (tmp_path / "site" / "index.html").write_text("<!doctype html>", "utf-8")
    (tmp_path / "secret").write_text("no", "utf-8")
    with running(house, tmp_path, portal, site=tmp_path / "site") as rig:
        browser = rig.browser()
        assert browser.get("/api/boards").json()["site"] is True
        answer = browser.get("/site/")
        assert answer.text == "<!doctype html>"
        assert answer.headers["Content-Security-Policy"] == f"{POLICY} 'wasm-unsafe-eval'"
        for path in ("/site/../secret", "/site/%2e%2e/secret", "/site/nothing"):
            assert browser.get(path).status_code == 404
        assert "wasm" not in browser.get("/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "X" * 99])
def test_no_other_method_is_known(rig, method):
    answer = rig.browser().ask(method, "/api/boards")
    assert answer.status_code == 405
    assert set(answer.json()["error"]) == {"code", "message", "hint"}


def test_addresses_and_heads_are_bounded(rig):
    browser = rig.browser()
    assert browser.get("/api/games?before=" + "1" * 2000).status_code == 414
    assert browser.get("/" + "a" * 2000).status_code == 414
    assert browser.get("/api/me", headers={f"x-{n}": "1" for n in range(80)}).status_code == 431


def test_what_asks_brings_no_body(rig):
    answer = rig.browser().ask("GET", "/api/boards", content=b"{}")
    assert (answer.status_code, answer.headers["connection"]) == (400, "close")
    assert rig.browser().ask("DELETE", "/api/staff", content=iter_parts([b"{}"])).status_code == 400


def test_a_body_whose_length_is_said_in_two_ways_is_refused(rig):
    headers = {"Content-Length": "2", "Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    answer = rig.browser().ask("POST", "/api/pair", content=b"{}", headers=headers)
    assert (answer.status_code, answer.headers["connection"]) == (400, "close")
    assert answer.json()["error"]["code"] == "body"


@pytest.mark.parametrize("path", ["games/{}", "players/{}", "players/1/against/{}", "boards/{}", "boards/{}/live"])
def test_a_number_beyond_all_numbers_is_nothing_and_no_mistake(rig, path, caplog):
    assert rig.browser().get("/api/" + path.format("9" * 900)).status_code == 404
    assert caplog.text == ""


def test_one_client_that_asks_too_often_is_told_to_wait_and_others_are_not(rigs):
    rig = rigs(Limits(reads=1, read_burst=5, writes=0.1, write_burst=3))
    eager, other = rig.browser(PHONE), rig.browser(OTHER)
    assert [eager.get("/api/me").status_code for _ in range(7)] == [200] * 5 + [429] * 2
    answers = [eager.post("/api/pair") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [400] * 3 + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 11
    assert "wait" in answers[-1].json()["error"]["hint"]
    assert other.get("/api/me").status_code == 200
    assert other.post("/api/pair").status_code == 400


def test_what_fails_inside_tells_nothing_of_the_program(rig, monkeypatch, caplog):
    monkeypatch.setattr("cribboard.web.api_phones.Here.me", _broken)
    with caplog.at_level(logging.ERROR), running_again(rig) as broken:
        answer = broken.browser().get("/api/me")
    assert answer.status_code == 500
    assert set(answer.json()["error"]) == {"code", "message", "hint"}
    for inside in ("Traceback", "/secret/path", "KeyError", ".py"):
        assert inside not in answer.text
    assert "/secret/path" in caplog.text


def test_an_unknown_address_is_said_in_json(rig):
    answer = rig.browser().get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown"
    assert rig.browser().get("/static/../app.py").status_code == 404
    assert rig.browser().get("/static/%2e%2e/app.py").status_code == 404
    assert rig.browser().get("/static/..%2fapp.py").status_code == 404


HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_is_shown_a_page_where_a_program_is_given_json(rig):
    phone = rig.browser()
    for path, status, words in (
        ("/nope", 404, "There is nothing at this address."),
        ("/static/nope.js", 404, "There is nothing at this address."),
        ("/api/boards/99", 404, "There is no table 99."),
        ("/" + "x" * 2000, 414, "characters."),
    ):
        page = phone.get(path, headers=HTML)
        assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert words in page.text
        assert '<a class="button main" href="/">' in page.text
        assert phone.get(path).json()["error"]["message"]
    strange = phone.get("/", headers={**HTML, "Host": "<script>"})
    assert strange.status_code == 421
    assert "<script>" not in strange.text


async def _broken(self, request):
    raise KeyError("/secret/path")


def running_again(rig):
    from web.rig import running

    return running(rig.kiosk.tables, rig.kiosk.keys._path.parent, rig._portal)


async def iter_parts(parts):
    for part in parts:
        yield part
