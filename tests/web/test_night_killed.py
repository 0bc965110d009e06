"""A kiosk that is killed between a report and its answer: the phone sends it again, and it counts once."""

from __future__ import annotations

import secrets
import signal
import threading
from contextlib import suppress
from pathlib import Path

from browser.house import House, Player, wait_for


class Phone(Player):
    """A phone that joins the night and no table."""

    def __init__(self, house: House) -> None:
        self._token = house.get("/api/night/invite")["url"].partition("#t=")[2]
        super().__init__(house)
        self.post("/api/pair", {"token": self._token})


def test_a_report_is_written_once_though_the_kiosk_is_killed_before_it_answers(tmp_path: Path) -> None:
    with House(tmp_path / "house") as house:
        staff = Player(house)
        staff.post("/api/staff", {"pin": house.pin})
        night = staff.post("/api/night", {"names": ["Ann", "Bob"], "preset": "club", "boards": [], "wooden": 1})
        number, (match, *_) = night["night"], night["matches"]
        phone = Phone(house)
        orders = f"/api/nights/{number}/orders"
        phone.post(orders, {"do": "claim", "key": secrets.token_hex(16), "entrant": match["sides"][0][0]})
        order = {"do": "report", "key": secrets.token_hex(16), "match": match["match"], "scores": [121, 90]}

        def send() -> None:
            with suppress(OSError):
                phone.post(orders, order)

        sending = threading.Thread(target=send)
        sending.start()
        wait_for(lambda: house.get(f"/api/nights/{number}")["acts"] > night["acts"] + 1)
        process = house._process
        assert process is not None and process.stdout is not None
        process.send_signal(signal.SIGKILL)
        process.wait(20)
        process.stdout.close()
        sending.join(20)
        house.start()
        house.ready()
        phone.post(orders, order)
        lines = house.get(f"/api/nights/{number}/matches/{match['match']}")["lines"]
        assert [line["kind"] for line in lines].count("reported") == 1
        (leg,) = next(
            each for each in house.get(f"/api/nights/{number}")["matches"] if each["match"] == match["match"]
        )["legs"]
        assert (leg["state"], leg["scores"]) == ("waits", [121, 90])
