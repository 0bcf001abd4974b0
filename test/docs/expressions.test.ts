/** docs/expressions.md is what `scripts/docs/expressions.mjs` writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

interface Page {
	/** below docs/ */
	readonly file: string;
	readonly page: (load: (path: string) => Promise<unknown>) => Promise<string>;
}

const load = (path: string): Promise<unknown> =>
	import(pathToFileURL(join(root, "src", `${path}.ts`)).href);

it("docs/expressions.md is up to date", async () => {
	const script = join(root, "scripts", "docs", "expressions.mjs");
	const { file, page }: Page = await import(pathToFileURL(script).href);
	const text = readFileSync(join(root, "docs", file), "utf8");
	expect(text === (await page(load)), `docs/${file} is out of date: run npm run docs`).toBe(true);
});
