// For a page of which a script or a style has not come, as while the kiosk starts again: it says so and is loaded again, since
// nobody touches a television. This script is within every page, because it might not come either.

(() => {
  const WORDS = "A part of this page has not come. The page tries again every few seconds.";
  const AGAIN_MS = 3000;
  let lost = false;

  function complain() {
    const said = document.createElement("p");
    said.setAttribute("role", "alert");
    said.style.cssText = "position: fixed; inset: 0; z-index: 99; margin: 0; padding: 8%; background: Canvas; color: CanvasText; font: calc(12px + 2.5vmin) sans-serif";
    said.textContent = WORDS;
    document.body.append(said);
  }

  // In place of a page that does not come a browser shows one of its own, for good: so it is asked for first.
  async function again() {
    const answer = await fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout(AGAIN_MS) }).catch(() => null);
    if (answer && answer.ok) location.reload();
    else setTimeout(again, AGAIN_MS);
  }

  addEventListener("error", ({ target }) => {
    const needed = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet");
    if (lost || !needed) return;
    lost = true;
    setTimeout(again, AGAIN_MS);
    if (document.readyState !== "loading") complain();
    else document.addEventListener("DOMContentLoaded", complain);
  }, true); // an element's own error does not bubble
})();
