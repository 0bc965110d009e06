// What this device was told to remember. A browser that keeps nothing asks again.

const NAME = "cribboard.";

/** @template T @param {string} key @param {T} otherwise @returns {T} */
export function recall(key, otherwise) {
  try {
    const kept = localStorage.getItem(NAME + key);
    return kept === null ? otherwise : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(NAME + key);
    else localStorage.setItem(NAME + key, JSON.stringify(value));
  } catch {
    // private windows may refuse; the page works without
  }
}
