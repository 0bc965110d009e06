// In the place of navigator.usb: a board's descriptors as CircuitPython has them with two serial ports and a drive, and the
// bytes of the second port by way of the tests' server. `taken` is what the system says when it keeps the port.

(() => {
  const bulk = (endpointNumber, direction) => ({ endpointNumber, direction, type: "bulk", packetSize: 64 });
  const interrupt = (endpointNumber) => ({ endpointNumber, direction: "in", type: "interrupt", packetSize: 8 });
  const one = (interfaceNumber, interfaceClass, endpoints) => ({ interfaceNumber, alternate: { interfaceClass, endpoints } });
  const interfaces = [
    one(0, 2, [interrupt(1)]), one(1, 10, [bulk(2, "out"), bulk(2, "in")]), // the console
    one(2, 2, [interrupt(3)]), one(3, 10, [bulk(4, "out"), bulk(4, "in")]), // the data port
    one(4, 8, [bulk(5, "out"), bulk(5, "in")]), // the drive
  ];

  class Device {
    configuration = null;
    claimed = new Set();
    ready = false;

    async open() {
      const there = await fetch("/serial/open", { method: "POST" });
      if (!there.ok) throw new DOMException("Access denied.", "SecurityError");
    }

    async selectConfiguration(value) {
      if (value === 1) this.configuration = { interfaces };
    }

    async claimInterface(number) {
      if (window.taken) throw new DOMException(window.taken, "NetworkError");
      this.claimed.add(number);
    }

    async controlTransferOut({ requestType, recipient, request, value, index }) {
      const line = requestType === "class" && recipient === "interface" && request === 0x22 && index === 2;
      if (!line || !this.claimed.has(2)) throw new DOMException("A transfer error has occurred.", "NetworkError");
      this.ready = value === 1;
    }

    async transferIn(endpoint, length) {
      for (;;) {
        const answer = await fetch("/serial", { cache: "no-store" });
        if (!answer.ok || !this.ready) throw new DOMException("The device was disconnected.", "NotFoundError");
        const bytes = await answer.arrayBuffer();
        if (endpoint === 4 && length === 64 && this.claimed.has(3) && bytes.byteLength) return { data: new DataView(bytes), status: "ok" };
      }
    }

    async transferOut(endpoint, bytes) {
      if (endpoint === 4 && this.ready) await fetch("/serial", { method: "POST", body: bytes });
    }

    async close() {
      this.ready = false;
    }
  }

  const usb = new EventTarget();
  usb.requestDevice = async ({ filters }) => {
    if (!filters.some(({ vendorId }) => vendorId === 0x239a)) throw new DOMException("No device selected.", "NotFoundError");
    sessionStorage.device = "allowed";
    return new Device();
  };
  usb.getDevices = async () => (sessionStorage.device ? [new Device()] : []);
  usb.plugIn = () => usb.dispatchEvent(new Event("connect"));
  Object.defineProperty(navigator, "usb", { value: usb });
  Object.defineProperty(navigator, "userAgentData", { value: { getHighEntropyValues: async () => ({ platformVersion: window.android ?? "16.0.0" }) } });
})();
