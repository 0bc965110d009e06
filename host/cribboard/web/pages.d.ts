// The types of the pages' modules, for tsc. What the kiosk answers is in api.d.ts.

// Elements by their id, where a page needs more than what every element has.
interface Ids {
  answer: HTMLFormElement; at: HTMLInputElement; title: HTMLInputElement; pasted: HTMLTextAreaElement; preset: HTMLSelectElement; rounds: HTMLInputElement; wooden: HTMLInputElement; draw: HTMLSelectElement; back: HTMLButtonElement; boards: HTMLSelectElement; choose: HTMLButtonElement; go: HTMLButtonElement;
  clear: HTMLButtonElement; crib: HTMLInputElement; dialog: HTMLDialogElement; lesson: HTMLDetailsElement; level: HTMLSelectElement; target: HTMLSelectElement;
  light: HTMLLinkElement; rival: HTMLSelectElement; search: HTMLInputElement; send: HTMLButtonElement; set: HTMLSelectElement;
  sound: HTMLInputElement; typed: HTMLInputElement;
}
type ById<K> = K extends keyof Ids ? Ids[K] : HTMLElement;

type Child = Node | string | false | null | undefined | readonly Child[];
type Attribute = string | number | boolean | null | undefined;
interface Attributes {
  onclick?: (event: MouseEvent) => unknown;
  onchange?: (event: Event) => unknown;
  oninput?: (event: Event) => unknown;
  onsubmit?: (event: SubmitEvent) => unknown;
  ontoggle?: (event: Event) => unknown;
  [name: string]: Attribute | ((event: never) => unknown);
}

// What a page knows of a table without the kiosk, as the static pages have it.
type OfRules = "rules" | "open" | "claims" | "computer" | "asked"; // which only a kiosk has
type Score = Omit<State, "board" | "version" | "idle" | "chances" | OfRules> & Partial<Pick<State, OfRules>>;
// With a game, so nothing is null that only lacks one.
interface Playing extends Score {
  rev: number; game: number; target: number; skunk: number; double: number; dealer: Seat; crib: number; deal: Deal;
}

// What a board is drawn from.
interface Pegs { target: number | null; sides: PegsOf[]; crib?: number | null; winner?: number | null }
interface PegsOf { side?: number; colour: string; name?: string | null; front: number; back: number }

type Point = [number, number];
type Hole = [number, number, number];

// What can be asked for, and what is answered; an address may have a query.
type Address = keyof Gets | `${"/api/games" | "/api/leaderboard"}?${string}`;
type Got<P> = P extends keyof Gets ? Gets[P] : P extends `${infer Path extends keyof Gets}?${string}` ? Gets[Path] : never;

// An order to the board; the kiosk's service/orders.py says which has what.
interface Order {
  do: string; key?: string; seen?: number; page?: string; own?: number | null; again?: boolean; side?: number; from?: number;
  points?: number; score?: number; card?: string | null; cards?: string[]; starter?: string | null; crib?: boolean;
  front?: number; back?: number | boolean; place?: number; rev?: number; target?: number; names?: (string | null)[]; teams?: number;
  start?: number[]; dealer?: number; double?: number; claim?: number; rules?: Partial<HouseRules>; yes?: boolean; goes?: number;
}
interface Current { order: Order; words: string }
interface LeftBehind extends Current { at: number; fresh: boolean }
interface OrdersOn {
  seen: () => number; shows: () => number; look: () => Promise<unknown>; sender: () => Partial<Order>;
  waits: (current: Current | null, failure?: import("./static/api.js").Failure | null) => void;
  asks: (failure: import("./static/api.js").Failure, current: Current) => Promise<boolean | null>;
}

// What a form asks, and what it gives by the names of its fields.
interface Field {
  name: string; label: string; kind?: "number" | "text" | "choice" | "check" | "secret" | "time"; number?: boolean; required?: boolean;
  value?: string | number | boolean | null; choices?: [string, string | number][]; min?: number; max?: number;
  changed?: (sheet: HTMLFormElement) => void;
}
type Colour = "orange" | "blue" | "green" | "yellow" | "red" | "purple";
interface Given extends Record<Colour, string> {
  award: string;
  side: number; from: number; points: number; at: number; score: number; front: number; back: number; players: number; teams: number;
  target: number; dealer: number; handicap: boolean; ruled: boolean;
  counting: "auto" | "manual" | "playroom"; muggins: boolean; overcount: boolean; time_limit: number; tournament: boolean;
  nineteen: boolean; brightness: number; sound: Chosen["sound"]; commit_s: number; begins: string; ends: string; name: string; pin: string; new: string; is: string;
  [name: `name${number}` | `seat${number}`]: string;
  [start: `start${number}`]: number | null;
}

// What keeps a score, as its page and the panels have it: the kiosk behind its API, or a board on a wire.
interface Scorer {
  readonly state: Playing; // only while there is a game
  readonly side: Side; // for which is scored
  readonly picked: number | null; // whose this device is; 0 for the whole table
  readonly handSize: number;
  readonly failing: boolean; // what was given is not answered
  readonly refused: string; // why the last order was
  chosen: number | null; // somebody's side, as it was tapped
  me: string; // who this device is among those whose points wait
  everybody: boolean; // it is used for all sides
  wanted: Order | null; // points that are to be shown before they are pegged
  played(side: number): string[];
  hasDevice(side: number): boolean;
  count(hand: { cards: string[]; starter: string | null; crib: boolean }): Promise<Count>;
  turnTo(side: number): void;
  home(): void;
  answer(words: string, written?: boolean): void;
  give(order: Order, words: string): Promise<{ text: string } | null>;
  busy(): unknown;
  begin(): unknown;
  hint(order: Order): Promise<unknown>;
  pend(points: number, side?: number): void;
}
interface DeskOn { seen: () => Score | null; show: () => void; turned: (name: string, before: string) => void }
// The count of a hand, or why there is none.
type Counting = (Count & { wrong?: undefined }) | { wrong: string; parts?: undefined; points?: undefined; text?: undefined };

interface LiveOn {
  state?: (state: State) => void; happened?: (news: News) => void; notice?: (news: Notice) => void; frame?: (frame: Frame) => void;
  phones?: () => void; link?: (well: boolean) => void;
}

interface Named { name?: string | null; colour: string }
type Reply = (state: Score, voice: { last: string }) => string;
interface Chance { step: number; first: number }
