// For a browser that cannot run the page: a sentence that says so, since its page would be empty or in pieces. Televisions
// have such browsers for ten years. This script is in the JavaScript of 2009.

(function () {
  var WORDS = "This browser is too old for this page. Update it, or use Chrome or Edge 105, Firefox 121, Safari 16, or newer.";
  var TELEVISION = " A television can show the page from a small computer, or from a streaming stick with a newer browser.";
  var script = /** @type {HTMLScriptElement} */ (document.currentScript);
  var needs = script.getAttribute("data-needs"); // the styles without which the page is in pieces

  function isOld() {
    if (!("noModule" in script)) return true;
    return Boolean(needs) && !(window.CSS && CSS.supports && CSS.supports(String(needs)) && window.AbortSignal && AbortSignal.timeout);
  }

  function complain() {
    var node = document.getElementById(needs ? "old" : "alert");
    if (!node) {
      node = document.createElement("p");
      node.id = "old";
      node.setAttribute("role", "alert");
      node.style.cssText = "position: fixed; top: 0; right: 0; bottom: 0; left: 0; z-index: 99; margin: 0; padding: 8%; background: #0b0e12; color: #f0f3f6; font: 18px/1.4 sans-serif; font-size: calc(12px + 2.5vmin)";
      document.body.appendChild(node);
    }
    node.textContent = needs ? WORDS + TELEVISION : WORDS;
    node.removeAttribute("hidden");
  }

  if (isOld()) document.addEventListener("DOMContentLoaded", complain);
  window.addEventListener("error", function (event) {
    if (/SyntaxError/.test(event.message)) complain();
  });
})();
