/** docs/actions.md is what its generator makes of the tables; test/policy/actions/table.test.ts runs its examples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

interface Page {
	/** below docs/ */
	readonly file: string;
	readonly page: (load: (path: string) => Promise<unknown>) => Promise<string>;
}

const root = join(import.meta.dirname, "..", "..");
const load = (path: string): Promise<unknown> =>
	import(pathToFileURL(join(root, "src", `${path}.ts`)).href);

test("docs/actions.md is up to date", async () => {
	const script = pathToFileURL(join(root, "scripts", "docs", "actions.mjs")).href;
	const { file, page }: Page = await import(script);
	const text = readFileSync(join(root, "docs", file), "utf8");
	expect(text === (await page(load)), `docs/${file} is out of date`).toBe(true);
});
