/** package-lock.json serves every platform, not only the one that it was written on; the package has all that runs. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
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

it("what a process or a thread begins with is bundled, and in the package", async () => {
	const script = "../scripts/bundle-programs.mjs";
	const { PROGRAMS }: { PROGRAMS: readonly string[] } = await import(/* @vite-ignore */ script);
	const src = join(import.meta.dirname, "..", "src");
	const begun = readdirSync(src, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".ts"))
		.flatMap((path) => {
			const text = readFileSync(join(src, path), "utf8");
			return [...text.matchAll(/new URL\("(\.[^"]+\.js)", import\.meta\.url\)/g)].map(
				([, to = ""]) => posix.join(posix.dirname(path), to),
			);
		});
	expect(["main.js", ...begun].sort()).toEqual([...PROGRAMS].sort());
	const { files }: { files: string[] } = JSON.parse(
		readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"),
	);
	for (const program of PROGRAMS) expect(files).toContain(`dist/${program}`);
});
