/** Upstream suite: an address that can't be connected to is set aside for a while that grows, and comes back. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { type Bench, backend, bench } from "../probe.ts";
import { answering, refusingUrl } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/** milliseconds by which a failure may be told late */
const LATE_MS = 100;

/** Asks now and then, and all must be answered, until the condition holds. */
const askUntil = async (heard: Bench, condition: () => boolean): Promise<void> => {
	const deadline = performance.now() + 10_000;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error("never came about");
		expect((await heard.ask({ method: "POST" })).failure).toBeUndefined();
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};

export const upstreamAddresses = (factory: UpstreamFactory): void => {
	test("a dead address costs an attempt in a while that grows, and no request", async () => {
		const good = await backend(answering(OK));
		const dead = await refusingUrl();
		const heard = bench(factory, [dead, good.url]);
		const failedAtMs: number[] = [];
		await askUntil(heard, () => {
			if (heard.failures.length > failedAtMs.length) failedAtMs.push(performance.now());
			return failedAtMs.length === 3;
		});
		expect(heard.failures.length).toBe(3);
		expect(heard.failures.every(({ address }) => address === dead)).toBe(true);
		expect(heard.retries).toBe(3);
		const [first = 0, second = 0, third = 0] = failedAtMs;
		// At least half of 1 s, then of 2 s; the other half is left to chance.
		expect(second - first).toBeGreaterThan(500 - LATE_MS);
		expect(third - second).toBeGreaterThan(1000 - LATE_MS);
	});

	test("an address that is back is served again", async () => {
		const good = await backend(answering(OK));
		const dead = await refusingUrl();
		const heard = bench(factory, [dead, good.url]);
		await askUntil(heard, () => heard.failures.length === 1);
		let served = 0;
		const revived = answering(() => {
			served += 1;
			return OK;
		});
		await backend(revived, undefined, Number(new URL(dead).port));
		await askUntil(heard, () => served === 3);
		expect(heard.failures.length).toBe(1);
	});

	test("an address that takes connections and answers nothing is set aside likewise, until it answers", async () => {
		const good = await backend(answering(OK));
		let answers = false;
		let served = 0;
		const bad = await backend(async (connection) => {
			if (!answers) {
				await connection.readRequest();
				connection.reset();
				return;
			}
			await answering(() => {
				served += 1;
				return OK;
			})(connection);
		});
		const heard = bench(factory, [bad.url, good.url]);
		const failedAtMs: number[] = [];
		const ask = async () => expect((await heard.ask()).failure).toBeUndefined();
		while (failedAtMs.length < 2) {
			await ask();
			if (heard.failures.length > failedAtMs.length) failedAtMs.push(performance.now());
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		const [first = 0, second = 0] = failedAtMs;
		expect(second - first).toBeGreaterThan(500 - LATE_MS);
		expect(heard.failures.every(({ address }) => address === bad.url)).toBe(true);
		answers = true;
		await askUntil(heard, () => served === 3);
		expect(heard.failures.length).toBe(2);
	});

	test("many that find an address dead at once are all served elsewhere, and count once", async () => {
		const good = await backend(answering(OK));
		const dead = await refusingUrl();
		const heard = bench(factory, [dead, good.url], { connections: 64 });
		const answers = await Promise.all(Array.from({ length: 40 }, () => heard.ask()));
		expect(answers.every(({ failure }) => failure === undefined)).toBe(true);
		const failures = heard.failures.length;
		expect(failures).toBeLessThanOrEqual(20);
		// Were each counted, the address would be set aside for half a minute.
		await askUntil(heard, () => heard.failures.length > failures);
		expect(heard.failures.length).toBe(failures + 1);
	});
};
