// A table as the kiosk describes it; a test says what is otherwise.

export const side = (number, more = {}) => ({
  side: number, colour: ["orange", "blue", "green"][number - 1], name: ["Ann", "Bob", "Cid"][number - 1], front: 0, back: 0, won: 0, waiting: 0,
  waiting_by: null, lead: 0, skunked: 0, warned: false, places: [number], ...more,
});

export const seat = (place) => ({ place, side: place, colour: ["orange", "blue", "green"][place - 1], name: ["Ann", "Bob", "Cid"][place - 1] });

export const cards = (more = {}) => ({ starter: null, pile: [], played: [], running: 0, next: null, seen: [], nibs: false, counted: [], crib_counted: false, ...more });

export const state = (more = {}) => ({
  board: { number: 1, name: "Table 1", away: null }, version: 1, idle: { since: "", dim: false }, rev: 3, game: 1, target: 121, skunk: 91, double: 61,
  winner: null, sides: [side(1), side(2)], dealer: seat(1), crib: 1, win: null, undo: null, redo: null, last: null, count: null,
  deal: { asked: null, text: "", next: seat(2), seats: [seat(1), seat(2)] }, chances: null, table: cards(), ...more,
});

export const nobody = () => state({ rev: null, game: null, target: null, skunk: null, double: null, sides: [], dealer: null, crib: null, deal: null });
