// What the lights of a board mean, in words: one sentence for each thing that is to be seen.

import { COLOURS, title } from "./sides.js";

const DARK = 0;
const WON = 2;
const CHECK = 4;
const LOST = ["", "", " is skunked", " is double-skunked"];
const SOUNDS = ["off", "quiet", "on"];

/** @param {number} count */
const lights = (count) => (count === 1 ? "1 light blinks" : `${count} lights blink`);
/** @param {number} number */
const hole = (number) => (number ? `hole ${number}` : "the start");

/** @param {Lights} shown @returns {string[]} */
export function sentences(shown) {
  if (shown.setup) return setUp(shown, shown.setup);
  if (shown.view === DARK) return ["All lights are off: nobody has touched the board for twenty minutes. Press any button."];
  const said = [];
  if (shown.eighths) said.push("White dots grow: somebody holds a button.");
  if (shown.view === CHECK) said.push("The front pegs blink fast: the board could not read all that it had saved. Check the score.");
  if (shown.winner) return [...said, ...won(shown)];
  if (shown.view === WON) return [...said, `Dots in fives are the games won: ${shown.sides.map((side) => `${side.colour} ${side.won}`).join(", ")}.`];
  if (shown.undoing) said.push("Fast blinking: UNDO takes this score back.");
  for (const side of shown.sides) said.push(...ofSide(side));
  const crib = colourOf(shown, shown.crib);
  if (crib) said.push(`The game hole is ${crib}: ${crib} has the crib.`);
  return said;
}

/** @param {Lights} shown @param {number} side */
const colourOf = (shown, side) => shown.sides.find((one) => one.side === side)?.colour;

/** @param {SideOnBoard} side */
function ofSide(side) {
  const name = title(side.colour);
  const pegs = side.front ? `${name}’s bright peg is in ${hole(side.front)}, its dim peg in ${hole(side.back)}.` : `${name}’s pegs are in the start, where no light is.`;
  if (!side.waiting) return [pegs];
  return [pegs, `${lights(side.waiting)} in front of it: points that wait for ${side.owner ? "a host" : "OK"}.`];
}

/** @param {Lights} shown */
function won(shown) {
  const winner = colourOf(shown, shown.winner);
  const lost = shown.sides.filter((side) => LOST[side.skunked]).map((side) => `${side.colour}${LOST[side.skunked]}`);
  return [`Comets run, then the track glows: ${winner} has won${lost.length ? `, and ${lost.join(" and ")}` : ""}.`,
    `Dots in fives are the games won: ${shown.sides.map((side) => `${side.colour} ${side.won}`).join(", ")}.`];
}

/** @param {Lights} shown @param {SetUp} setup */
function setUp({ brightness, sound }, setup) {
  const { joined, sides, target, dealer, level } = setup;
  const said = [`Set-up: ${joined.length ? joined.map((place) => COLOURS[place - 1]).join(", ") : "nobody"} ${joined.length === 1 ? "plays" : "play"}, to ${target}.`];
  if (sides < joined.length) said.push(`They are ${sides} teams.`);
  if (dealer) said.push(`${title(COLOURS[dealer - 1])} deals.`);
  if (level[1]) said.push(level[1] === 2 ? `White groups: sound ${SOUNDS[level[0]]}.` : `White groups: brightness ${brightness} percent.`);
  else said.push(`Brightness ${brightness} percent, sound ${SOUNDS[sound] ?? "off"}.`);
  return [...said, "DEAL starts the game, UNDO goes back to the old one."];
}
