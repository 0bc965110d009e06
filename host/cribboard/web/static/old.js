// For a browser that cannot run the page: a sentence that says so, since its page would be empty or in pieces. Televisions
// have such browsers for ten years. This script is in the JavaScript of 2009. Where the pages are mere files, it also says when
// a part of one has not come; a kiosk's pages have a script for that within them.

(function () {
  var WORDS = "This browser is too old for this page. Update it, or use Chrome or Edge 105, Firefox 121, Safari 16, or newer.";
  var MISSING = "A part of this page has not come. Load the page again.";
  var TELEVISION = " A television can show the page from a small computer, or from a streaming stick with a newer browser.";
  var script = /** @type {HTMLScriptElement} */ (document.currentScript);
  var needs = script.getAttribute("data-needs"); // the styles without which the page is in pieces

  function isOld() {
    if (!("noModule" in script)) return true;
    return Boolean(needs) && !(window.CSS && CSS.supports && CSS.supports(String(needs)) && window.AbortSignal && AbortSignal.timeout);
  }

  var PAGE = "top: 0; padding: 8%; font-size: calc(12px + 2.5vmin)"; // covers it
  var LINE = "padding: 12px"; // below it, since most of it may be there

  /** @param {string} words @param {string} id @param {string} style */
  function complain(words, id, style) {
    var node = document.getElementById(id);
    if (!node) {
      node = document.createElement("p");
      node.id = id;
      node.setAttribute("role", "alert");
      node.style.cssText = "position: fixed; right: 0; bottom: 0; left: 0; z-index: 99; margin: 0; background: #0b0e12; color: #f0f3f6; font: 18px/1.4 sans-serif; " + style;
      document.body.appendChild(node);
    }
    node.textContent = words;
    node.removeAttribute("hidden");
  }

  function tellOld() {
    complain(needs ? WORDS + TELEVISION : WORDS, needs ? "old" : "alert", PAGE);
  }

  function tellMissing() {
    if (document.body) complain(MISSING, "missing", LINE);
    else document.addEventListener("DOMContentLoaded", tellMissing);
  }

  /** @param {EventTarget | null} target */
  function isPart(target) {
    return target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet");
  }

  if (isOld()) document.addEventListener("DOMContentLoaded", tellOld);
  window.addEventListener("error", function (event) {
    if (/SyntaxError/.test(event.message)) tellOld();
    else if (!needs && isPart(event.target)) tellMissing();
  }, true); // an element's own error does not bubble
})();
