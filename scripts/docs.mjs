// Writes the generated pages of docs/ (`npm run docs`). Each `scripts/docs/<page>.mjs` exports `file`, a path
// under docs/, and `page(load)`, its text; `load("config")` imports the compiled src/config.ts. What a page says
// of the code it so reads from the code's own tables. test/docs.test.ts holds docs/ to it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
const pages = join(import.meta.dirname, "docs");
/** @param {string} path */
const load = (path) => import(pathToFileURL(join(root, "dist", `${path}.js`)).href);

for (const name of readdirSync(pages).filter((name) => name.endsWith(".mjs"))) {
	const { file, page } = await import(pathToFileURL(join(pages, name)).href);
	const path = join(root, "docs", file);
	const text = await page(load);
	let before = "";
	try {
		before = readFileSync(path, "utf8");
	} catch {}
	if (text === before) continue;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	console.log(`docs/${file} is new`);
}
