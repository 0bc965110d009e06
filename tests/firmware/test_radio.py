"""The radio over stand-ins for CircuitPython's modules: it joins, serves, wakes for phones, and comes back."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from firmware.rig import Rig
from firmware.sockets import KEY, TOKEN, UPGRADE, Listener, Socket, head

from cribboard_fw.network import Wifi


class Air:
    """wifi.radio, and what CircuitPython was asked for."""

    def __init__(self) -> None:
        self.ipv4_address: str | None = None
        self.power_management = "usual"
        self.asked: list[tuple[str, str, float]] = []

    @property
    def connected(self) -> bool:
        return self.ipv4_address is not None

    def connect(self, network: str, password: str, *, timeout: float) -> None:
        self.asked.append((network, password, timeout))
        raise ConnectionError("Unknown failure 2")


class Door(Listener):
    def bind(self, address: tuple[str, int]) -> None:
        assert address == ("0.0.0.0", 80)

    def listen(self, backlog: int) -> None:
        assert backlog <= 4


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    made = SimpleNamespace(air=Air(), doors=[], names=[])

    def door() -> Door:
        made.doors.append(Door())
        return made.doors[-1]

    class Names:
        def __init__(self, radio: object) -> None:
            made.names.append(self)

        def advertise_service(self, **what: object) -> None:
            """It is heard by nobody."""

    power = SimpleNamespace(NONE="none", MIN="min")
    for name, holds in {
        "wifi": {"radio": made.air, "PowerManagement": power},
        "socketpool": {"SocketPool": lambda radio: SimpleNamespace(socket=door)},
        "mdns": {"Server": Names},
    }.items():
        module = ModuleType(name)
        vars(module).update(holds)
        monkeypatch.setitem(sys.modules, name, module)
    radio = importlib.import_module("cribboard_fw.radio")
    rig = Rig()
    values = {"WIFI_NETWORK": "pub", "WIFI_PASSWORD": "pass phrase", "WIFI_NAME": "back-room", "WIFI_KEY": KEY}
    radio.Radio(rig.app, Wifi(values, lambda key, advice: pytest.fail(key)))
    made.rig = rig
    yield made
    del sys.modules["cribboard_fw.radio"]


def test_it_asks_for_the_network_without_waiting_and_again_after_a_while(air: Any) -> None:
    air.rig.run(1000)
    assert air.air.asked == [("pub", "pass phrase", 0.01)]
    air.rig.run(16_000)
    assert len(air.air.asked) == 2 and not air.doors


def test_it_serves_phones_and_saves_power_without_them(air: Any, capsys: pytest.CaptureFixture[str]) -> None:
    air.air.ipv4_address = "192.168.1.5"
    air.rig.run(1500)
    assert air.names[0].hostname == "back-room"
    said = capsys.readouterr().out
    assert "http://back-room.local or http://192.168.1.5, joined in 0 s" in said and KEY not in said + str(air.names)
    phone = Socket()
    phone.inbox = head(f"/wire?one&{TOKEN}", Host="192.168.1.5", **{**UPGRADE, "Origin": "http://192.168.1.5"})
    air.doors[0].waiting.append(phone)
    air.rig.run(2000)
    assert b" 101 " in phone.outbox and air.air.power_management == "none"
    air.rig.peg(0, 3)
    assert b'"peg",0,3' in phone.outbox and air.rig.scores() == [3, 0]
    phone.gone = True
    air.rig.run(2000)
    assert air.air.power_management == "min"


def test_another_address_ends_the_connections_and_is_served(air: Any) -> None:
    air.air.ipv4_address = "192.168.1.5"
    air.rig.run(1500)
    air.air.ipv4_address = None
    air.rig.run(1500)
    assert not air.doors[0].open
    air.air.ipv4_address = "192.168.1.7"
    air.rig.run(1500)
    assert len(air.doors) == 2 and air.doors[1].open and len(air.names) == 1


def test_what_fails_in_the_network_stops_no_game(
    air: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: Door, address: tuple[str, int]) -> None:
        raise OSError(98, "in use")

    monkeypatch.setattr(Door, "bind", broken)
    air.air.ipv4_address = "192.168.1.5"
    air.rig.run(1500)
    assert "Wi-Fi: " in capsys.readouterr().out
    air.rig.peg(1, 2)
    assert air.rig.scores() == [0, 2]
