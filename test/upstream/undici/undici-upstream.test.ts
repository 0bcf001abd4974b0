/** Proves that the undici upstream keeps every promise of the interface; the cases are the suite's. */
import { expect, test } from "vitest";
import { createUndiciUpstream } from "../../../src/upstream/undici/undici-upstream.ts";
import { backend, bench } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";
import { upstreamSuite } from "../suite/suite.ts";

upstreamSuite("undici upstream", createUndiciUpstream);

test("a backend's max_connections wins over the option, in both directions", async () => {
	for (const max_connections of [2, 9]) {
		const upstream = await backend(answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
		const { ask } = bench(
			createUndiciUpstream,
			[upstream.url],
			{ connections: 5 },
			{ max_connections },
		);
		await Promise.all(Array.from({ length: 40 }, () => ask()));
		expect(upstream.connections.length).toBe(max_connections);
	}
});
