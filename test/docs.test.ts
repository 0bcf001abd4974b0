/** The generated pages of docs/ are what `npm run docs` writes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = join(root, "scripts", "docs");

interface Page {
	/** below docs/ */
	readonly file: string;
	readonly page: (load: (path: string) => Promise<unknown>) => Promise<string>;
}

const load = (path: string): Promise<unknown> =>
	import(pathToFileURL(join(root, "src", `${path}.ts`)).href);

describe("generated pages", () => {
	const names = readdirSync(pages).filter((name) => name.endsWith(".mjs"));
	it.each(names)("scripts/docs/%s: its page is up to date", async (name) => {
		const { file, page }: Page = await import(pathToFileURL(join(pages, name)).href);
		const text = readFileSync(join(root, "docs", file), "utf8");
		expect(text === (await page(load)), `docs/${file} is out of date: run npm run docs`).toBe(true);
	});
});
