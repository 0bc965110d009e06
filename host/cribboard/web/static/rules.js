// House rules: chosen with a new game, and said where it is played.

import { control, hide, option } from "./dialog.js";

const LIMITS = [0, 15, 30, 45, 60, 90];

/** @param {{ rules?: Rules | null }} state */
export const rulesWords = (state) => (state.rules?.words.length ? `House rules: ${state.rules.words.join(", ")}.` : "");

// The fields of a new game's form, as the game before has the rules.
/** @param {Rules | null | undefined} rules @returns {Field[]} */
export function ruleFields(rules) {
  const now = rules?.options;
  const limit = now?.time_limit ?? 0;
  /** @param {keyof HouseRules} name @param {string} label @returns {Field} */
  const check = (name, label) => ({ name, label, kind: "check", value: now?.[name] });
  const limits = LIMITS.includes(limit) ? LIMITS : [...LIMITS, limit];
  return [
    { name: "ruled", label: "With house rules", kind: "check", value: Boolean(rules?.words.length) },
    { name: "counting", label: "Counting", kind: "choice", value: now?.playroom ? "playroom" : now?.counting ?? "auto", choices: [["By the kiosk", "auto"], ["By hand", "manual"], ["By hand; errors go to the others", "playroom"]] },
    check("muggins", "Muggins: opponents may call what you miss"),
    check("overcount", "Overcount: the others peg what you overclaim"),
    { name: "time_limit", label: "Time to count a hand", kind: "choice", number: true, value: limit, choices: limits.map((seconds) => option(seconds ? `${seconds} seconds` : "No limit", seconds)) },
    check("tournament", "Tournament: a low claim stands, and no odds are shown"),
    check("nineteen", "A hand of nothing is called nineteen"),
  ];
}

// What can be chosen beside the rest is shown.
/** @param {HTMLFormElement} sheet @param {boolean} singles */
export function showRules(sheet, singles) {
  const { value } = control(sheet, "counting");
  const shown = {
    counting: true,
    muggins: value === "manual",
    overcount: value === "manual",
    time_limit: value !== "auto" && singles,
    tournament: value !== "auto",
    nineteen: true,
  };
  for (const [name, can] of Object.entries(shown)) hide(sheet, `row-${name}`, !control(sheet, "ruled").checked || !can);
}

// The rules of a form as an order has them.
/** @param {Given} given @param {boolean} singles @returns {Partial<HouseRules>} */
export function chosenRules({ ruled, counting, muggins, overcount, time_limit: limit, tournament, nineteen }, singles) {
  if (!ruled) return {};
  const claims = { ...(limit && singles ? { time_limit: limit } : {}), ...(tournament ? { tournament } : {}) };
  return {
    ...(counting === "manual" ? { counting, ...(muggins ? { muggins } : {}), ...(overcount ? { overcount } : {}), ...claims } : {}),
    ...(counting === "playroom" ? { playroom: true, ...claims } : {}),
    ...(nineteen ? { nineteen } : {}),
  };
}
