// Writes the generated pages of docs/ and the JSON Schemas (`npm run docs`). Each `scripts/docs/<page>.mjs` exports
// `file`, a path under docs/, and `page(load)`, its text; or `files(load)`, texts by their paths in the project.
// `load("config")` imports the compiled src/config.ts. What a page says of the code it so reads from the code's own
// tables. test/docs.test.ts holds the files to it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
const pages = join(import.meta.dirname, "docs");
/** @param {string} path */
const load = (path) => import(pathToFileURL(join(root, "dist", `${path}.js`)).href);

for (const name of readdirSync(pages).filter((name) => name.endsWith(".mjs"))) {
	const { file, page, files } = await import(pathToFileURL(join(pages, name)).href);
	const made = files === undefined ? { [`docs/${file}`]: await page(load) } : await files(load);
	for (const [path, text] of Object.entries(made)) write(path, text);
}

/** @param {string} path @param {string} text */
function write(path, text) {
	const whole = join(root, path);
	let before = "";
	try {
		before = readFileSync(whole, "utf8");
	} catch {}
	if (text === before) return;
	mkdirSync(dirname(whole), { recursive: true });
	writeFileSync(whole, text);
	console.log(`${path} is new`);
}
