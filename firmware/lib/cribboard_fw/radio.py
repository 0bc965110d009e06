"""The radio: joins the network, gives the board its name there, and serves its phones. Not tried on hardware."""

from __future__ import annotations

import hashlib

import mdns
import socketpool
import wifi

from cribboard_fw.buttons import IN_SET_UP
from cribboard_fw.clock import elapsed
from cribboard_fw.links import join
from cribboard_fw.net import MOST_PEERS, Server
from cribboard_fw.phones import PhoneLink, Phones, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.app import App
    from cribboard_fw.network import Wifi

LOOK_MS, AGAIN_MS = 1_000, 15_000
ANSWERS = __file__.rpartition("/")[0] + "/%d.http"


class Radio:
    """Steps the app and serves its phones by turns, in the network of the settings."""

    def __init__(self, app: App, settings: Wifi) -> None:
        self._network, self._password, self._name = settings.network, settings.password, settings.name
        self._places = [Place(), Place()]
        self._phones = Phones(self._places, settings.key, hashlib, lambda: app.mode.where == IN_SET_UP)
        self._step = app.step
        self._server: Server | None = None
        self._names: mdns.Server | None = None  # must stay: CircuitPython forgets the name with it
        self._looked = self._asked = -AGAIN_MS
        self._address, self._served, self._awake = "", False, False
        join(app, [app.parts.port] + self._places, PhoneLink)  # type: ignore[operator]
        app.step = self.step  # type: ignore[method-assign]

    def step(self, now: int) -> bool:
        """Do a piece of the network's work, or else a step of the app's, which always has the next turn."""
        if not 0 <= now - self._looked < LOOK_MS:  # or when the time wraps
            self._looked = now
            try:
                self._look(wifi.radio, now)
            except (OSError, RuntimeError, ValueError) as error:  # the board plays on, and tries again
                print("Wi-Fi:", error)
        self._served = not self._served and self._server is not None and self._server.step(now)
        return self._served or self._step(now)

    def _look(self, radio: wifi.Radio, now: int) -> None:
        address = str(radio.ipv4_address) if radio.connected and radio.ipv4_address else ""
        if self._server and address != self._address:
            self._server.close()
            self._server = None
        if not address and (self._asked < 0 or elapsed(now, self._asked) >= AGAIN_MS):
            self._asked = now
            try:
                radio.connect(self._network, self._password, timeout=0.01)  # it would wait for 8 s
            except ConnectionError:  # it goes on by itself
                pass
        if address and not self._server:
            self._open(address, elapsed(now, self._asked) // 1000 if self._asked >= 0 else 0)
        if self._awake != any(place.connected for place in self._places):
            self._awake = not self._awake
            # Saving power delays what comes by up to 200 ms.
            radio.power_management = wifi.PowerManagement.NONE if self._awake else wifi.PowerManagement.MIN

    def _open(self, address: str, seconds: int) -> None:
        if not self._names:
            self._names = mdns.Server(wifi.radio)
            self._names.hostname = self._name
            self._names.advertise_service(service_type="_http", protocol="_tcp", port=80)
        listener = socketpool.SocketPool(wifi.radio).socket()
        listener.settimeout(0)
        listener.bind(("0.0.0.0", 80))  # noqa: S104 - the network is what it is for
        listener.listen(MOST_PEERS)
        names = [(self._name + ".local").encode(), address.encode()]
        self._address, self._server = address, Server(listener, names, ANSWERS, self._phones, hashlib)  # type: ignore[arg-type]
        print("Wi-Fi: http://%s.local or http://%s, joined in %d s" % (self._name, address, seconds))
