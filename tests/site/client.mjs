// The page's client of the wire as a command, for the conformance kit: node client.mjs PORT FOLDER
// (FOLDER keeps its notes, as the browser does in a page.) firmware/wire/README.md has the lines that it reads and writes.

import { createReadStream, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, Gone, NotABoard } from "./client.js"; // beside it, in the folder that the test makes

const [path, folder] = process.argv.slice(2);
const file = (name) => join(folder, `${name.replace(" ", "-")}.json`);
const store = {
  read: async (name) => (existsSync(file(name)) ? JSON.parse(readFileSync(file(name), "utf8")) : undefined),
  async write(name, value) {
    writeFileSync(`${file(name)}.new`, JSON.stringify(value), { flush: true });
    renameSync(`${file(name)}.new`, file(name));
  },
};
const end = openSync(path, "r+");
const port = { send: async (bytes) => writeSync(end, bytes), heard: null };
createReadStream("", { fd: end, autoClose: false }).on("data", (bytes) => port.heard(bytes)).on("error", (error) => gone(error));
const tell = (line) => process.stdout.write(`${JSON.stringify(line.filter((item) => item !== undefined))}\n`);

function gone(error) {
  tell(["gone", error.message]);
  process.exit(3);
}

const short = ([what, code]) => [what, code];
try {
  const client = new Client(port, store, { changed() {}, event() {}, pending() {} });
  for (const [outcome] of await client.open()) tell(short(outcome));
  tell(["ready"]);
  for await (const line of createInterface({ input: process.stdin })) {
    const [op, ...args] = JSON.parse(line);
    tell(short(await client.inTurn(() => client.give(op, args))));
  }
  process.exit(0);
} catch (error) {
  if (!(error instanceof Gone || error instanceof NotABoard)) throw error;
  gone(error);
}
