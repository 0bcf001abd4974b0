/**
 * Contract 6 over raw sockets, case by case: a refusal has its status and a JSON body, the connection is closed at
 * once, and nothing reaches the backend, what stands behind it included; whatever else a client may send reaches the
 * backend in one spelling.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEdge, type TestEdge } from "../harness.ts";
import { Arrivals } from "./arrivals.ts";
import { FORWARDED, type Forwarded, REFUSED } from "./raw-cases.ts";

/** far below each of the times that end connections */
const AT_ONCE_MS = 5000;
const LAST = "GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n";
const BEHIND = `GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n${LAST}`;

const arrivals = new Arrivals();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await arrivals.listen()] });
});
afterAll(async () => {
	await edge.close();
	await arrivals.close();
	expect(arrivals.mistakes).toEqual([]);
});

/** whole, and a byte at a time */
const cuts = (bytes: string): readonly (readonly string[])[] => [[bytes], bytes.split("")];

describe.each(Object.entries(REFUSED))("%s is refused:", (_room, cases) => {
	it.concurrent.each(cases)("%s: %#", async (_name, bytes, status) => {
		for (const pieces of cuts(bytes)) {
			const begin = performance.now();
			const { client, arrived } = await arrivals.of(edge.port, [...pieces, BEHIND]);
			expect(performance.now() - begin).toBeLessThan(AT_ONCE_MS);
			const [head = "", body = ""] = client.received.split("\r\n\r\n");
			expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
			expect(head).toMatch(/^connection: close\r?$/m);
			expect(JSON.parse(body)).toMatchObject({
				status_code: status,
				error_code: expect.any(String),
			});
			expect(client.reset).toBe(false);
			expect(arrived).toEqual([]);
		}
	});
});

const textOf = ([line, lines, body = ""]: Forwarded): string =>
	[line, ...lines, "", body].join("\n");

it.concurrent.each(FORWARDED)("forwarded: %s", async (_name, bytes, forwarded) => {
	for (const pieces of cuts(bytes)) {
		const { client, arrived } = await arrivals.of(edge.port, [...pieces, LAST]);
		const texts = arrived.map(({ method, target, lines, body }) =>
			textOf([`${method} ${target}`, lines, body]),
		);
		const isLast = texts.at(-1)?.startsWith("GET /last\n") === true;
		expect(isLast ? texts.slice(0, -1) : texts).toEqual(forwarded.map(textOf));
		expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(texts.map(() => "HTTP/1.1 200"));
		expect(client.reset).toBe(false);
	}
});
