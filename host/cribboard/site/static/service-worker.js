// Keeps these pages for when there is no network, and gives them the headers that their host may not send. The list, its
// version and the headers are written with the folder.

const VERSION = "VERSION";
const FILES = ["FILES"];
/** @type {Record<string, string>} */
const HEADERS = { "": "HEADERS" };
const worker = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  // Past the browser's own cache, which may still have files of the version before.
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

// A page asks for it. It may be that another one is open, which was made for the version before.
worker.addEventListener("message", (event) => {
  event.waitUntil(worker.clients.matchAll({ includeUncontrolled: true }).then((pages) => (pages.length === 1 ? worker.skipWaiting() : undefined)));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))))
    .then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(worker.registration.scope)) return;
  event.respondWith(caches.open(VERSION)
    .then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request))
    .then(withHeaders));
});

// A new answer, which is also free of a host's redirection: of a page that is opened browsers take none.
/** @param {Response} answer */
function withHeaders(answer) {
  if (!answer.ok) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}
