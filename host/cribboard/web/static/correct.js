// A score is corrected where it stands: somebody says which, and what it should have been.

import { choose, form, option } from "./dialog.js";

// Resolves to the score and its right points, null when it was left. `wrong` is why the form comes back as it was.
/** @param {Omit<Scored, "side">[]} lines @param {string} hint @param {{ wrong?: string, at?: number, points?: number | null }} again @returns {Promise<{ line: Omit<Scored, "side">, at: number, points: number } | null>} */
export async function correction(lines, hint, { wrong = "", at = 0, points = null } = {}) {
  if (!lines.length) {
    await choose("Correct a score", "No score can be corrected.", [["Close", null, "main"]]);
    return null;
  }
  const given = await form("Correct a score", [
    { name: "at", label: "Which score", kind: "choice", number: true, value: at, choices: lines.map(({ text }, line) => option(text, line)) },
    { name: "points", label: "Right points", kind: "number", min: 0, max: 46, required: true, value: points },
  ], "Correct", hint, wrong);
  return given && { line: lines[given.at], at: given.at, points: given.points };
}
