// One tab of a browser has a board: another one would take its answers, or tear its memory.

// Gives what lets the name go again, or null when another tab has it.
/** @param {string} name @returns {Promise<(() => void) | null>} */
export function hold(name) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((taken) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => (lock ? new Promise((/** @type {(value: void) => void} */ release) => taken(release)) : taken(null)))
      .catch(() => taken(() => {})); // a browser that keeps nothing for a page gives it no locks either
  });
}
