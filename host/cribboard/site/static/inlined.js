// What stands before the scripts of the page that is one file. FILES has what the folder has; there is no server to fetch
// from, and the scripts of workers, which such a page cannot load as modules, are made of what is here.
/* global FILES */
/* eslint no-unused-vars: "off" */

/** @type {Record<string, string>} */
const TYPES = { json: "application/json", wasm: "application/wasm" };

/** @param {string} address */
async function fetch(address) {
  const path = new URL(address).pathname.slice(1);
  const { text, base64 } = FILES[path];
  const body = text ?? Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return new Response(body, { headers: { "Content-Type": TYPES[path.split(".").pop() ?? ""] ?? "text/plain" } });
}

const Worker = globalThis.Worker && class extends globalThis.Worker {
  /** @param {URL} address */
  constructor(address) {
    const parts = [`const FILES = ${JSON.stringify(FILES)};\n`, FILES["static/inlined.js"].text ?? "", FILES[address.pathname.slice(1)].text ?? ""];
    super(URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
  }
};
