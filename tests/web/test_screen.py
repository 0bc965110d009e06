"""What screens ask: the pub's sign, whose logo is checked, the night, a game that has ended, and a rematch."""

from __future__ import annotations

import io
import struct

import pytest
from web.rig import HERE, wait_until

from cribboard.errors import ArgumentError
from cribboard.web.pub import MOST_BYTES, ODDS, Pub, kept_odds, pub_name, read_logo

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">{}</svg>'
DRAWN = SVG.format('<defs><linearGradient id="a"/></defs><path d="M0 0h9" style="fill:url(#a)"/><use xlink:href="#a"/>')


def png(width=40, height=30):
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x06\x00\x00\x00" + bytes(30)
    )


def jpeg(width, height):
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (width, height)).save(out, "JPEG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [(png(), "image/png"), (jpeg(64, 32), "image/jpeg"), (DRAWN.encode(), "image/svg+xml")],
    ids=["png", "jpeg", "svg"],
)
def test_a_logo_that_only_draws_is_taken(tmp_path, data, kind):
    (tmp_path / "logo").write_bytes(data)
    logo = read_logo(tmp_path / "logo")
    assert (logo.data, logo.kind) == (data, kind)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (SVG.format("<script>alert(1)</script>"), "element 'script'"),
        (SVG.format('<circle onload="alert(1)"/>'), "script 'onload'"),
        (SVG.format('<a href="javascript:alert(1)"/>'), "element 'a'"),
        (SVG.format('<use xlink:href="javascript:alert(1)"/>'), "refers to 'javascript:"),
        (SVG.format('<image href="http://elsewhere/x.png"/>'), "element 'image'"),
        (SVG.format('<use href="http://elsewhere/x.svg#a"/>'), "refers to 'http://elsewhere"),
        (SVG.format("<foreignObject/>"), "element 'foreignObject'"),
        (SVG.format('<animate attributeName="href"/>'), "element 'animate'"),
        (SVG.format('<script xmlns="http://www.w3.org/1999/xhtml"/>'), "element 'script'"),
        (SVG.format("<style>@import 'http://elsewhere/x.css';</style>"), "loads something else"),
        (SVG.format('<path style="fill:url(http://elsewhere/x)"/>'), "loads something else"),
        (SVG.format('<path style="fill:u\\72l(http)"/>'), "loads something else"),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG.format("<text>&a;</text>"), "document type"),
        ('<?xml version="1.0"?><html/>', "its root is 'html'"),
        (SVG.format("<path"), "neither a PNG, a JPEG nor an SVG"),
        (SVG.format("").encode("utf-16"), "neither a PNG, a JPEG nor an SVG"),
        (b"GIF89a" + bytes(40), "neither a PNG, a JPEG nor an SVG"),
        (b"", "neither a PNG, a JPEG nor an SVG"),
        (png(60000, 60000), "60000 x 60000 pixels"),
        (png()[:14], "0 x 0 pixels"),
        (jpeg(5000, 2), "5000 x 2 pixels"),
        (b"\xff\xd8\xff\xe0\x00", "0 x 0 pixels"),
        (png() + bytes(MOST_BYTES), "more than 512 KB"),
    ],
)
def test_a_hostile_logo_is_refused_in_words(tmp_path, data, why):
    (tmp_path / "logo").write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(ArgumentError, match="the logo") as refused:
        read_logo(tmp_path / "logo")
    assert why in refused.value.message


def test_a_logo_that_is_not_there_and_a_name_that_is_none_are_refused(tmp_path):
    with pytest.raises(ArgumentError, match="cannot be read"):
        read_logo(tmp_path / "none")
    assert pub_name("  The   Anchor ") == "The Anchor"
    assert pub_name("Zum 🐻\u200d❄\ufe0f") == "Zum 🐻❄\ufe0f"
    for wrong, why in (("x" * 41, "41 characters"), ("The\x00Anchor", "'TheAnchor' has an invisible character")):
        with pytest.raises(ArgumentError, match=f"the pub's name .*{why}"):
            pub_name(wrong)


def test_screens_get_the_sign_and_nobody_gets_a_page_from_the_logo(rig, tmp_path):
    guest = rig.browser()
    assert guest.get("/api/pub").json() == {"name": None, "logo": None, "light": False, "odds": False, "notice": None}
    assert guest.get("/logo").status_code == 404
    (tmp_path / "logo").write_text(DRAWN)
    rig.kiosk.pub = Pub("The Anchor", read_logo(tmp_path / "logo"), True, True)
    assert guest.get("/api/pub").json() == {
        "name": "The Anchor",
        "logo": "/logo",
        "light": True,
        "odds": True,
        "notice": None,
    }
    logo = guest.get("/logo")
    assert logo.headers["content-type"] == "image/svg+xml"
    assert logo.headers["content-disposition"] == "attachment"
    assert logo.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in logo.headers["content-security-policy"]


def test_staff_switch_the_chance_to_win_and_it_is_kept(rig, tmp_path):
    folder, guest, staff = rig.kiosk.keys.folder, rig.browser(), rig.staff()
    assert not kept_odds(folder, False)
    assert kept_odds(folder, True), "until staff choose, the command's option counts"
    for shown in (True, False):
        assert staff.post("/api/pub", {"odds": shown}).json()["odds"] is shown
        assert guest.get("/api/pub").json()["odds"] is shown
        assert kept_odds(folder, not shown) is shown


def test_only_staff_switch_the_chance_to_win_and_only_on_or_off(rig):
    for other in (rig.browser(), rig.player(), rig.screen()):
        assert other.post("/api/pub", {"odds": True}).status_code == 403
    for wrong in ({"odds": 1}, {"odds": "on"}, {}, {"odds": True, "name": "x"}):
        assert rig.staff().post("/api/pub", wrong).status_code == 400
    assert not rig.browser().get("/api/pub").json()["odds"]


@pytest.mark.parametrize("text", ["", "{", "1", '"on"', "[" * 9999])
def test_a_choice_that_cannot_be_read_is_none(tmp_path, text):
    (tmp_path / ODDS).write_text(text)
    assert kept_odds(tmp_path, True)
    assert not kept_odds(tmp_path, False)


def test_the_screen_begins_a_rematch_and_nothing_else(rig):
    phone, screen = rig.player(), rig.screen()
    phone.order(1, do="new", names=["Ann", "Bob"], target=61)
    assert screen.order(1, do="new").status_code == 403, "a game that runs is not for the screen to end"
    phone.order(1, do="hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    phone.order(1, do="set", side=1, front=59, back=40)
    phone.order(1, do="peg", side=1, points=2)
    wait_until(lambda: screen.get("/api/boards/1/game").json().get("state") == "won")
    game = screen.get("/api/boards/1/game").json()
    assert [event["points"] for event in game["events"] if event["kind"] == "hand"] == [29]
    assert screen.order(1, do="new", target=121).status_code == 403
    assert screen.order(1, do="peg", side=1, points=1).status_code == 403
    assert rig.browser().order(1, do="new").status_code == 403, "nor for a stranger"
    assert rig.browser(HERE, HERE).ask("GET", "/api/tonight").json()["best_hand"]["by"] == "Ann"
    assert screen.order(1, do="new").status_code == 200
    state = screen.get("/api/boards/1").json()
    assert (state["winner"], state["target"]) == (None, 61)
    assert [side["name"] for side in state["sides"]] == ["Ann", "Bob"]
    assert rig.kiosk.tables.services[1].view.entry()["last"]["kind"] == "new"


def test_a_table_without_a_game_says_so(rig):
    assert rig.browser().get("/api/boards/9/game").status_code == 404


def test_streets_are_told_apart_and_an_oval_has_none(rig):
    from cribboard.hardware.description import folder, read
    from cribboard.hardware.shape import Layout
    from cribboard.hardware.svg import entry

    drawing = rig.browser().get("/api/boards/1/drawing").json()
    assert len(drawing["streets"]) == 3
    assert all(one[1] < other[0] for one, other in zip(drawing["streets"], drawing["streets"][1:], strict=False))
    for track in drawing["tracks"]:
        assert all(any(top < y < bottom for top, bottom in drawing["streets"]) for _, y, _ in track)
    assert entry(Layout(read((folder() / "boards" / "oval.toml").read_text(encoding="utf-8"))))["streets"] == []
