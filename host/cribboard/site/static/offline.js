// Keeps the pages for when there is no network. A newer version waits until no page of the older one is open, since an
// open page fetches the rest of itself later; it comes at once where this page is the only one and has only begun.

export async function offline() {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(new URL("../service-worker.js", import.meta.url)).catch(() => null);
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage("take over");
}
