// Builds the files that the analyzer takes into its HTML pages: `node build.mjs [--out DIR]`.
//
// page.js       all our modules with the two libraries, for every kind of page
// loader.js     what unpacks that in a page, and starts it
// page.css      style/*.css, one after the other
// LICENSES.txt  the licences of what is bundled
//
// The same sources and lock file give the same bytes everywhere. Scripts are strict, as tsconfig.json
// says.

import { build } from "esbuild";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: join(here, "dist") } } });

/** What the global is called by which loader.js starts page.js. */
const PAGE = "onnxrayPage";

/** Styles in the order in which they override each other; those of the views lie between. */
const FIRST_STYLES = ["base.css", "shell.css", "table.css", "chart.css"];
const LAST_STYLES = ["print.css"];

/** What is bundled, with the files whose text its licence asks us to pass on. */
const BUNDLED = [
  { name: "echarts", files: ["LICENSE", "NOTICE", "licenses/LICENSE-d3"] },
  { name: "zrender", files: ["LICENSE"] },
  { name: "tslib", files: ["CopyrightNotice.txt"] },
  { name: "@tanstack/virtual-core", files: ["LICENSE"] },
];

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "iife",
  charset: "utf8",
  target: "es2022",
  platform: "browser",
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/** Leaves out what ECharts brings unasked: its Chinese texts, and a dark theme. */
const leaveOut = {
  name: "leave-out",
  setup({ onLoad }) {
    const unused = /echarts\/lib\/(?:i18n\/langZH|theme\/dark)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: "export default {};" }));
  },
};

/** The text of an entry's bundle, and the packages that are in it. */
async function bundle(entry, options) {
  const result = await build({ ...common, entryPoints: [entry], metafile: true, ...options });
  const packages = new Set();
  for (const path of Object.keys(result.metafile.inputs)) {
    const found = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
  return { text: result.outputFiles[0].text, packages };
}

async function styles() {
  const folder = join(here, "style");
  const others = (await readdir(folder))
    .filter((name) => name.endsWith(".css"))
    .filter((name) => !FIRST_STYLES.includes(name) && !LAST_STYLES.includes(name))
    .sort();
  const names = [...FIRST_STYLES, ...others, ...LAST_STYLES];
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.join("\n");
}

async function licences(packages) {
  const named = BUNDLED.map((entry) => entry.name);
  const unnamed = [...packages].filter((name) => !named.includes(name));
  const unused = named.filter((name) => !packages.has(name));
  if (unnamed.length > 0) throw new Error(`no licence is named for: ${unnamed.join(", ")}`);
  if (unused.length > 0) throw new Error(`named, but not bundled: ${unused.join(", ")}`);
  const parts = [];
  for (const { name, files } of BUNDLED) {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const rule = "=".repeat(40);
    parts.push(`${rule}\n${name} ${version} (${license})\n${rule}\n`);
    for (const file of files) {
      const text = await readFile(join(folder, file), "utf8");
      parts.push(`${text.replaceAll("\r\n", "\n").trim()}\n`);
    }
  }
  return parts.join("\n");
}

/** Writes a file that will stand inside an element of HTML, whose end nothing in it may name. */
async function write(name, text) {
  const breaksOut = text.match(/<!--|<\/?(?:script|style)/i);
  if (breaksOut) throw new Error(`${name} contains ${breaksOut[0]}, which would end its element`);
  await writeFile(join(values.out, basename(name)), text);
}

const page = await bundle("source/page.js", { globalName: PAGE, plugins: [leaveOut] });
const loader = await bundle("source/loader.js");
await mkdir(values.out, { recursive: true });
await write("page.js", page.text);
await write("loader.js", loader.text);
await write("page.css", await styles());
await write("LICENSES.txt", await licences(page.packages));
