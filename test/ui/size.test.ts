/** How much of the live page travels: all of it, compressed as it is served. `npm test` builds dist/ first. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..", "..", "dist", "ui");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter((path) => statSync(join(folder, path)).isFile())
	.filter((path) => !/\.(?:br|gz)$/.test(path));

const travels = (path: string): number => {
	const at = join(folder, path);
	return statSync(existsSync(`${at}.br`) ? `${at}.br` : at).size;
};
const total = (paths: readonly string[]): number =>
	paths.reduce((sum, path) => sum + travels(path), 0);

it("is 400 kB at most, and 120 kB before a policy is opened", () => {
	expect(total(files)).toBeLessThan(400_000);
	expect(total(files.filter((path) => !/policy-editor|licences/.test(path)))).toBeLessThan(120_000);
});

it("names what it is made of by its contents, and asks for nothing from elsewhere", () => {
	const html = readFileSync(join(folder, "index.html"), "utf8");
	const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
	expect(named.filter((path) => path !== "/openapi.json" && !files.includes(path))).toEqual([]);
	expect(
		files.filter(
			(path) => !/^(?:index\.html|licences\.txt|assets\/.+-[A-Z0-9]{8}\.\w+)$/.test(path),
		),
	).toEqual([]);
	expect(html).not.toMatch(/<style|style=|<script>|onclick/);
});
