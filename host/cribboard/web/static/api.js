// Asking the kiosk. A failure is an Error that says in words what is wrong and what to do.

export class Failure extends Error {
  constructor(status, { code = "", message, hint = "" }) {
    super(message);
    Object.assign(this, { status, code, hint });
  }

  // Nobody knows whether the kiosk did what it was told: ask again.
  get unanswered() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  get words() {
    return this.hint ? `${sentence(this.message)} ${sentence(this.hint)}` : sentence(this.message);
  }
}

const LOST = { code: "lost", message: "The kiosk does not answer", hint: "Check that this device is on the house's Wi-Fi" };

export function sentence(words) {
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

export async function ask(method, path, body, { type = "application/json", seconds = 10 } = {}) {
  const request = { method, headers: {}, signal: AbortSignal.timeout(seconds * 1000) };
  if (body !== undefined) {
    request.headers["Content-Type"] = type;
    request.body = type === "application/json" && typeof body !== "string" ? JSON.stringify(body) : body;
  }
  let answer;
  let said;
  try {
    answer = await fetch(path, request);
    said = await answer.text();
  } catch {
    throw new Failure(0, LOST);
  }
  let read = null;
  try {
    read = said === "" ? null : JSON.parse(said);
  } catch {
    if (answer.ok) return said;
  }
  if (answer.ok) return read;
  throw new Failure(answer.status, read?.error ?? { message: `The kiosk refuses this (${answer.status})` });
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);

// The last part of this page's address that is a number: /table/2 is 2.
export function numberOfPage() {
  const found = location.pathname.match(/\/(\d+)\/?$/);
  return found ? Number(found[1]) : 1;
}
