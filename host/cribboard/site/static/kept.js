// What this browser keeps by itself: one small store in IndexedDB. A window that may keep nothing says why, and works.

const DATABASE = "cribboard";
const STORE = "kept";

export class Kept {
  constructor(folder, database, why = "") {
    Object.assign(this, { folder, database, why, here: new Map() });
  }

  static async open(folder) {
    try {
      return new Kept(folder, await done(indexedDB.open(DATABASE, 1), (opening) => opening.result.createObjectStore(STORE)));
    } catch (error) {
      return new Kept(folder, null, error.message || "the browser keeps nothing");
    }
  }

  get lasts() {
    return this.database !== null;
  }

  async read(name) {
    if (!this.lasts) return this.here.get(name);
    return done(this.database.transaction(STORE).objectStore(STORE).get(`${this.folder}/${name}`));
  }

  // Resolves when it is on the disk, as far as a browser can tell.
  async write(name, value) {
    this.here.set(name, value);
    if (!this.lasts) return;
    const whole = this.database.transaction(STORE, "readwrite", { durability: "strict" });
    whole.objectStore(STORE).put(value, `${this.folder}/${name}`);
    await new Promise((resolve, reject) => {
      whole.oncomplete = resolve;
      whole.onabort = whole.onerror = () => reject(whole.error);
    });
  }
}

function done(request, upgrade = () => {}) {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => upgrade(request);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older version of it; close that tab"));
  });
}
