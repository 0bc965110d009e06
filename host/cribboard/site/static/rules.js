// The rules, asked: each question goes to the worker that has them, and resolves to its answer.

/** @typedef {{ resolve: (answer: never) => void, reject: (error: Error) => void }} Waiting */

export class Rules {
  constructor() {
    /** @type {Map<number, Waiting>} */
    this.asked = new Map();
    this.id = 0;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Promise<RuleAnswers["house"]> | null} */
    this.prepared = null;
  }

  /** @template {keyof RuleAnswers} O @param {O} order @param {Value[]} args @returns {Promise<RuleAnswers[O]>} */
  ask(order, ...args) {
    const worker = (this.worker ??= this.started());
    this.id += 1;
    return new Promise((resolve, reject) => {
      this.asked.set(this.id, { resolve, reject });
      worker.postMessage({ id: this.id, order, args });
    });
  }

  // Loads the table beside the board, so that a game need not wait for one after the other; gives the house rules to choose
  // from. What fails is loaded again when it is asked for.
  prepare() {
    if (this.prepared) return this.prepared;
    const prepared = (this.prepared = this.ask("house", "[]"));
    prepared.catch(() => {
      this.prepared = null;
      if (this.asked.size) return;
      this.worker?.terminate();
      this.worker = null;
    });
    return prepared;
  }

  started() {
    const worker = new Worker(new URL("./rules-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, answer } }) => {
      const waiting = this.asked.get(id);
      if (!waiting) return;
      this.asked.delete(id);
      if (answer.error) waiting.reject(new Error(answer.error));
      else waiting.resolve(/** @type {never} */ (answer));
    };
    worker.onerror = () => {
      const lacking = new Error("the rules could not be loaded; look at the connection and load the page again, or use a newer browser");
      this.asked.forEach(({ reject }) => reject(lacking));
      this.asked.clear();
      this.worker = null;
    };
    return worker;
  }
}
