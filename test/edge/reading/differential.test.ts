/**
 * Proves that no request that is handed on means different things to different readers. Whatever a client sends,
 * right or broken: what the backend gets of it through the front is spelled plainly and sent through the server library
 * alone, and the backend must get the same. Where it is known what was meant, that is what must arrive.
 * `DIFFERENTIAL_CASES` asks for more connections than the usual run has, with a seed of their own.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configOf, startEdge, type TestEdge } from "../harness.ts";
import { Arrivals, type Arrived, respelled } from "./arrivals.ts";
import { brokenConnection, type OddConnection, oddConnection } from "./odd-requests.ts";

const CORPUS = join(import.meta.dirname, "../../../native/fuzz/corpus/request_reader");
const asked = process.env.DIFFERENTIAL_CASES;
const runs = asked === undefined ? { numRuns: 200, seed: 7 } : { numRuns: Number(asked) };
const LAST = "GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n";
const AT_ONCE = 64;
const TRIES = 3;
/** for the rest of what is broken */
const WAIT_MS = 400;

const arrivals = new Arrivals();
let front: TestEdge;
/** the same, which does not wait long for bytes that never come */
let hasty: TestEdge;
let alone: TestEdge;
beforeAll(async () => {
	const urls = [await arrivals.listen()];
	const { timeouts } = configOf();
	const config = { timeouts: { ...timeouts, requestHeaderMs: WAIT_MS, idleMs: WAIT_MS } };
	front = await startEdge({ urls });
	hasty = await startEdge({ urls, config });
	alone = await startEdge({ urls, withoutFront: true });
});
afterAll(async () => {
	await front.close();
	await hasty.close();
	await alone.close();
	await arrivals.close();
});

/** Calls with each, many at a time. */
async function forAll<T>(all: readonly T[], check: (each: T) => Promise<void>): Promise<void> {
	const rest = all.values();
	const lane = async (): Promise<void> => {
		for (const each of rest) await check(each);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** The library alone trims such bytes, or refuses them (docs/known-limits.md, "Without the front"). */
const isForTheLibrary = ({ lines }: Arrived): boolean => !/[\x80-\xff]/.test(lines.join());

let compared = 0;

/** Nothing, or that somebody took too long: says nothing of how the request was read. */
const isOfLoad = (said: string): boolean =>
	said === "" || /^HTTP\/1\.1 (?:408|50[234]) /.test(said);

/** Through the library alone. On a busy machine it drops connections that waited for it: those are asked again. */
async function again(plain: string): Promise<{ said: string; arrived: readonly Arrived[] }> {
	for (let tries = 1; ; tries++) {
		const { client, arrived } = await arrivals.of(alone.port, [plain]);
		if (!isOfLoad(client.received) || tries === TRIES) return { said: client.received, arrived };
	}
}

async function agree(pieces: readonly string[], arrived: readonly Arrived[]): Promise<void> {
	for (const request of arrived) {
		if (!isForTheLibrary(request)) continue;
		const plain = respelled(request);
		const other = await again(plain);
		if (JSON.stringify(other.arrived) !== JSON.stringify([request])) {
			throw new Error(`read in two ways: ${JSON.stringify({ pieces, plain, request, other })}`);
		}
		compared += 1;
	}
}

it("what was meant arrives, in any spelling and however it is cut", async () => {
	await forAll(fc.sample(oddConnection, runs), async ({ pieces, meant }: OddConnection) => {
		const { arrived, client } = await arrivals.of(front.port, [...pieces, LAST]);
		const told = arrived.map(({ method, target, lines, body }) => ({
			method,
			target,
			lines,
			body,
		}));
		const all = [...meant, { method: "GET", target: "/last", lines: ["host: last"], body: "" }];
		const said = client.received.slice(0, 200);
		expect({ pieces, said, told }).toEqual({ pieces, said, told: all });
		expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(all.map(() => "HTTP/1.1 200"));
		await agree(pieces, arrived);
	});
	expect(compared).toBeGreaterThan(runs.numRuns);
	expect(arrivals.mistakes).toEqual([]);
}, 3_600_000);

it("whatever arrives of broken connections means one thing", async () => {
	compared = 0;
	await forAll(fc.sample(brokenConnection, runs), async (pieces) => {
		const { arrived } = await arrivals.of(hasty.port, [...pieces, LAST]);
		await agree(pieces, arrived);
	});
	expect(compared).toBeGreaterThan(runs.numRuns / 4);
	expect(arrivals.mistakes).toEqual([]);
}, 3_600_000);

it("whatever arrives of the fuzzer's corpus means one thing", async () => {
	compared = 0;
	const texts = readdirSync(CORPUS).map((name) => readFileSync(join(CORPUS, name), "latin1"));
	await forAll(texts, async (text) => {
		// The first line says how the fuzzer cuts it.
		const bytes = text.slice(text.indexOf("\n") + 1);
		for (const pieces of [[bytes], bytes.split("")]) {
			const { arrived } = await arrivals.of(hasty.port, [...pieces, LAST]);
			await agree(pieces, arrived);
		}
	});
	expect(compared).toBeGreaterThan(texts.length / 2);
	expect(arrivals.mistakes).toEqual([]);
}, 3_600_000);
