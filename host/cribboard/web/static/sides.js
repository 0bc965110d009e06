// Who plays: each side has a colour, and for those who cannot tell the colours a figure of its own.

import { el, svg } from "./dom.js";

/** @type {Colour[]} */
export const COLOURS = ["orange", "blue", "green", "yellow", "red", "purple"]; // of places 1 to 6
// The figures of places 1 to 6, as paths in a square of 24.
const PATHS = [
  "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19z",
  "M3.5 3.5h17v17h-17z",
  "M12 2.5L22.5 21h-21z",
  "M12 1L23 12L12 23L1 12z",
  "M12 1.5L15 9L23 9.2L16.7 14.2L19 22L12 17.5L5 22L7.3 14.2L1 9.2L9 9z",
  "M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5z",
];

/** @param {Named} side */
export const nameOf = (side) => side.name || title(side.colour);

export const LONG = 12; // letters of a name that is shortened where there is little room
// A long name of several words ends with a first letter: "Chris F."
/** @param {string} name */
export const shortName = (name) => (name.length > LONG ? name.replace(/^(.+) (\p{L})[^ ]*$/u, "$1 $2.") : name);
// The same at a table, unless two would be called so.
/** @param {Named[]} sides @param {Named} side */
export const shortNameOf = (sides, side) => (sides.filter((each) => shortName(nameOf(each)) === shortName(nameOf(side))).length > 1 ? nameOf(side) : shortName(nameOf(side)));

/** @param {string} word */
export const title = (word) => word.charAt(0).toUpperCase() + word.slice(1);
/** @template {{ side: number }} S @param {{ sides: S[] }} state @param {number | null | undefined} number */
export const sideOf = (state, number) => state.sides.find((side) => side.side === number);
/** @param {{ sides: Side[] }} state @param {number | null | undefined} number @param {string} nobody */
export const nameAt = (state, number, nobody = "somebody") => nameOf(sideOf(state, number) ?? { colour: nobody });

// Whether there is a game.
/** @template {Score} S @param {S} state @returns {state is S & Playing} */
export const isPlaying = (state) => state.sides.length > 0;

/** @param {string} colour */
export function path(colour) {
  return PATHS[COLOURS.findIndex((one) => one === colour)] ?? PATHS[0];
}

/** @param {string} colour @param {Attributes} attributes */
export function figure(colour, attributes = {}) {
  const drawn = svg("path", { d: path(colour) });
  return svg("svg", { viewBox: "0 0 24 24", class: "figure", "aria-hidden": "true", ...attributes }, drawn);
}

// A name with its figure, in the side's colour.
/** @param {Named} side @param {keyof HTMLElementTagNameMap} tag */
export function named(side, tag = "span") {
  return el(tag, { class: "named", "data-colour": side.colour }, figure(side.colour), el("span", {}, nameOf(side)));
}

// How many cards each has after the discard.
/** @param {{ places: number[] }[]} sides */
export const handSize = (sides) => (sides.flatMap((side) => side.places).length === 6 ? 5 : 4);
