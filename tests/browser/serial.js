// In the place of navigator.serial: the bytes of a port by way of the tests' server. `deaf` loses what the board says. A
// board has a console, too, at which nothing answers; the ports that were chosen are allowed from then on.

(() => {
  class Port {
    constructor(kind) {
      this.kind = kind;
    }

    async open({ baudRate }) {
      if (baudRate === 1200) throw new Error("this starts the boot loader");
      const there = await fetch("/serial/open", { method: "POST" });
      if (!there.ok) throw new DOMException("Failed to open serial port.", "NetworkError");
      (window.opened ??= []).push(this.kind);
      this.on = true;
      this.readable = new ReadableStream({ pull: (controller) => this.pull(controller), cancel: () => this.close() });
      const send = (bytes) => this.kind === "data" && fetch("/serial", { method: "POST", body: bytes });
      this.writable = new WritableStream({ write: send });
    }

    async pull(controller) {
      if (this.kind === "console") await new Promise(() => {});
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
    const kind = window.chosen ?? "data";
    sessionStorage.allowed = [...new Set([...allowed(), kind])].toSorted();
    return ports[kind];
  };
  const allowed = () => sessionStorage.allowed?.split(",") ?? [];
  const ports = { console: new Port("console"), data: new Port("data") };
  serial.getPorts = async () => {
    const there = await fetch("/serial/open", { method: "POST" });
    return there.ok ? allowed().map((kind) => ports[kind]) : [];
  };
  serial.plugIn = () => serial.dispatchEvent(new Event("connect"));
  Object.defineProperty(navigator, "serial", { value: serial });
})();
