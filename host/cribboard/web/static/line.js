// A game as a line: the score of each side from its start to its end, small in a list, large where it is looked at.

import { el, svg } from "./dom.js";
import { figure, nameOf } from "./sides.js";

const [WIDE, HIGH] = [600, 200];

/** @typedef {{ at?: number | null, ways?: boolean, chances?: Chance[] }} How */
const SCALE = [30, 60, 90]; // holes of 121: the ends of streets

// `fronts` are the scores of all sides after each event; `at` marks one of them.
/** @param {Named[]} sides @param {number[][]} fronts @param {number} target @param {How} how */
export function line(sides, fronts, target, { at = null, ways = true, chances = [] } = {}) {
  /** @param {number} step */
  const x = (step) => (WIDE * step) / Math.max(1, fronts.length - 1);
  /** @param {number} front */
  const y = (front) => HIGH - (HIGH * Math.min(front, target)) / target;
  /** @param {number} index */
  const way = (index) => fronts.map((front, step) => `${step ? "L" : "M"}${x(step).toFixed(1)},${y(front[index]).toFixed(1)}`).join("");
  return svg("svg", { class: "line", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": lineWords(sides, fronts) },
    SCALE.map((hole) => rule("scale", 0, WIDE, y((hole * target) / 121))),
    rule("home", 0, WIDE, 0),
    chances.length > 1 && svg("path", { class: "chance", d: chances.map(({ step, first }, index) => `${index ? "L" : "M"}${x(step).toFixed(1)},${(HIGH * (1 - first / 100)).toFixed(1)}`).join("") }),
    ways && sides.map((side, index) => svg("path", { class: `way way-${index}`, "data-colour": side.colour, d: way(index) })),
    at !== null && svg("line", { class: "now", x1: x(at), x2: x(at), y1: 0, y2: HIGH }));
}

// The holes that the lines of the scale are at, to stand beside them.
/** @param {number} target */
export const scale = (target) => el("span", { class: "holes", "aria-hidden": "true" }, [0, ...SCALE, 121].map((of121) => {
  const hole = Math.round((of121 * target) / 121);
  const mark = el("span", {}, String(hole));
  mark.style.bottom = `${(100 * hole) / target}%`;
  return mark;
}));

/** @param {string} name @param {number} from @param {number} to @param {number} height */
const rule = (name, from, to, height) => svg("line", { class: name, x1: from, x2: to, y1: height, y2: height });

// The same in words: how often the lead changed, and the widest it was.
/** @param {Named[]} sides @param {number[][]} fronts */
export function lineWords(sides, fronts) {
  /** @type {number | null} */
  let leader = null;
  let changes = 0;
  /** @type {{ by: number, side?: Named }} */
  let widest = { by: 0 };
  for (const front of fronts) {
    const most = Math.max(...front);
    const first = front.indexOf(most);
    const by = most - Math.max(...front.filter((_, index) => index !== first));
    if (!by) continue;
    if (leader !== null && leader !== first) changes += 1;
    leader = first;
    if (by > widest.by) widest = { by, side: sides[first] };
  }
  if (!widest.side) return "Nobody led.";
  const changed = ["The lead never changed", "The lead changed once"][changes] ?? `The lead changed ${changes} times`;
  return `${changed}; the widest was ${widest.by}, for ${nameOf(widest.side)}.`;
}

// Which line is whose.
/** @param {Named[]} sides */
export const legend = (sides) => sides.map((side) => [figure(side.colour, { "data-colour": side.colour }), nameOf(side)]);
