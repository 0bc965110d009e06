// The pages' scripts: modules without a build step, for a window, a worker or a service worker.
import js from "@eslint/js";
import globals from "globals";

const surroundings = { ...globals.browser, ...globals.worker, ...globals.serviceworker };

export default [js.configs.recommended, { languageOptions: { globals: surroundings } },
  { files: ["**/old.js"], languageOptions: { ecmaVersion: 5, sourceType: "script" } }]; // what very old browsers read, too
