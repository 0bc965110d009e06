// A small store in this browser's IndexedDB. What it refuses is kept in memory, and the page is told why.

const DATABASE = "cribboard";
const STORE = "kept";
/** @type {Map<string, string>} */
const here = new Map(); // what the store did not take, as JSON: for all of the page, as the store would be

export class Kept {
  /** @param {string} folder @param {IDBDatabase | null} database @param {(why: string) => void} unkept */
  constructor(folder, database, unkept) {
    this.folder = folder;
    this.database = database;
    this.unkept = unkept;
  }

  // `unkept` is told, once, why something will be lost with the tab.
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
    const key = this.key(name);
    const json = here.get(key);
    if (json !== undefined) return JSON.parse(json);
    if (!this.database) return undefined;
    return done(this.database.transaction(STORE).objectStore(STORE).get(key));
  }

  // Resolves when it is on the disk, as far as a browser can tell, or in memory, since the disk is full.
  /** @param {string} name @param {unknown} value */
  async write(name, value) {
    const key = this.key(name);
    const json = JSON.stringify(value);
    try {
      if (this.database) await put(this.database, key, value);
      else here.set(key, json);
    } catch (error) {
      here.set(key, json);
      this.unkept(inWords(error));
      this.unkept = () => {};
    }
  }

  /** @param {string} name */
  key(name) {
    return `${this.folder}/${name}`;
  }
}

/** @param {IDBDatabase} database @param {string} key @param {unknown} value */
async function put(database, key, value) {
  const whole = database.transaction(STORE, "readwrite", { durability: "strict" });
  whole.objectStore(STORE).put(value, key);
  await new Promise((resolve, reject) => {
    whole.oncomplete = resolve;
    whole.onabort = () => reject(whole.error); // set only now, not yet at an error
  });
  here.delete(key);
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
