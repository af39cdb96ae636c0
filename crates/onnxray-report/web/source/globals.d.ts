// What scripts find that the compiler does not know of.

/** Made by the script that loader.js runs; build.mjs names it. */
declare const onnxrayPage: typeof import("./page.js");

interface Window {
  /** Not in every browser. */
  trustedTypes?: { createPolicy(name: string, rules: object): unknown };
}
