/** `scripts/attacks.mjs` itself: that it attacks, measures, tells failure from success and ends what it started. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");

function run(...words: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
	return { status, stdout, stderr };
}

const attacks = (...words: string[]) => run(join(SCRIPTS, "attacks.mjs"), ...words);

it("a handful of attackers harms nobody, and the table says so", () => {
	const { status, stdout } = attacks(
		...["--attacks", "drip", "--peers", "weir", "--clients", "5", "--seconds", "1"],
	);
	expect(stdout).toMatch(/5 uploads that drip[\s\S]*\| weir +\| +149 \| +0 \| +[\d.]+ ms/);
	expect(status).toBe(0);
});

it("refuses flags that it doesn't know and numbers out of bounds, and explains itself", () => {
	expect(attacks("--clients", "100000")).toMatchObject({
		status: 2,
		stderr: "--clients must be a whole number from 1 to 4000\n",
	});
	expect(attacks("--attacks", "dripp").stderr).toMatch(/no "dripp"; there are drip, read/);
	expect(attacks("--config", "[1]").stderr).toBe("--config must be an object in JSON\n");
	expect(attacks("--root", "/nowhere", "--peers", "weir").stderr).toMatch(
		/\/nowhere\/dist\/main.js is missing/,
	);
	expect(attacks("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("usage:") });
});

it("complains where weir serves fewer than the best of the others, or grows too much", () => {
	const weir = { proxy: "weir", before: 100, after: 150, served: 149 };
	const peer = (served: number) => ({ proxy: "nginx", served });
	const outcomes = [
		[weir],
		[{ ...weir, served: 148 }],
		[{ ...weir, served: 120 }, peer(110), peer(120)],
		[{ ...weir, served: 119 }, peer(110), peer(120)],
		[{ ...weir, after: 161 }, peer(149)],
	];
	const program = `import { verdicts } from ${JSON.stringify(join(SCRIPTS, "attacks", "verdict.mjs"))};
		console.log(JSON.stringify(${JSON.stringify(outcomes)}.map((each) => verdicts(each, 149, 60))));`;
	expect(JSON.parse(run("--input-type=module", "-e", program).stdout)).toEqual([
		[],
		["weir served 148 of 149, the best of the others 149"],
		[],
		["weir served 119 of 149, the best of the others 120"],
		["weir grew by 61 MB, more than 60"],
	]);
});
