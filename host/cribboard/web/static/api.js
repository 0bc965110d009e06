// Asking the kiosk. A failure is an Error that says in words what is wrong and what to do.

const AGAIN_MS = 1500;

// What the kiosk or the network says against it; the status is 0 when there was no answer.
export class Failure extends Error {
  /** @param {number} status @param {{ code?: string, message: string, hint?: string }} said */
  constructor(status, { code = "", message, hint = "" }) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }

  // Nobody knows whether the kiosk did what it was told: ask again.
  get unanswered() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  get words() {
    return this.hint ? `${sentence(this.message)} ${sentence(this.hint)}` : sentence(this.message);
  }
}

const LOST = { code: "lost", message: "The kiosk does not answer", hint: "Check that this device is on the pub's Wi-Fi" };

/** @param {string} words */
export function sentence(words) {
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** @param {string} method @param {string} path @param {unknown} [body] */
export async function ask(method, path, body, { seconds = 10 } = {}) {
  /** @type {{ method: string, headers: Record<string, string>, signal: AbortSignal, body?: BodyInit }} */
  const request = { method, headers: {}, signal: AbortSignal.timeout(seconds * 1000) };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  /** @type {Response} */
  let answer;
  /** @type {string} */
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

/** @type {<P extends Address>(path: P) => Promise<Got<P>>} */
export const get = (path) => ask("GET", path);
/** @type {<P extends keyof Posts>(path: P, body?: unknown) => Promise<Posts[P]>} */
export const post = (path, body = {}) => ask("POST", path, body);
/** @type {<P extends keyof Removes>(path: P) => Promise<Removes[P]>} */
export const remove = (path) => ask("DELETE", path);

// Asks until there is an answer, even a refusal; `tell` hears in words why none has come yet, and "" once it has.
/** @template T @param {() => Promise<T>} act @param {(words: string) => void} tell @returns {Promise<T>} */
export async function patiently(act, tell = () => {}) {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await act();
      if (tries > 1) tell("");
      return answer;
    } catch (failure) {
      if (!failure.unanswered || failure.status === 429 || failure.code === "history") throw failure; // it has answered
      tell(failure.words);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

// The last part of this page's address that is a number: /table/2 is 2.
export function numberOfPage() {
  const match = location.pathname.match(/\/(\d+)\/?$/);
  return match ? Number(match[1]) : 1;
}
