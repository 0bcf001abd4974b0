/** package-lock.json serves every platform, not only the one that it was written on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface Entry {
	readonly integrity?: string;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(import.meta.dirname, "..", "package-lock.json");
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, "utf8"));
const locked = Object.entries(lock.packages).filter(([place]) => place !== "");

it("the lock file has every optional package that a package names: npm ci refuses it otherwise", () => {
	const missing = locked.flatMap(([place, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies)
			.filter((name) => lock.packages[`node_modules/${name}`] === undefined)
			.map((name) => `${name}, which ${place} names`),
	);
	expect(missing).toEqual([]);
});

it("the lock file has a checksum for every package", () => {
	expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
