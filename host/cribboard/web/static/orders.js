// One order at a time, under a key that is kept until the kiosk has answered: a lost answer is asked for again, and
// the same key counts once. An order that an earlier visit left behind is sent again only when somebody says so.

import { Failure, post } from "./api.js";
import { recall, remember } from "./settings.js";

const AGAIN_MS = 2000;
const FRESH_MS = 60000;

export function newKey() {
  const drawn = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...drawn)).replaceAll("+", "-").replaceAll("/", "_");
}

export class Orders {
  // `waits(order, failure)` is told what is on its way (null: nothing), `asks(failure)` resolves to whether to do it all the same.
  constructor(board, { seen, waits, asks }) {
    Object.assign(this, { path: `/api/boards/${board}/orders`, kept: `order.${board}`, seen, waits, asks });
    this.current = null;
    addEventListener("online", () => this.hurry());
  }

  // What an earlier visit sent without hearing an answer.
  get left() {
    const kept = this.current ? null : recall(this.kept);
    return kept ? { ...kept, fresh: Date.now() - kept.at < FRESH_MS } : null;
  }

  forget() {
    remember(this.kept, null);
  }

  resume() {
    const { order, words } = this.left;
    return this.carry(order, words);
  }

  async give(order, words) {
    if (this.current) throw new Failure(409, { code: "busy", message: `“${this.current.words}” is still on its way`, hint: "Wait until it has been answered" });
    return this.carry({ key: newKey(), seen: this.seen(), ...order }, words);
  }

  // What moves no peg needs no key, and the newest is all that counts.
  hint(order) {
    return post(this.path, { key: newKey(), seen: this.seen(), ...order }).catch((failure) => {
      if (!failure.unanswered) throw failure;
    });
  }

  async carry(order, words) {
    this.current = { order, words };
    remember(this.kept, { order, words, at: Date.now() });
    try {
      return await this.answered(order);
    } finally {
      this.current = null;
      this.forget();
      this.waits(null);
    }
  }

  async answered(order) {
    for (let attempt = 0; ; attempt += 1) {
      if (!attempt) this.waits(this.current, null);
      try {
        return await post(this.path, order);
      } catch (failure) {
        if (failure.unanswered) {
          this.waits(this.current, failure);
          await this.pause();
        } else if (["seen", "counted"].includes(failure.code) && (await this.asks(failure))) {
          order = { ...order, key: newKey(), seen: this.seen(), ...(failure.code === "counted" ? { again: true } : {}) };
          remember(this.kept, { order, words: this.current.words, at: Date.now() });
        } else throw failure;
      }
    }
  }

  pause() {
    return new Promise((resolve) => {
      this.hurry = resolve;
      setTimeout(resolve, AGAIN_MS);
    });
  }

  hurry() {}
}
