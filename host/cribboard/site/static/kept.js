// What this browser keeps by itself: one small store in IndexedDB. A window that may keep nothing says why, and works.

const DATABASE = "cribboard";
const STORE = "kept";

export class Kept {
  /** @param {string} folder @param {IDBDatabase | null} database */
  constructor(folder, database, why = "") {
    this.folder = folder;
    this.database = database;
    this.why = why;
    this.here = new Map();
  }

  /** @param {string} folder */
  static async open(folder) {
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      const blocked = new Promise((_, reject) => {
        opening.onblocked = () => reject(new Error("another tab holds an older version of it; close that tab"));
      });
      return new Kept(folder, await Promise.race([done(opening), blocked]));
    } catch (error) {
      return new Kept(folder, null, error.message || "the browser keeps nothing");
    }
  }

  get lasts() {
    return this.database !== null;
  }

  /** @template T @param {string} name @returns {Promise<T | undefined>} */
  async read(name) {
    if (!this.database) return this.here.get(name);
    return done(this.database.transaction(STORE).objectStore(STORE).get(`${this.folder}/${name}`));
  }

  // Resolves when it is on the disk, as far as a browser can tell.
  /** @param {string} name @param {unknown} value */
  async write(name, value) {
    this.here.set(name, value);
    if (!this.database) return;
    const whole = this.database.transaction(STORE, "readwrite", { durability: "strict" });
    whole.objectStore(STORE).put(value, `${this.folder}/${name}`);
    await new Promise((resolve, reject) => {
      whole.oncomplete = resolve;
      whole.onabort = whole.onerror = () => reject(whole.error);
    });
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
