// The rules, asked: each question goes to the worker that has them, and resolves to its answer.

export class Rules {
  constructor() {
    Object.assign(this, { asked: new Map(), id: 0, worker: null });
  }

  ask(order, ...args) {
    this.worker ??= this.started();
    this.id += 1;
    return new Promise((resolve, reject) => {
      this.asked.set(this.id, { resolve, reject });
      this.worker.postMessage({ id: this.id, order, args });
    });
  }

  started() {
    const worker = new Worker(new URL("./rules-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, answer } }) => {
      const { resolve, reject } = this.asked.get(id);
      this.asked.delete(id);
      if (answer.error) reject(new Error(answer.error));
      else resolve(answer);
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
