/**
 * Whatever is found where the counters file should be, counting goes on, what was in the way is kept
 * under the name that is said, and every trouble is a sentence for the operator.
 */
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Counters } from "../../src/limiter/binding.ts";
import {
	inspectCountersFile,
	type OpenedCounters,
	openCountersFile,
	setAsideName,
} from "../../src/limiter/counters-file.ts";
import { admitText, changeHeader, SEGMENT_BYTES, temporaryFolder } from "./support.ts";

const root = temporaryFolder();
let folders = 0;
let folder = "";
beforeEach(() => {
	folder = join(root, `case-${folders++}`);
	mkdirSync(folder);
});

const opened: OpenedCounters[] = [];
function open(path: string, substitutes: readonly string[] = []): OpenedCounters {
	const one = openCountersFile(path, substitutes);
	opened.push(one);
	return one;
}
afterEach(() => {
	for (const one of opened.splice(0)) one.close();
});

/** Counts one request of a limit of one. @returns the milliseconds to wait */
function admit(counters: Counters): number {
	const limiter = counters.open("name", 1, 60_000, 8);
	if (limiter === undefined) throw new Error("no room");
	const wait = admitText(limiter, "key");
	limiter.close();
	return wait;
}

/** A file that was counted in and closed, as the server leaves it. */
function countedIn(): string {
	const path = join(folder, "counters");
	const { counters, warnings, close } = openCountersFile(path, []);
	expect(warnings).toEqual([]);
	expect(admit(counters)).toBe(0);
	close();
	return path;
}

/** One line that names the file in question and has no holes. */
function expectSentences(warnings: readonly string[]): void {
	for (const warning of warnings) {
		expect(warning).toMatch(/^[a-z][^\n]+[^.\s]$/);
		expect(warning).not.toMatch(/undefined|: null|\[object|NaN/);
	}
}

describe("a file that is fine", () => {
	it("is made, for its owner alone, as small as it can be", () => {
		const path = join(folder, "counters");
		const { counters, warnings, path: used } = open(path);
		expect({ used, warnings }).toEqual({ used: path, warnings: [] });
		expect(admit(counters)).toBe(0);
		const { mode, size } = statSync(path);
		expect(mode & 0o777).toBe(0o600);
		expect(size).toBe(SEGMENT_BYTES);
		expect(readdirSync(folder)).toEqual(["counters"]);
	});

	it("keeps its counts over a restart", () => {
		const path = countedIn();
		const { counters, warnings } = open(path);
		expect(warnings).toEqual([]);
		expect(admit(counters)).toBeGreaterThan(0);
	});

	it("may be empty, as an installer may leave it; that is told, as it may have been cut", () => {
		const path = countedIn();
		truncateSync(path);
		const { counters, warnings, path: used, close } = openCountersFile(path, []);
		expect(used).toBe(path);
		expect(warnings).toEqual([`counters file ${path} was empty: rate-limits begin anew`]);
		expect(admit(counters)).toBe(0);
		close();
		expect(open(path).warnings).toEqual([]);
		expect(readdirSync(folder)).toEqual(["counters"]);
	});

	it("may be a link to one", () => {
		const path = countedIn();
		const link = join(folder, "link");
		symlinkSync(path, link);
		const { counters, warnings } = open(link);
		expect(warnings).toEqual([]);
		expect(admit(counters)).toBeGreaterThan(0);
	});

	it("is shared by all who open it, in whatever order they leave", () => {
		const path = join(folder, "counters");
		const [first, second] = [openCountersFile(path, []), open(path)];
		expect([...first.warnings, ...second.warnings]).toEqual([]);
		expect(admit(first.counters)).toBe(0);
		expect(admit(second.counters)).toBeGreaterThan(0);
		const worker = new Counters({ path });
		expect(admit(worker)).toBeGreaterThan(0);
		worker.close();
		first.close();
		expect(admit(second.counters)).toBeGreaterThan(0);
		expect(admit(open(path).counters)).toBeGreaterThan(0);
		expect(existsSync(path), "it outlives whoever has it open").toBe(true);
	});
});

describe("a file that is not fine", () => {
	const spoil: Readonly<Record<string, { how: (path: string) => void; says: RegExp }>> = {
		"garbage that is short": {
			how: (path) => writeFileSync(path, "not this"),
			says: /it is no counters file/,
		},
		"garbage that is long": {
			how: (path) => writeFileSync(path, Buffer.alloc(3 * SEGMENT_BYTES, "not this")),
			says: /it is no counters file/,
		},
		"nothing but zeros": {
			how: (path) => writeFileSync(path, Buffer.alloc(SEGMENT_BYTES)),
			says: /it is no counters file/,
		},
		"one cut before its header's end": {
			how: (path) => truncateSync(path, 5000),
			says: /it is no counters file/,
		},
		"one cut short": {
			how: (path) => truncateSync(path, SEGMENT_BYTES - 4096),
			says: /it is damaged or cut short/,
		},
		"one of another layout": {
			how: (path) => changeHeader(path, "layout", (version) => version + 1n),
			says: /another version of weir made it/,
		},
		"one with a damaged checksum": {
			how: (path) => changeHeader(path, "checksum", (value) => value ^ 1n),
			says: /it is damaged or cut short/,
		},
		"one with a damaged seed": {
			how: (path) => changeHeader(path, "seed", (value) => value ^ (1n << 63n)),
			says: /it is damaged or cut short/,
		},
		"one that says it is larger than it is": {
			how: (path) => changeHeader(path, "segments", (count) => count + 1n),
			says: /it is damaged or cut short/,
		},
	};

	for (const [name, { how, says }] of Object.entries(spoil)) {
		it(`${name}: is set aside, and another one made`, () => {
			const path = countedIn();
			how(path);
			const content = readFileSync(path);
			const { counters, warnings, path: used } = open(path);
			const aside = setAsideName(path);
			expect(used).toBe(path);
			expect(warnings).toHaveLength(1);
			expect(warnings[0]).toMatch(says);
			expect(warnings[0]).toContain(`${path} is set aside as ${aside}`);
			expectSentences(warnings);
			expect(readFileSync(aside).equals(content), "as it was found").toBe(true);
			expect(admit(counters), "rate-limits begin anew").toBe(0);
			expect(admit(new Counters({ path })), "and workers share them").toBeGreaterThan(0);
		});
	}

	it("takes the place of the one that was set aside before: they don't fill the disk", () => {
		const path = join(folder, "counters");
		for (const text of ["first", "second"]) {
			writeFileSync(path, text);
			const { warnings, close } = openCountersFile(path, []);
			expect(warnings).toHaveLength(1);
			close();
			expect(readFileSync(setAsideName(path), "utf8")).toBe(text);
		}
		expect(readdirSync(folder).sort()).toEqual(["counters", "counters.set-aside"]);
	});

	it("that can't be set aside stays, and a substitute is used", () => {
		const path = join(folder, "counters");
		writeFileSync(path, "not this");
		mkdirSync(setAsideName(path));
		const { counters, warnings, path: used } = open(path, [folder]);
		expect(warnings).toHaveLength(2);
		expect(warnings[0]).toMatch(/it is no counters file; renaming it: EISDIR/);
		expectSentences(warnings);
		expect(readFileSync(path, "utf8")).toBe("not this");
		expect(used).not.toBe(path);
		expect(admit(counters)).toBe(0);
	});
});

describe("a place where no file can be", () => {
	/** What may be wrong with a path, also for root. */
	const places: Readonly<Record<string, () => { path: string; says: RegExp }>> = {
		"a folder that is missing": () => ({
			path: join(folder, "no-such", "counters"),
			says: /No such file or directory/,
		}),
		"a folder that is a file": () => {
			writeFileSync(join(folder, "file"), "");
			return { path: join(folder, "file", "counters"), says: /Not a directory/ };
		},
		"a folder in its place": () => {
			mkdirSync(join(folder, "counters"));
			return { path: join(folder, "counters"), says: /Is a directory/ };
		},
		"a device in its place": () => ({ path: "/dev/null", says: /Invalid argument/ }),
		"a link that leads to itself": () => {
			symlinkSync("counters", join(folder, "counters"));
			return { path: join(folder, "counters"), says: /symbolic links/ };
		},
	};

	for (const [name, place] of Object.entries(places)) {
		it(`${name}: a substitute is used and removed at the end`, () => {
			const { path, says } = place();
			const substitutes = join(folder, "substitutes");
			mkdirSync(substitutes);
			const before = readdirSync(folder);
			const { counters, warnings, path: used, close } = openCountersFile(path, [substitutes]);
			expect(warnings).toHaveLength(2);
			expect(warnings[0]).toMatch(says);
			expect(warnings[0]).toContain(`counters file ${path} cannot be used`);
			expect(warnings[1]).toContain(`counted in ${used} instead`);
			expectSentences(warnings);
			expect(used?.startsWith(substitutes)).toBe(true);
			expect(statSync(dirname(used ?? "")).mode & 0o777).toBe(0o700);
			expect(statSync(used ?? "").mode & 0o777).toBe(0o600);
			expect(admit(counters)).toBe(0);
			const worker = new Counters(used === undefined ? {} : { path: used });
			expect(admit(worker), "workers share it").toBeGreaterThan(0);
			worker.close();
			close();
			expect(readdirSync(substitutes)).toEqual([]);
			expect(readdirSync(folder), "nothing else was touched").toEqual(before);
		});
	}

	it("uses the first substitute that there is", () => {
		const [first, second] = ["first", "second"].map((name) => join(folder, name)) as [
			string,
			string,
		];
		const missing = join(folder, "missing");
		mkdirSync(second);
		const path = join(missing, "counters");
		expect(open(path, [missing, first, second]).path?.startsWith(second)).toBe(true);
		mkdirSync(first);
		expect(open(path, [missing, first, second]).path?.startsWith(first)).toBe(true);
	});

	it("two servers that use the same substitute folder share nothing", () => {
		const path = join(folder, "missing", "counters");
		const [first, second] = [open(path, [folder]), open(path, [folder])];
		expect(first.path).not.toBe(second.path);
		expect(admit(first.counters)).toBe(0);
		expect(admit(second.counters)).toBe(0);
	});

	it("uses shared memory or the folder for temporary files unless told otherwise", () => {
		const { path, close } = openCountersFile(join(folder, "missing", "counters"));
		const own = dirname(path ?? "");
		expect(["/dev/shm", tmpdir()]).toContain(dirname(own));
		expect(existsSync(own)).toBe(true);
		close();
		expect(existsSync(own)).toBe(false);
	});

	it("counts in memory where there is no substitute either, and says what that means", () => {
		const { counters, warnings, path } = open(join(folder, "missing", "counters"), [
			join(folder, "missing"),
		]);
		expect(path).toBeUndefined();
		expect(warnings).toHaveLength(2);
		expect(warnings[1]).toMatch(/each worker counts rate-limits for itself/);
		expectSentences(warnings);
		expect(admit(counters)).toBe(0);
		expect(admit(counters)).toBeGreaterThan(0);
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe("inspecting", () => {
	const inspect = (path: string) => inspectCountersFile(path, folder);
	it("finds nothing wrong with a file that can be counted in, or made, and does not touch it", () => {
		const path = join(folder, "counters");
		expect(inspect(path)).toEqual([]);
		expect(readdirSync(folder)).toEqual([]);
		writeFileSync(path, "");
		expect(inspect(path)).toEqual([]);
		expect(statSync(path).size).toBe(0);
		open(path);
		const before = readFileSync(path);
		expect(inspect(path)).toEqual([]);
		expect(readFileSync(path).equals(before)).toBe(true);
	});

	it("says what opening would say", () => {
		const path = join(folder, "counters");
		for (const spoil of [
			() => writeFileSync(path, "127.0.0.1 localhost\n"),
			() => writeFileSync(path, Buffer.alloc(SEGMENT_BYTES)),
			() => mkdirSync(path),
		]) {
			spoil();
			const [said] = inspect(path);
			const { warnings, close } = openCountersFile(path, []);
			close();
			expect(said?.slice(0, said.indexOf(":"))).toBe(warnings[0]?.slice(0, said?.indexOf(":")));
			rmSync(path, { recursive: true, force: true });
		}
		expect(inspect(join(folder, "missing", "counters"))).toEqual([
			expect.stringMatching(/counters cannot be used: ENOENT$/),
		]);
		expect(inspectCountersFile(join(folder, "new", "counters"), join(folder, "new"))).toEqual([]);
	});
});
