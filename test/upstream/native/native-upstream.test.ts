/** The native implementation of `Upstream`: the suite of all implementations, and what only it does. */
import { describe, expect, it } from "vitest";
import { createNativeUpstream } from "../../../src/upstream/native/native-upstream.ts";
import { backend, bench } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";
import { upstreamSuite } from "../suite/suite.ts";

upstreamSuite("native upstream", createNativeUpstream);

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

describe("a native upstream", () => {
	it("that is closed refuses what comes after it, also if another has its number", async () => {
		const upstream = await backend(answering(OK));
		const first = bench(createNativeUpstream, [upstream.url]);
		expect((await first.ask()).failure).toBeUndefined();
		const closing = first.upstream.close();
		expect(first.upstream.close()).toBe(closing);
		await closing;
		const second = bench(createNativeUpstream, [upstream.url]);
		const answers = await Promise.all([first.ask(), second.ask()]);
		expect(answers.map(({ failure }) => failure)).toEqual(["connect", undefined]);
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
