/** The native implementation of `Upstream`: the suite of all implementations, and what only it does. */
import { describe, expect, it } from "vitest";
import { fail } from "../../../src/errors.ts";
import type { NameLookups } from "../../../src/upstream/names/name-lookups.ts";
import { NameResolver } from "../../../src/upstream/names/name-resolver.ts";
import { nativeUpstreamFactory } from "../../../src/upstream/native/native-upstream.ts";
import { createNativeUpstream } from "../native-upstream-alone.ts";
import { backend, bench } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";
import { upstreamSuite } from "../suite/suite.ts";

upstreamSuite("native upstream", createNativeUpstream);

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

describe("a native upstream", () => {
	it("that is closed serves what comes after it, also if another has its number", async () => {
		const upstream = await backend(answering(OK));
		const first = bench(createNativeUpstream, [upstream.url]);
		expect((await first.ask()).failure).toBeUndefined();
		const closing = first.upstream.close();
		expect(first.upstream.close()).toBe(closing);
		await closing;
		const second = bench(createNativeUpstream, [upstream.url]);
		const answers = await Promise.all([first.ask(), second.ask(), first.ask()]);
		expect(answers.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
		// On connections of their own, which nobody keeps.
		await second.upstream.close();
		for (const connection of upstream.connections) await connection.closed;
	});

	it("whose name nobody knows fails each request, and tells of each", async () => {
		const lookups: NameLookups = {
			addresses: (name, done) => done(fail(`${name} is unknown`)),
			records: (_name, _addresses, done) => done([]),
		};
		const resolver = new NameResolver({ onLookupFailed: () => {}, lookups });
		const { ask, failures } = bench(nativeUpstreamFactory(resolver), ["http://nobody.test:81"]);
		const answers = await Promise.all([ask(), ask({ method: "POST" })]);
		expect(answers.map(({ failure }) => failure)).toEqual(["connect", "connect"]);
		const told = { failure: "connect", address: "http://nobody.test:81" };
		expect(failures).toMatchObject([told, told]);
	});

	it("throws for a URL that is none", () => {
		expect(() => bench(createNativeUpstream, ["nothing"])).toThrow(/URL/);
	});

	it("shares its client with all others, and keeps their answers apart", async () => {
		const backends = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				backend(answering(`HTTP/1.1 ${200 + index} x\r\ncontent-length: 0\r\n\r\n`)),
			),
		);
		const benches = backends.map(({ url }) => bench(createNativeUpstream, [url]));
		for (let round = 0; round < 5; round += 1) {
			const answers = await Promise.all(benches.map(({ ask }) => ask()));
			expect(answers.map(({ statusCode }) => statusCode)).toEqual(
				benches.map((_, index) => 200 + index),
			);
		}
	});
});
