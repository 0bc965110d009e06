// What a page of the night asks for. An order whose answer is lost is kept on this device and sent again with its key, so that it counts once.

import { post } from "./api.js";
import { $, complain, text } from "./dom.js";
import { recall, remember } from "./settings.js";

const KEPT = "night-order";
const AGAIN_MS = 3000;
const BUSY = "What you did before is still being sent. Try again.";
const KEEPS = "This is kept here and sent as soon as the kiosk answers.";

/** @typedef {{ do: string, [name: string]: unknown }} Order */

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Why what is no order was refused.
/** @param {{ words?: string }} failure */
export const refuse = ({ words }) => complain(words ?? "");

export class Orders {
  /** @param {(evening: Evening) => void} show */
  constructor(show) {
    this.show = show;
    this.busy = false;
    this.sent = 0;
    this.refused = ""; // why the newest order was not done
    this.code = ""; // the same for a page
  }

  // What was kept when the page was left.
  async again() {
    const kept = /** @type {{ night: number, order: Order } | null} */ (recall(KEPT, null));
    if (kept?.order) await this.send(kept.night, kept.order);
  }

  /** @param {Evening} evening @param {Order} order @returns {Promise<Evening | false>} */
  give(evening, order) {
    if (!this.busy) return this.send(evening.night, { ...order, key: newKey() });
    this.refused = BUSY;
    complain(BUSY);
    return Promise.resolve(/** @type {const} */ (false));
  }

  // The evening as it is then, or false where it was not done; what went wrong is shown.
  /** @param {number} night @param {Order} order @returns {Promise<Evening | false>} */
  async send(night, order) {
    this.busy = true;
    this.sent += 1;
    this.refused = this.code = "";
    complain("");
    remember(KEPT, { night, order });
    try {
      for (;;) {
        try {
          const evening = await post(`/api/nights/${night}/orders`, order);
          $("kept").hidden = true;
          this.show(evening);
          return evening;
        } catch (failure) {
          if (failure.words === undefined) throw failure;
          if (!failure.unanswered) {
            this.refused = failure.words;
            this.code = failure.code;
            complain(failure.words);
            return false;
          }
          text($("kept"), `${failure.words} ${KEEPS}`);
          $("kept").hidden = false;
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        }
      }
    } finally {
      $("kept").hidden = true;
      remember(KEPT, null);
      this.busy = false;
    }
  }
}
