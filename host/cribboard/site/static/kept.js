// What this browser keeps by itself: one small store in IndexedDB. What it does not take is kept in memory, and the page is told why.

const DATABASE = "cribboard";
const STORE = "kept";

export class Kept {
  /** @param {string} folder @param {IDBDatabase | null} database @param {(why: string) => void} unkept */
  constructor(folder, database, unkept) {
    this.folder = folder;
    this.database = database;
    this.unkept = unkept;
    /** @type {Map<string, string>} */
    this.here = new Map(); // what the store did not take, as JSON
  }

  // `unkept` is told why something goes with the tab, once.
  /** @param {string} folder @param {(why: string) => void} [unkept] */
  static async open(folder, unkept = () => {}) {
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      const blocked = new Promise((_, reject) => {
        opening.onblocked = () => reject(new Error("another tab holds an older version of it; close that tab"));
      });
      return new Kept(folder, await Promise.race([done(opening), blocked]), unkept);
    } catch (error) {
      unkept(inWords(error));
      return new Kept(folder, null, () => {});
    }
  }

  /** @template T @param {string} name @returns {Promise<T | undefined>} */
  async read(name) {
    const here = this.here.get(name);
    if (here !== undefined) return JSON.parse(here);
    if (!this.database) return undefined;
    return done(this.database.transaction(STORE).objectStore(STORE).get(`${this.folder}/${name}`));
  }

  // Resolves when it is on the disk, as far as a browser can tell, or in memory, since the disk is full.
  /** @param {string} name @param {unknown} value */
  async write(name, value) {
    const json = JSON.stringify(value);
    try {
      if (this.database) await this.put(this.database, name, value);
      else this.here.set(name, json);
    } catch (error) {
      this.here.set(name, json);
      this.unkept(inWords(error));
      this.unkept = () => {};
    }
  }

  /** @param {IDBDatabase} database @param {string} name @param {unknown} value */
  async put(database, name, value) {
    const whole = database.transaction(STORE, "readwrite", { durability: "strict" });
    whole.objectStore(STORE).put(value, `${this.folder}/${name}`);
    await new Promise((resolve, reject) => {
      whole.oncomplete = resolve;
      whole.onabort = () => reject(whole.error); // set only now, not yet at an error
    });
    this.here.delete(name);
  }
}

/** @param {DOMException | null} error */
const inWords = (error) => (error?.name === "QuotaExceededError" ? "its storage is full" : error?.message || "it gives no reason");

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
