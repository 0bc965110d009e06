// For a browser that cannot read the page's other scripts: a sentence that says so. This one is in the JavaScript of 2009.

(function () {
  function complain() {
    var node = /** @type {HTMLElement} */ (document.getElementById("alert"));
    node.textContent = "This browser is too old for this page. Update it, or use Chrome, Edge, Firefox 114 or newer, or Safari 15 or newer.";
    node.removeAttribute("hidden");
  }

  if (!("noModule" in document.createElement("script"))) document.addEventListener("DOMContentLoaded", complain);
  window.addEventListener("error", function (event) {
    if (/SyntaxError/.test(event.message)) complain();
  });
})();
