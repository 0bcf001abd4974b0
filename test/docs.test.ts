/** The generated pages of docs/ and the JSON Schemas are what `npm run docs` writes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = join(root, "scripts", "docs");

type Load = (path: string) => Promise<unknown>;

type Page =
	| {
			/** below docs/ */
			readonly file: string;
			readonly page: (load: Load) => Promise<string>;
			readonly files: undefined;
	  }
	| { readonly files: (load: Load) => Promise<Readonly<Record<string, string>>> };

const load: Load = (path) => import(pathToFileURL(join(root, "src", `${path}.ts`)).href);

describe("generated pages", () => {
	const names = readdirSync(pages).filter((name) => name.endsWith(".mjs"));
	it.each(names)("scripts/docs/%s: its page is up to date", async (name) => {
		const module: Page = await import(pathToFileURL(join(pages, name)).href);
		const made =
			module.files === undefined
				? { [`docs/${module.file}`]: await module.page(load) }
				: await module.files(load);
		for (const [path, text] of Object.entries(made)) {
			const written = readFileSync(join(root, path), "utf8");
			expect(written === text, `${path} is out of date: run npm run docs`).toBe(true);
		}
	});
});
