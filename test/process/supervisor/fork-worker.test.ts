/** What a worker's process is given; that it works, test/e2e sees. */
import { expect, it } from "vitest";
import { numbersInWorker, optionsOfWorker } from "../../../src/process/supervisor/fork-worker.ts";

it("numbers sockets in the worker one after the other, behind its own descriptors", () => {
	const [[first = 0, second] = [], [third] = []] = numbersInWorker([[40, 41], [7]]);
	expect(first).toBeGreaterThanOrEqual(4);
	expect([second, third]).toEqual([first + 1, first + 2]);
	expect(numbersInWorker([])).toEqual([]);
});

it("has a worker begin with a large young generation, unless somebody says how large it is to be", () => {
	const own = "--min-semi-space-size=16";
	expect(optionsOfWorker([])).toContain(own);
	expect(optionsOfWorker(["--title=a"])).toEqual(expect.arrayContaining(["--title=a", own]));
	for (const said of ["--max-semi-space-size=2", "--max_semi_space_size=2", "--semi-space-size=1"])
		expect(optionsOfWorker([said])).not.toContain(own);
	expect(optionsOfWorker([], "--no-warnings --max-semi-space-size=2")).not.toContain(own);
});

it("has a worker see through constructors, unless somebody says otherwise", () => {
	const options = optionsOfWorker(["--omit-default-ctors"]);
	expect(options.indexOf("--no-omit-default-ctors")).toBeGreaterThanOrEqual(0);
	expect(options.indexOf("--omit-default-ctors")).toBeGreaterThan(
		options.indexOf("--no-omit-default-ctors"),
	);
});

it("has a worker collect young objects by itself, unless somebody says otherwise", () => {
	expect(optionsOfWorker(["--parallel-scavenge"])).toEqual(
		expect.arrayContaining(["--no-parallel-scavenge", "--parallel-scavenge"]),
	);
	const options = optionsOfWorker(["--parallel-scavenge"]);
	expect(options.indexOf("--no-parallel-scavenge")).toBeLessThan(
		options.indexOf("--parallel-scavenge"),
	);
});
