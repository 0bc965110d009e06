// The types of the static pages' own modules, for tsc; those that they share with a kiosk's are in web/pages.d.ts.

// What is on the wire, as firmware/wire/README.md has it.
type Value = string | number | null | Value[];
type Row = [rev: number, kind: string, side: number, a: number, b: number, c: number, session: number, id: number, at: number];
interface Answers {
  hello: [
    protocol: number, version: string, uid: string, epoch: number, session: number, lastId: number, tracks: number, leds: number,
    buttons: number, flags: number, missing?: number,
  ];
  state: [
    rev: number, game: number, target: number, seats: number, sides: number, dealer: number, skunk: number, double: number,
    winner: number, pegs: string, won: number[],
  ];
  events: [first: number, newest: number, ...rows: Row[]];
  last: [undo: Row | [], redo: Row | []];
  pend: [];
  count: [points: number, fifteens: number, pairs: number, runs: number, flush: number, nobs: number]; // by a board with Wi-Fi
}
interface Hello { version: string; uid: string; epoch: number; session: number; lastId: number; tracks: number; leds: number; missing?: number }
interface Standing {
  rev: number; game: number; target: number; seats: number; sides: number; dealer: number; skunk: number; double: number;
  winner: number; pegs: string; won: number[];
}
type Command = { op: string; args: Value[] };
type Left = Command & { session: number; id: number; rev: number; healing: boolean }; // not answered yet
type Said = [what: string, code?: string | number, text?: string]; // what came of a command: ok with its rev, or why not
interface Note { session: number; id: number; left: Left | null; next: Command | null; state: Standing | null; rows: Row[]; epoch?: number }
type Fits = (message: Value[]) => boolean;
interface ClientOn {
  changed(): void; event(row: Row): void; pending(side: number, points: number, owner: number): void;
  silent?(yes: boolean): void; gone?(error: Error): void;
}

// A port of a board, and what keeps a page's notes.
interface Port {
  heard: ((bytes: Uint8Array) => void) | null;
  reliable?: boolean; // what is sent arrives, or the port ends
  send(bytes: Uint8Array): unknown;
  connect?(connected: boolean): void;
  close?(): Promise<void>;
}
interface Notes {
  read<T>(name: string): Promise<T | undefined>;
  write(name: string, value: unknown): Promise<void>;
}

// A board of boards.json.
interface Button { name: string; pin: string }
interface Buttons { places: Button[][]; shared: Button[] }
interface Shipped { id: string; name: string; settings: string; pins: string[]; order: string; drawing: Drawing; buttons: Buttons }

// What a virtual board shows.
interface SideOnBoard {
  side: number; colour: string; places: number[]; front: number; back: number; won: number; waiting: number; owner: number; skunked: number;
}
interface SetUp { joined: number[]; sides: number; target: number; dealer: number; level: [number, number] }
interface Lights {
  rev: number; game: number; target: number; sides: SideOnBoard[]; view: number; skunk: number; double: number; winner: number;
  dealer: number; crib: number; undoing: boolean; eighths: number; brightness: number; sound: number; setup?: SetUp;
}
interface VirtualOn {
  lights(shown: Lights): void; strips(tracks: Uint8Array[]): void; tone(hz: number, duty: number): void;
  arrived(bytes: Uint8Array): void; started(): void; ended(why: string, ofTen: number, text: string): void; unkept(why: string): void;
}

// What rules.py and refereed.py answer, by what they are asked.
interface CountOfGame extends Partial<Count> { seat: number; crib: boolean; cards: string[]; starter: string }
interface GameState {
  phase: string; target: number; dealer: number | null; program: boolean; do: string; back: boolean; muggins: boolean; own: string[]; legal: string[];
  pile: [number, string][]; turned?: boolean; theirs?: number; turn: number | null; starter: string | null; count: number; scores: number[];
  counting: [number, string, string[]] | null; options: { counting: string; playroom: boolean };
}
type Act = Value[];
interface Acted { acts: Act[]; said: string[]; counts: CountOfGame[]; state: GameState }
interface RuleAnswers {
  counted: Count; pile: { points: number; text: string }; mistakes: { mistakes: string[]; unsafe: string[] };
  house: { rules: { word: string; text: string }[] }; begin: { game: Value; state: GameState }; warm: unknown;
  resume: { acts: Act[]; over: boolean; state: GameState }; lacking: { command: [string, ...Value[]] | null };
  judged: { done: number; of: number; best?: number; choices?: number; cost?: string; worst?: WorstChoice[] };
  hint: { text: string };
  pressed: Acted; due: Acted; act: Acted; undo: Acted; go_on: Acted;
}

interface WorstChoice { deal: number; crib: boolean; chose: string[]; better: string[]; cost: string; reason: string }

// What workers are told and tell.
interface BoardOrder {
  do: string; board: string; settings: string; name: string; why?: string; pin: string; down: boolean; bytes: Uint8Array; connected: boolean;
}
type FromBoard =
  | { show: string; bytes: Uint8Array } | { lights: Lights } | { tone: number; duty: number } | { arrived: Uint8Array } | { started: string }
  | { ended: string; ofTen: number; text: string } | { restart: string } | { unkept: string };
type Files = Record<string, string | Uint8Array>;
declare const FILES: Record<string, { text: string; base64?: undefined } | { text?: undefined; base64: string }>; // of the one file

// controllers.json
interface Controllers {
  chips: [string[], string][]; first: string[]; take: string; radio: string[]; boards: Record<string, { title: string; pico: boolean; pins: string[] }>;
}

// A service worker's own surroundings; TypeScript's types of workers exclude those of pages.
interface ServiceWorkerScope {
  addEventListener(kind: string, heard: (event: ServiceWorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void>; matchAll(which: { includeUncontrolled: boolean }): Promise<unknown[]> };
  readonly registration: { scope: string };
}
interface ServiceWorkerEvent {
  readonly request: Request;
  waitUntil(done: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

// Web Serial, and what else TypeScript's own types lack.
interface Serial extends EventTarget {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  open(how: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  setSignals(signals: { dataTerminalReady: boolean }): Promise<void>;
}
interface SerialPorts extends EventTarget {
  requestPort(which: { filters?: { usbVendorId: number }[] }): Promise<Serial>;
  getPorts(): Promise<Serial[]>;
}
interface UsbEndpoint { readonly endpointNumber: number; readonly direction: "in" | "out"; readonly type: string; readonly packetSize: number }
interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternate: { readonly interfaceClass: number; readonly endpoints: UsbEndpoint[] };
}
interface UsbConfiguration { readonly interfaces: UsbInterface[] }
interface UsbDevice {
  readonly configuration: UsbConfiguration | null;
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(number: number): Promise<void>;
  controlTransferOut(setup: { requestType: "class"; recipient: "interface"; request: number; value: number; index: number }): Promise<unknown>;
  transferIn(endpoint: number, length: number): Promise<{ data?: DataView; status: string }>;
  transferOut(endpoint: number, data: Uint8Array): Promise<unknown>;
  clearHalt(direction: "in" | "out", endpoint: number): Promise<void>;
}
interface UsbDevices extends EventTarget {
  requestDevice(which: { filters: { vendorId: number }[] }): Promise<UsbDevice>;
  getDevices(): Promise<UsbDevice[]>;
}
interface Navigator {
  readonly serial?: SerialPorts;
  readonly usb?: UsbDevices;
  readonly userAgentData?: { getHighEntropyValues(names: string[]): Promise<{ platformVersion?: string }> };
}
interface Window { showDirectoryPicker(how: { mode: "readwrite" }): Promise<FileSystemDirectoryHandle> }

declare module "*/micropython.mjs" {
  interface FileSystem {
    analyzePath(path: string): { exists: boolean };
    mkdir(path: string): void;
    writeFile(path: string, content: string | Uint8Array): void;
  }
  interface MicroPython {
    FS: FileSystem;
    registerJsModule(name: string, module: object): void;
    runPython(program: string): void;
    pyimport(name: string): unknown;
  }
  function loadMicroPython(how: { heapsize: number; stdout(line: string): void; stderr(line: string): void }): Promise<MicroPython>;
}
