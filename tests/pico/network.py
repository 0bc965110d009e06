"""What measures the board's server: a Pico has no radio, so the network and its phones are objects in its memory."""

WIFI = """
WIFI_NETWORK = "pub"
WIFI_PASSWORD = "pass phrase"
WIFI_KEY = "00112233445566778899aabbccddeeff"
"""

# GP22 is high while a step runs, with the sockets' own calls; what the phones do falls between two steps. The console
# hears of each phase.
NETWORK = b"""
import board, digitalio, gc, hashlib, sys, time
from errno import EAGAIN
from supervisor import ticks_ms

class Some:
    # a module, or an object in one
    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])

class Socket:
    # the board's end; the phone's is what has been said to it, and how much was heard

    def __init__(self, said=b""):
        self.said = said
        self.heard = 0
        self.open = True

    def settimeout(self, seconds):
        pass

    def recv_into(self, buffer):
        said = self.said
        size = min(len(said), len(buffer))
        if not size:
            raise OSError(EAGAIN)
        buffer[:size] = said[:size]
        self.said = said[size:]
        return size

    def send(self, data):
        self.heard += len(data)
        return len(data)

    def close(self):
        self.open = False

class Listener(Socket):
    waiting = []

    def bind(self, address):
        pass

    def listen(self, number):
        pass

    def accept(self):
        if not self.waiting:
            raise OSError(EAGAIN)
        return self.waiting.pop(0), None

class Names:
    def __init__(self, radio):
        pass

    def advertise_service(self, **what):
        pass

air = Some(connected=True, ipv4_address="192.168.1.5")
modules = {
    "wifi": Some(radio=air, PowerManagement=Some(NONE=0, MIN=1)),
    "socketpool": Some(SocketPool=lambda radio: Some(socket=Listener)),
    "mdns": Some(Server=Names),
    "hashlib": Some(new=lambda name, data: hashlib.new("sha1", data)),  # a Pico's has no other
}
for name in modules:
    sys.modules[name] = modules[name]

from cribboard_core.wire import encode
from cribboard_fw import hardware
from cribboard_fw.clock import elapsed
from cribboard_fw.settings import read_settings

figures = {}

def held():
    gc.collect()
    return gc.mem_alloc()

def measured(self):
    before = held()
    from cribboard_fw import links
    figures["links"] = held() - before
    before = held()
    from cribboard_fw import net
    figures["net_phones"] = held() - before
    before = held()
    from cribboard_fw.radio import Radio
    figures["radio"] = held() - before
    return lambda app: Radio(app, self)

settings = read_settings()
del read_settings
served = bool(settings.wifi)
if served:
    type(settings.wifi).radio = measured
parts = hardware.Parts(settings)
app = hardware.start(settings, parts)
del measured
figures["held"] = held()

mark = digitalio.DigitalInOut(board.GP22)
mark.switch_to_output(False)
step = app.step

def marked(now):
    mark.value = True
    busy = step(now)
    mark.value = False
    return busy

app.step = marked

UPGRADE = b"Origin: http://192.168.1.5\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n"
BROWSER = b"User-Agent: Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Mobile\\r\\nAccept: */*\\r\\n"

def head(path, more=b""):
    return b"GET %s HTTP/1.1\\r\\nHost: 192.168.1.5\\r\\n" % path + BROWSER + more + b"\\r\\n"

def framed(data, op=0x82):
    # its mask is 0, which costs the board as much as another
    return bytes([op, 0x80 | len(data), 0, 0, 0, 0]) + data

class Phone:
    def __init__(self, number):
        token = hashlib.new("sha1", b"cribboard 00112233445566778899aabbccddeeff").digest()[:10].hex().encode()
        path = b"/wire?phone%d&%s" % (number, token)
        self.socket = Socket(head(path, UPGRADE + b"Sec-WebSocket-Version: 13\\r\\n"))
        Listener.waiting.append(self.socket)
        self.number = number
        self.asked = self.heard = 0
        self.pinged = ticks_ms()

    def ping(self):
        if elapsed(ticks_ms(), self.pinged) > 5000:
            self.pinged = ticks_ms()
            self.socket.said += framed(b"", 0x81)

    def flood(self):
        # something else whenever it has heard something
        socket = self.socket
        if socket.heard == self.heard or socket.said:
            return
        self.heard = socket.heard
        self.asked += 1
        at = self.asked % len(ASKED)
        message = ASKED[at]
        if len(message) > 1 and message[1] == 0:
            message = [message[0], 700 + self.number, self.asked % 255 + 1] + message[3:]
        socket.said = framed(encode(message))

ASKED = (
    ["hello", 1, 2], ["peg", 0, 0, 0, 1], ["state", 2], ["hand", 0, 0, 1, "5H5C5SJD", "5D", 0, 29],
    ["pend", 3, 0, 1, 1, 9], ["count", 4, "4H4C5S6D", "6H", 0], ["peg", 0, 0, 1, 1], ["events", 5, 0],
    ["set", 0, 0, 0, 0, 0], ["last", 6], ["set", 0, 0, 1, 0, 0], ["choose", 7, -1, -1, -1],
    ["hand", 0, 0, 0, "4H4C5S6D", "6H", 0, 24], ["nothing", 8],
)
phones, others = [], []
phase = "start"

def between():
    # what happens in the network
    for phone in phones:
        if phase == "flood":
            phone.flood()
        else:
            phone.ping()
    if phase == "flood":
        for number in (0, 1):
            if not others[number].open:
                others[number] = Socket((head(b"/"), b"POST / HTTP/1.1\\r\\n")[number])
                Listener.waiting.append(others[number])

class Over(Exception):
    pass

class Dog:
    def __init__(self, ms):
        self.ms = ms
        self.since = ticks_ms()

    def feed(self):
        between()
        if elapsed(ticks_ms(), self.since) > self.ms:
            raise Over

class Faults:
    in_a_row = 0

def run(ms):
    try:
        hardware.run(app, Dog(ms), Faults)
    except Over:
        pass

run(4000)  # the show at the start
print("phase nobody")
run(2000)
if served:
    phones += [Phone(1), Phone(2)]
    phase = "phones"
    run(1000)
    assert all([phone.socket.open and phone.socket.heard for phone in phones])
    print("phase phones")
    run(2000)
    others += [Socket(head(b"/")), Socket(head(b"/none"))]
    Listener.waiting += others
    phase = "flood"
    for phone in phones:
        phone.heard = 0
    print("phase flood")
    run(6000)
    figures["asked"] = phones[0].asked + phones[1].asked
    figures["rev"] = app.match.rev
print("phase over")
while True:
    for name in figures:
        print("figure", name, figures[name])
    print("figures end")
    time.sleep(0.1)
"""
