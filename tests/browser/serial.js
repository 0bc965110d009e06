// In the place of navigator.serial: the bytes of a port by way of the tests' server. `deaf` loses what the board says.

(() => {
  class Port {
    async open({ baudRate }) {
      if (baudRate === 1200) throw new Error("this starts the boot loader");
      const there = await fetch("/serial/open", { method: "POST" });
      if (!there.ok) throw new DOMException("Failed to open serial port.", "NetworkError");
      this.on = true;
      this.readable = new ReadableStream({ pull: (controller) => this.pull(controller), cancel: () => this.close() });
      this.writable = new WritableStream({ write: (bytes) => fetch("/serial", { method: "POST", body: bytes }) });
    }

    async pull(controller) {
      while (this.on) {
        const answer = await fetch("/serial", { cache: "no-store" });
        if (!answer.ok) {
          this.on = false;
          controller.error(new DOMException("The device has been lost.", "NetworkError"));
          return;
        }
        const bytes = new Uint8Array(await answer.arrayBuffer());
        if (!bytes.length || window.deaf) continue;
        controller.enqueue(bytes);
        return;
      }
    }

    async setSignals() {}

    async close() {
      this.on = false;
    }
  }

  const serial = new EventTarget();
  serial.requestPort = async () => {
    if (window.nobodyChooses) throw new DOMException("No port selected by the user.", "NotFoundError");
    return new Port();
  };
  serial.plugIn = () => {
    const event = new Event("connect");
    Object.defineProperty(event, "target", { value: new Port() });
    serial.dispatchEvent(event);
  };
  Object.defineProperty(navigator, "serial", { value: serial });
})();
