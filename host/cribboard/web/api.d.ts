// What the kiosk answers, and what its streams bring.

interface Problem { code: string; message: string; hint: string }

interface Away { text: string; hint: string }
interface BoardEntry { number: number; name: string; uid: string; port: string; virtual: boolean; away: Away | null }
interface Seat { place: number; side: number; colour: string; name: string | null }
interface Side {
  side: number; colour: string; name: string | null; front: number; back: number; won: number; waiting: number;
  waiting_by: string | null; lead: number; skunked: number; warned: boolean; places: number[];
}
interface Win { text: string; side: number }
interface Deal { asked: "next" | "who" | null; text: string; next: Seat; seats: Seat[] }
interface Step { rev: number; text: string }
interface Last { rev: number; kind: string; side: number | null; points: number | null; text: string }
interface Part { name: string; cards: string[]; points: number; total: number; text: string }
interface Count { crib: boolean; cards: string[]; starter: string; points: number; parts: Part[]; text: string }
interface Counted extends Count { rev: number; side: number; claimed?: number | null }
interface RuleOptions {
  counting: "auto" | "manual"; muggins: boolean; overcount: boolean; time_limit: number; tournament: boolean; nineteen: boolean;
  playroom: boolean;
}
interface Rules { options: RuleOptions; words: string[]; manual: boolean }
interface Claims { side: number; left_s: number }
interface Laid { card: string; side: number; points: number; text: string }
interface Cards {
  starter: string | null; pile: Laid[]; played: Laid[]; running: number; next: number | null; seen: string[];
  nibs: boolean; counted: number[]; crib_counted: boolean;
}
interface Idle { since: string; dim: boolean }
interface State {
  board: BoardEntry; version: number; idle: Idle; rev: number | null; game: number | null; target: number | null;
  skunk: number | null; double: number | null; winner: number | null; sides: Side[]; dealer: Seat | null;
  crib: number | null; win: Win | null; undo: Step | null; redo: Step | null; last: Last | null;
  count: Counted | null; deal: Deal | null; chances: number[] | null; table: Cards;
  rules?: Rules | null; open?: number | null; claims?: Claims | null;
}
interface Tables { boards: State[]; site: boolean; missing?: Away }
interface News extends Last { full: string; win: string }
interface Notice { text: string }
interface Frame { leds: number; tracks: string[] }

type Hole = [number, number, number];
type Point = [number, number];
interface Drawing {
  size: Point; tracks: Hole[][]; starts: Hole[][]; bands: Point[][]; streets: Point[];
  skunk: { score: number; line: Point[] }[]; texts: { at: Point; words: string }[];
}

interface Invite { url: string; code: string | null; svg: string; locked: boolean; unreachable: boolean }
interface Poster { url: string; svg: string; unreachable: boolean }
interface Outcome { rev: number; text: string; version: number; kept: boolean }
interface Found { rev: number | null; text: string; version: number }

interface OwnPhone { number: number; name: string; table: number }
interface Me {
  role: "guest" | "player" | "staff" | "screen"; board: number | null; by: string | null;
  state?: "seated" | "waiting" | "removed"; phone?: OwnPhone | null;
}
interface Phone { phone: number; name: string; side: number | null; since: string; waits: boolean; open: boolean; own: boolean }
interface SideName { side: number; colour: string; name: string | null }
interface AtTable {
  board: number; locked: { by: string } | null; phones: Phone[]; name: string; sides: SideName[];
  may: { admit: boolean; open: boolean; remove: boolean };
}

interface Sat { place: number; side: number; player: number | null; name: string | null }
interface SideOfGame { side: number; name: string | null; front: number; back: number; lost: number }
interface Game {
  line?: number[][]; id: number; board: string; state: string; target: number; skunk: number; double: number;
  began: string; heard: string; ended: string | null; winner: number | null; whole: boolean; seats: Sat[];
  sides: SideOfGame[];
}
interface Happening {
  kind: string; rev: number; at: string | null; side: number | null; points: number | null; text: string;
  fronts: number[] | null; backs: number[] | null; dealer: number | null; winner: number | null; gone?: boolean;
  missing?: number; cards?: string; starter?: string; by?: string; chances?: number[];
}
interface Lost { kind?: string; a?: number }
interface Correction { at: string; who: string; what: string; game: number | null; before: Lost; after: Lost }
interface Replay extends Game { events: Happening[]; corrections: Correction[] }
interface Line {
  place: number; player: number; name: string; games: number; won: number; points: number; spread: number;
  skunks: number; skunked: number;
}
interface Best { points: number; cards: string; starter: string; game: number }
interface Average { mean: number | null; count: number }
interface Player {
  id: number; name: string; since: string; games: number; won: number; points: number; spread: number; skunks: number;
  skunked: number; hand: number | null; crib: number | null; pegging: number | null;
  deals: { dealer: Average; pone: Average; crib: Average }; best_hand: Best | null; best_deal: number | null;
  best_pegging: number | null; streak: number; longest: number; recent: Game[];
}
interface Known { id: number; name: string; games: number; won: number; new: boolean }
interface BestOfNight extends Best { by: string | null; side: number }
interface Night { players: Line[]; best_hand: BestOfNight | null; streaks: { name: string; won: number }[] }
interface Rivals {
  players: Point; names: [string, string]; played: number; won: Point; skunks: Point; spread: number; games: Game[];
}
interface Imported { games: number; events: number; corrections: number }

interface Pub { name: string | null; logo: string | null; light: boolean; odds: boolean }
interface Unwritten { table: string; why: string; since: string; no_file: string }
interface Cares {
  away: { table: string; text: string; hint: string }[]; unwritten: Unwritten[];
  backup: { newest: string | null; folder: string; warnings: string[] } | null;
}

interface Answered { skill: string; rating: number; at: string }
interface Question {
  skill: string; seed: number; text: string; cards: string[]; title: string; lesson: string[]; new: boolean; streak: number;
}
interface Graded { right: boolean; lines: string[]; kept: Answered }

type BoardPath = `/api/boards/${number}`;
interface Gets {
  "/api/boards": Tables;
  "/api/me": Me;
  "/api/phones": { tables: AtTable[] };
  "/api/players": { players: Known[] };
  "/api/pub": Pub;
  "/api/tonight": Night;
  "/api/house": Cares;
  [state: BoardPath]: State;
  [drawing: `${BoardPath}/drawing`]: Drawing;
  [game: `${BoardPath}/game`]: Replay;
  [invite: `${BoardPath}/invite`]: Invite;
  [poster: `${BoardPath}/poster`]: Poster;
  [phones: `${BoardPath}/phones`]: AtTable;
  [answer: `${BoardPath}/orders/${string}`]: Found;
  [leaderboard: `/api/leaderboard?${string}`]: { period: string; players: Line[] };
  [games: `/api/games?${string}`]: { games: Game[] };
  [game: `/api/games/${number}`]: Replay;
  [player: `/api/players/${number}`]: Player;
  [rivals: `/api/players/${number}/against/${number}`]: Rivals;
}
interface Posts {
  "/api/me": { done: true };
  "/api/pair": { role: string };
  "/api/count": Count;
  "/api/staff": { role: string };
  "/api/pin": { role: string };
  "/api/leave": { left: true };
  "/api/pub": Pub;
  "/api/players": { done: true };
  "/api/import": Imported;
  "/api/learn/question": Question;
  "/api/learn/answer": Graded;
  [rename: BoardPath]: { name: string };
  [order: `${BoardPath}/orders`]: Outcome;
  [lock: `${BoardPath}/lock`]: AtTable;
  [knock: `${BoardPath}/phones/${number}`]: AtTable;
  [game: `/api/games/${number}`]: { done: true };
  [player: `/api/players/${number}`]: { done: true };
}
interface Removes {
  "/api/pair": { role: string };
  "/api/staff": { role: string };
  [phone: `${BoardPath}/phones/${number}`]: AtTable;
  [player: `/api/players/${number}`]: { done: true };
}
