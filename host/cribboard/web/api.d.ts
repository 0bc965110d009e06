// What the kiosk answers and what its streams bring, made of the types in Python by tests/web/typedefs.py:
// change those, and run it.

interface Tables { boards: State[]; site: boolean; missing?: Away }
interface State {
  rev: number | null; game: number | null; target: number | null; skunk: number | null; double: number | null;
  winner: number | null; sides: Side[]; dealer: Seat | null; crib: number | null; win: Win | null; undo: Step | null;
  redo: Step | null; last: Last | null; count: Counted | null; deal: Deal | null; chances: number[] | null; table: Cards;
  rules: Rules | null; open: number | null; claims: Claims | null; computer: Public | null; asked: Asked | null;
  board: Board; version: number; idle: Idle;
}
interface Side {
  side: number; colour: string; name: string | null; front: number; back: number; won: number; waiting: number;
  waiting_by: string | null; lead: number; skunked: number; warned: boolean; places: number[];
}
interface Seat { place: number; side: number; colour: string; name: string | null }
interface Win { text: string; side: number }
interface Step { rev: number; text: string; nothing?: number; card?: string }
interface Last { rev: number; kind: string; side: number | null; points: number | null; text: string }
interface Counted {
  crib: boolean; cards: string[]; starter: string; points: number; parts: Part[]; text: string; rev: number; newest: number;
  side: number; claimed: number | null; pegged: number; remark: string;
}
interface Part { name: string; cards: string[]; points: number; total: number; text: string }
interface Deal { asked: "next" | "who" | null; text: string; next: Seat; seats: Seat[] }
interface Cards {
  starter: string | null; pile: PlayedCard[]; played: PlayedCard[]; running: number; next: number | null;
  after_go: number[]; goes: number; go_at: number; seen: string[]; nibs: boolean; counted: number[]; crib_counted: boolean;
}
interface PlayedCard { card: string; side: number; points: number; text: string; remark: string; at: number }
interface Rules { options: HouseRules; words: string[]; manual: boolean }
interface HouseRules {
  counting: "auto" | "manual"; muggins: boolean; overcount: boolean; time_limit: number; exact: boolean;
  tournament: boolean; too_many: number; renege: boolean; misdeal: number; forfeit: boolean; steal: boolean;
  nineteen: boolean; alternate: boolean; cut_each_game: boolean; five_card: boolean; playroom: boolean;
}
interface Claims { side: number; left_s: number }
interface Public { level: string; side: number; phone: string; acts: number }
interface Asked { phone: string; name: string; side: number | null; rev: number; text: string; points: number | null }
interface Board { number: number; name: string; uid: string; virtual: boolean; away: Away | null }
interface Away { text: string; hint: string }
interface Idle { since: string; dim: boolean }
interface Drawing {
  size: [number, number]; tracks: [number, number, number][][]; starts: [number, number, number][][];
  bands: [number, number][][]; streets: [number, number][]; skunk: Skunk[]; texts: Label[];
}
interface Skunk { score: number; line: [number, number][] }
interface Label { at: [number, number]; words: string }
interface Lines { lines: Scored[] }
interface Scored { rev: number; side: number; points: number; text: string }
interface Invite { url: string; code: string; svg: string; locked: boolean; unreachable: boolean }
interface Poster { url: string; svg: string; unreachable: boolean }
interface Outcome { rev: number; text: string; version: number; kept: boolean | null }
interface Answer { rev: number | null; text: string; version: number }
interface Computer {
  on: boolean; level: string | null; mine: boolean;
  do: "throw" | "play" | "count" | "call" | "wait" | "go on" | "apart" | "won" | "nothing"; text: string; said: string[];
  hand: string[]; fits: string[]; pile: string[]; running: number; starter: string | null; counts: string[];
  claims: boolean; muggins: boolean; undo: boolean; acts: number;
}
interface Chosen { brightness: number; sound: "off" | "quiet" | "on"; commit_s: number; kept: boolean }
interface Renamed { name: string }
interface Other { uid: string; rev: number; text: string; left: string[] }
interface Count { crib: boolean; cards: string[]; starter: string; points: number; parts: Part[]; text: string }
interface Me {
  role: "guest" | "player" | "staff" | "screen"; board: number | null; by: string | null;
  state?: "seated" | "waiting" | "removed"; phone?: OwnPhone | null;
}
interface OwnPhone { number: number; name: string; table: number }
interface Done { done: true }
interface Role { role: "guest" | "player" | "staff" | "screen"; board?: number; waits?: number }
interface AllPhones { tables: AtTable[] }
interface AtTable {
  board: number; locked: Locked | null; phones: Phone[]; name: string; sides: SideName[]; asked: Asked | null; may: May;
}
interface Locked { by: string }
interface Phone {
  phone: number; name: string; by: string; side: number | null; since: string; waits: boolean; open: boolean; own: boolean;
}
interface SideName { side: number; colour: string; name: string | null }
interface May { admit: boolean; open: boolean; remove: boolean }
interface Players { players: Known[] }
interface Known { id: number; name: string; games: number; won: number; on_nights: OnNights; new: boolean }
interface OnNights { nights: number; games: number; won: number }
interface ReviewState {
  state: "ready" | "working" | "asked" | "none"; text: string; done: number; of: number; review: Review | null;
}
interface Review { summary: string[]; worst: Choice[]; choices: Choice[]; averages: string[] }
interface Choice {
  deal: number; name: string; role: string; scores: number[]; discard: boolean; chose: string[]; better: string[];
  cost: string; reason: string;
}
interface Cares { away: AwayBoard[]; unwritten: Unwritten[]; unsaved: Trouble[]; backup: Backup | null }
interface AwayBoard { table: string; text: string; hint: string; board: number; other: boolean }
interface Unwritten { table: string; why: string; since: string; no_file: string }
interface Trouble { table: string; text: string; hint: string }
interface Backup { newest: string | null; hours: number; folder: string; warnings: string[] }
interface SentAway { left: true }
interface Quiet { begins: string | null; ends: string | null }
interface Pub { name: string | null; logo: string | null; light: boolean; odds: boolean; notice: Warning | null }
interface Warning { text: string; hint: string }
interface Question {
  skill: string; seed: number; text: string; asks: string; cards: string[]; title: string; lesson: string[]; new: boolean;
  streak: number;
}
interface Graded { right: boolean; lines: string[]; kept: Kept }
interface Kept { skill: string; rating: number; at: string }
interface Evening {
  night: number; acts: number; name: string; rules: Preset; worth: string; target: number; skunk: number; double: number;
  by_wins: boolean; by_spread: boolean; best_of: number; draw: string; began: string; tonight: boolean;
  season: number | null; closed: boolean; played: boolean; round: number; rounds: number; until: string;
  tables: TableOfNight[]; entrants: Entrant[]; matches: Match[]; standings: RowOfNight[]; notes: string[];
  mine: number | null; director: boolean; staff: boolean; joined: boolean;
}
interface Preset { id: string; what: string; unsure: string; source: string; rounds: number; partners: boolean }
interface TableOfNight { table: number; name: string; board: boolean }
interface Entrant {
  entrant: number; name: string; here: boolean; phone: string; mine: boolean; table: string; added: string[];
}
interface Match {
  match: number; round: number; table: number; place: string; sides: number[][]; names: string[]; first: number;
  called: boolean; over: boolean; bye: boolean; wins: number[]; legs: Leg[]; running: number[] | null;
  minutes: number | null; said: number; mine: number | null; changed: boolean;
}
interface Leg {
  leg: number; state: string; scores: number[] | null; said: string; waits_for: number[]; reports: (number[] | null)[];
  points: string[]; board: boolean;
}
interface RowOfNight {
  place: number; entrants: number[]; name: string; points: string; games: number; won: number; skunks: number;
  spread: number; byes: number;
}
interface MatchLines { lines: LineOfMatch[] }
interface LineOfMatch { at: string; who: string; source: string; kind: string; before: string; after: string; text: string }
interface Begin {
  may: boolean; staff: boolean; names: string[]; players: string[]; presets: Preset[]; boards: [number, string][];
  on: number | null;
}
interface Preview { text: string }
interface PhonesOfNight { phones: PhoneOfNight[] }
interface PhoneOfNight { phone: number; name: string; table: number }
interface Sheet { lines: SheetLine[]; notes: string[]; bad: string[] }
interface SheetLine { line: number; text: string; known: boolean }
interface Nights { nights: ListedNight[]; seasons: ListedSeason[] }
interface ListedNight { night: number; name: string; began: string; closed: boolean; season: number | null }
interface ListedSeason { season: number; name: string }
interface Begun { number: number }
interface Season {
  season: number; name: string; what: string; best: number; award: string; may: boolean; nights: ListedNight[];
  rows: SeasonRow[];
}
interface SeasonRow { place: number; name: string; points: string; nights: number; nights_won: number }
interface News {
  rev: number; kind: string; side: number | null; points: number | null; text: string; full: string; win: string;
}
interface Notice { text: string }
interface Frame { leds: number; tracks: string[] }
interface Game {
  id: number; board: string; state: string; target: number; skunk: number; double: number; began: string; heard: string;
  ended: string | null; winner: number | null; whole: boolean; seats: Sat[]; sides: SideOfGame[]; line?: number[][];
  among?: string;
}
interface Sat { place: number; side: number; player: number | null; name: string | null }
interface SideOfGame { side: number; name: string | null; front: number; back: number; lost: number }
interface GameEvent {
  kind: string; rev: number; at: string | null; side: number | null; points: number | null; text: string;
  fronts: number[] | null; backs: number[] | null; dealer: number | null; winner: number | null; gone?: boolean;
  missing?: number; cards?: string; starter?: string; by?: string;
}
interface Correction { at: string; who: string; what: string; game: number | null; before: Before; after: Before }
interface LeaderboardRow {
  place: number; player: number; name: string; games: number; won: number; points: number; spread: number; skunks: number;
  skunked: number;
}
interface Best { points: number; cards: string; starter: string; game: number }
interface Player {
  id: number; name: string; since: string; games: number; won: number; points: number; spread: number; skunks: number;
  skunked: number; hand: number | null; crib: number | null; pegging: number | null; deals: Record<string, Average>;
  best_hand: Best | null; best_deal: number | null; best_pegging: number | null; streak: number; longest: number;
  among: Record<string, [number, number]>; on_nights: OnNights; recent: Game[];
}
interface Average { mean: number | null; count: number }
interface Rivals {
  players: [number, number]; names: [string, string]; played: number; won: [number, number]; skunks: [number, number];
  spread: number; games: Game[];
}
interface ImportResult { games: number; events: number; corrections: number; nights?: number }

// What a correction has changed: of a lost event its kind and points.
interface Before { kind?: string; a?: number; points?: number }
interface GameEvent { chances?: number[] }
interface Replay extends Game { events: GameEvent[]; corrections: Correction[] }
interface BestOfNight extends Best { by: string | null; side: number }
interface Night { players: LeaderboardRow[]; best_hand: BestOfNight | null; streaks: { name: string; won: number }[] }

interface Gets {
  "/api/boards": Tables;
  [path: `/api/boards/${number}`]: State;
  [path: `/api/boards/${number}/drawing`]: Drawing;
  [path: `/api/boards/${number}/game`]: Replay;
  [path: `/api/boards/${number}/lines`]: Lines;
  [path: `/api/boards/${number}/invite`]: Invite;
  [path: `/api/boards/${number}/poster`]: Poster;
  [path: `/api/boards/${number}/orders/${string}`]: Answer;
  [path: `/api/boards/${number}/computer`]: Computer;
  [path: `/api/boards/${number}/choice`]: Chosen;
  [path: `/api/boards/${number}/move`]: Other;
  "/api/me": Me;
  "/api/phones": AllPhones;
  [path: `/api/boards/${number}/phones`]: AtTable;
  "/api/leaderboard": { period: string; players: LeaderboardRow[] };
  "/api/players": Players;
  [path: `/api/players/${number}`]: Player;
  [path: `/api/players/${number}/against/${number}`]: Rivals;
  "/api/games": { games: Game[] };
  [path: `/api/games/${number}`]: Replay;
  [path: `/api/games/${number}/review`]: ReviewState;
  "/api/corrections": { corrections: Correction[] };
  "/api/house": Cares;
  "/api/quiet": Quiet;
  "/api/pub": Pub;
  "/api/tonight": Night;
  "/api/night": Evening;
  [path: `/api/nights/${number}`]: Evening;
  [path: `/api/nights/${number}/matches/${number}`]: MatchLines;
  "/api/night/begin": Begin;
  "/api/night/invite": Invite;
  "/api/night/phones": PhonesOfNight;
  "/api/nights": Nights;
  [path: `/api/seasons/${number}`]: Season;
}
interface Posts {
  [path: `/api/boards/${number}/orders`]: Outcome;
  [path: `/api/boards/${number}/computer`]: Computer;
  [path: `/api/boards/${number}/choice`]: Chosen;
  [path: `/api/boards/${number}`]: Renamed;
  [path: `/api/boards/${number}/move`]: State;
  "/api/count": Count;
  "/api/me": Done;
  "/api/pair": Role;
  [path: `/api/boards/${number}/phones/${number}`]: AtTable;
  [path: `/api/boards/${number}/lock`]: AtTable;
  "/api/players": Done;
  [path: `/api/players/${number}`]: Done;
  [path: `/api/games/${number}`]: Done;
  [path: `/api/games/${number}/review`]: ReviewState;
  "/api/import": ImportResult;
  "/api/staff": Role;
  "/api/pin": Role;
  "/api/leave": SentAway;
  "/api/quiet": Quiet;
  "/api/pub": Pub;
  "/api/learn/question": Question;
  "/api/learn/answer": Graded;
  [path: `/api/nights/${number}/orders`]: Evening;
  [path: `/api/nights/${number}/start/${number}`]: Done;
  "/api/night": Evening;
  "/api/night/preview": Preview;
  [path: `/api/nights/${number}/sheet`]: Sheet;
  [path: `/api/nights/${number}/director`]: Evening;
  [path: `/api/nights/${number}/season`]: Done;
  "/api/seasons": Begun;
  [path: `/api/seasons/${number}`]: Begun;
}
interface Removes {
  "/api/pair": Role;
  [path: `/api/boards/${number}/phones/${number}`]: AtTable;
  [path: `/api/players/${number}`]: Done;
  "/api/staff": Role;
  [path: `/api/night/phones/${number}`]: PhonesOfNight;
  [path: `/api/nights/${number}`]: Done;
  [path: `/api/seasons/${number}`]: Done;
}
