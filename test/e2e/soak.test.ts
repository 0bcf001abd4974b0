/**
 * A short run of `scripts/soak.mjs`: mixed traffic, changes, reloads, clients that go away, and every answer is the right one.
 * And what its judge finds: one that finds nothing proves nothing.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");
const folder = mkdtempSync(join(tmpdir(), "weir-soak-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What must have been tried for the run to say anything. */
const KINDS = [
	...["allowed", "denied", "changed", "post", "burst", "tls", "fresh", "large", "slow", "heavy"],
	...["aborted", "trickled", "idler", "tunnel", "change", "come", "gone", "reload", "rotation"],
];

it("gives right answers throughout, and leaves no descriptor open", async () => {
	const csv = join(folder, "soak.csv");
	const svg = join(folder, "soak.svg");
	const words = ["--minutes", "0.3", "--rate", "150", "--json", "--csv", csv, "--svg", svg];
	const { stdout } = await promisify(execFile)(process.execPath, [
		join(SCRIPTS, "soak.mjs"),
		...words,
	]);
	const { wrong, complaints, kinds, replaced, requests } = JSON.parse(stdout);
	expect({ wrong, complaints }).toEqual({ wrong: 0, complaints: [] });
	expect(Object.keys(kinds)).toEqual(expect.arrayContaining(KINDS));
	expect(replaced).toBeGreaterThan(0);
	expect(requests).toBeGreaterThan(500);
	const lines = readFileSync(csv, "utf8").trim().split("\n");
	expect(lines[0]?.split(",")).toHaveLength(8);
	expect(lines.length).toBeGreaterThan(100);
	for (const line of lines) expect(line.split(",")).toHaveLength(8);
	expect(readFileSync(svg, "utf8")).toContain("descriptors");
}, 120_000);

interface Sample {
	readonly seconds: number;
	readonly name: string;
	readonly pid: number;
	readonly rss: number;
	readonly pss: number;
	readonly anonymous: number;
	readonly descriptors: number;
	readonly threads: number;
}
type Answer = { status: number; headers: Record<string, string>; body: string };
type Judge = (answer: Answer) => string | undefined;

const load = async <T>(name: string): Promise<T> => {
	const path = join(SCRIPTS, "soak", name);
	return (await import(/* @vite-ignore */ path)) as T;
};
const { growths, leftOpen, slope } = await load<{
	growths(samples: readonly Sample[], seconds: number): string[];
	leftOpen(before: readonly Sample[], after: readonly Sample[]): string[];
	slope(samples: readonly Sample[]): number;
}>("verdict.mjs");

const SECONDS = 1800;
/** A supervisor and a worker each ten seconds; `of` says what they hold. */
const run = (of: (seconds: number, isWorker: boolean) => Partial<Sample>, from = 0): Sample[] =>
	Array.from({ length: (SECONDS - from) / 10 }, (_, n) => from + n * 10).flatMap((seconds) =>
		[false, true].map((isWorker) => ({
			...{ seconds, name: isWorker ? "worker 2" : "supervisor", pid: isWorker ? 2 : 1 },
			...{ rss: 100_000, pss: 80_000, anonymous: 60_000, descriptors: 40, threads: 11 },
			...of(seconds, isWorker),
		})),
	);
/** as V8's heap has it: up by 12 MB in a minute, and back */
const tooth = (seconds: number): number => 60_000 + ((seconds % 60) / 60) * 12_000;

it("finds what grows in the second half, and nothing else", () => {
	expect(
		growths(
			run(() => ({})),
			SECONDS,
		),
	).toEqual([]);
	expect(
		growths(
			run((at) => ({ anonymous: tooth(at) })),
			SECONDS,
		),
	).toEqual([]);
	// A heap that settles in the first half.
	expect(
		growths(
			run((at) => ({ anonymous: 60_000 + Math.min(at, 800) * 100 })),
			SECONDS,
		),
	).toEqual([]);
	const leak = (at: number, isWorker: boolean): Partial<Sample> =>
		isWorker ? { anonymous: tooth(at) + at * 4 } : {};
	expect(growths(run(leak), SECONDS)).toEqual([
		expect.stringMatching(/^worker 2 grew by 1[345]\.\d MB an hour/),
	]);
	const open = (at: number, isWorker: boolean): Partial<Sample> =>
		isWorker ? {} : { descriptors: 40 + Math.floor(at / 100) + (at % 30) };
	expect(growths(run(open), SECONDS)).toEqual([
		expect.stringMatching(/^supervisor had \d+ descriptors at least, and \d+ in the end$/),
	]);
});

it("says when there was nothing to judge", () => {
	const late = run(() => ({}), SECONDS * 0.7).filter(({ name }) => name === "worker 2");
	const supervisor = run(() => ({})).filter(({ name }) => name === "supervisor");
	expect(
		growths(
			[...supervisor, ...late].sort((a, b) => a.seconds - b.seconds),
			SECONDS,
		),
	).toEqual(["no worker lived through the second half"]);
	const few = run(() => ({})).filter(({ seconds }) => seconds % 200 === 0);
	expect(growths(few, SECONDS)).toEqual([expect.stringMatching(/^only \d samples/)]);
});

it("takes the median of all slopes, which no outlier moves", () => {
	const samples = run((at) => ({ anonymous: 1000 + 3 * at + (at === 900 ? 1e6 : 0) }));
	expect(slope(samples.filter(({ name }) => name === "supervisor"))).toBeCloseTo(3);
});

it("finds descriptors that are left open", () => {
	const before = run(() => ({}), SECONDS - 10);
	expect(leftOpen(before, before)).toEqual([]);
	const worse = before.map((each) => ({ ...each, descriptors: each.descriptors + 9 }));
	expect(leftOpen(before, worse)).toEqual([
		"without clients a worker has 49 descriptors, and had 40",
		"without clients the supervisor has 49 descriptors, and had 40",
	]);
	// Threads that were begun since have some of their own.
	expect(
		leftOpen(
			before,
			worse.map((each) => ({ ...each, threads: each.threads + 2 })),
		),
	).toEqual([]);
});

it("knows right answers from wrong ones", async () => {
	const { exactly, filled, limited, proxied, Register } = await load<{
		exactly(status: number, body?: string): Judge;
		filled(bytes: number): Judge;
		limited(answers: readonly Answer[], capacity: number): string | undefined;
		proxied(sent: object): Judge;
		Register: new () => { acknowledged: number; begun: number; judge(): Judge };
	}>("oracle.mjs");
	const answer = (status: number, body = "", headers = {}): Answer => ({ status, headers, body });
	expect(exactly(403)(answer(403, "anything"))).toBeUndefined();
	expect(exactly(403)(answer(200))).toContain("got 200");
	expect(filled(3)(answer(200, "xxx"))).toBeUndefined();
	expect(filled(3)(answer(200, "xx"))).toContain("instead of 200");
	const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
	const told = { method: "GET", url: "/a", bytes: 0, sha1 };
	const sent = { method: "GET", url: "/a", headers: { "x-path": "/a" } };
	expect(proxied(sent)(answer(200, JSON.stringify(told), { "x-path": "/a" }))).toBeUndefined();
	expect(proxied(sent)(answer(200, JSON.stringify(told)))).toContain("x-path is undefined");
	expect(
		proxied(sent)(answer(200, JSON.stringify({ ...told, url: "/b" }), { "x-path": "/a" })),
	).toContain("instead of 200");
	const burst = [200, 200, 200, 429, 429].map((status) => answer(status));
	expect(limited(burst, 3)).toBeUndefined();
	expect(limited(burst, 2)).toContain("3 were admitted and 2 limited, instead of 2 and 3");
	expect(limited([...burst, answer(502)], 3)).toBeDefined();
	const register = new Register();
	[register.acknowledged, register.begun] = [4, 4];
	const judge = register.judge();
	register.begun = 5;
	expect(["v4", "v5"].map((body) => judge(answer(200, body)))).toEqual([undefined, undefined]);
	for (const body of ["v3", "v6", "", "upstream"]) expect(judge(answer(200, body))).toBeDefined();
});
