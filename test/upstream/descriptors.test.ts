/** Connections to backends keep out of the descriptors that everything else needs, however they are made. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { descriptorShares, limitUpstreamDescriptors } from "../../src/descriptors.ts";
import { addon } from "../../src/native-addon.ts";
import { createUndiciUpstream } from "../../src/upstream/undici/undici-upstream.ts";
import { createNativeUpstream } from "./native-upstream-alone.ts";
import { backend, bench } from "./probe.ts";
import { answering } from "./scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";

const KINDS = {
	native: { factory: createNativeUpstream, fill: () => addon.limitUpstreamDescriptors(0) },
	undici: {
		factory: createUndiciUpstream,
		fill: () => vi.spyOn(addon, "lowestFreeDescriptor").mockReturnValue(-1),
	},
};

function free(): void {
	vi.restoreAllMocks();
	limitUpstreamDescriptors(descriptorShares());
}
afterEach(free);

describe.each(["native", "undici"] as const)("%s connections", (kind) => {
	it("are not made beyond their share, and are again when there is room", async () => {
		const { factory, fill } = KINDS[kind];
		const upstream = await backend(answering(OK));
		const { ask, failures } = bench(factory, [upstream.url]);
		expect((await ask()).failure).toBeUndefined();
		fill();
		const answer = await ask();
		expect(answer.failure).toBe("connect");
		expect(answer.message).toMatch(/too many (?:open files|connections)/i);
		expect(failures.length).toBeGreaterThan(0);
		expect(upstream.connections).toHaveLength(1);
		free();
		expect((await ask()).failure).toBeUndefined();
	});
});
