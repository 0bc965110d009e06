// House rules: chosen with a new game, and said where it is played.

const LIMITS = [0, 15, 30, 45, 60, 90];

export const rulesWords = (state) => (state.rules?.words.length ? `House rules: ${state.rules.words.join(", ")}.` : "");

// The fields of a new game's form, as the game before has the rules.
export function ruleFields(rules) {
  const now = rules?.options ?? {};
  const check = (name, label) => ({ name, label, kind: "check", value: now[name] });
  const limits = LIMITS.includes(now.time_limit ?? 0) ? LIMITS : [...LIMITS, now.time_limit];
  return [
    { name: "rules", label: "With house rules", kind: "check", value: Boolean(rules?.words.length) },
    { name: "counting", label: "Counting", kind: "choice", value: now.playroom ? "playroom" : now.counting ?? "auto", choices: [["By the kiosk", "auto"], ["By hand", "manual"], ["By hand; errors go to the others", "playroom"]] },
    check("muggins", "Muggins: opponents may call what you miss"),
    check("overcount", "Overcount: what you claim too much goes to the others"),
    { name: "time_limit", label: "Time to count a hand", kind: "choice", number: true, value: now.time_limit ?? 0, choices: limits.map((limit) => [limit ? `${limit} seconds` : "No limit", limit]) },
    check("tournament", "Tournament: a claim that is too low stands, and nobody sees odds"),
    check("nineteen", "A hand of nothing is called nineteen"),
  ];
}

// What can be chosen beside the rest is shown.
export function showRules(sheet, singles) {
  const { rules, counting } = sheet.elements;
  const shown = {
    counting: true,
    muggins: counting.value === "manual",
    overcount: counting.value === "manual",
    time_limit: counting.value !== "auto" && singles,
    tournament: counting.value !== "auto",
    nineteen: true,
  };
  for (const [name, can] of Object.entries(shown)) sheet.querySelector(`#row-${name}`).hidden = !rules.checked || !can;
}

// The rules of a form as an order has them.
export function chosenRules({ rules, counting, muggins, overcount, time_limit: limit, tournament, nineteen }, singles) {
  if (!rules) return {};
  const claims = { ...(limit && singles ? { time_limit: limit } : {}), ...(tournament ? { tournament } : {}) };
  return {
    ...(counting === "manual" ? { counting, ...(muggins ? { muggins } : {}), ...(overcount ? { overcount } : {}), ...claims } : {}),
    ...(counting === "playroom" ? { playroom: true, ...claims } : {}),
    ...(nineteen ? { nineteen } : {}),
  };
}
