/** Upstream suite: what is called from within a sink's callbacks. */
import { expect, test } from "vitest";
import type { ResponseSink, Upstream, UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, request, wholeBody } from "../probe.ts";
import { answering, refusingUrl } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 2\r\n\r\nok";

type Within = "response" | "data" | "end" | "error";

/** Hears one response and calls `act` once, within the callback that is asked for. */
const acting = (within: Within, act: () => void, over: () => void): ResponseSink => {
	const at = (place: Within): void => {
		if (place === within) act();
	};
	return {
		onResponse: () => at("response"),
		onData: () => {
			at("data");
			return true;
		},
		onEnd: () => {
			at("end");
			over();
		},
		onWhole: () => {
			if (within !== "error") act();
			over();
		},
		onError: () => {
			at("error");
			over();
		},
	};
};

const once = (upstream: Upstream, within: Within, act: () => void): Promise<void> =>
	new Promise((resolve) => {
		upstream.send(request(), acting(within, act, resolve));
	});

export const upstreamReentrance = (factory: UpstreamFactory): void => {
	const places = ["response", "data", "end", "error"] as const;

	test.each(places)("requests sent from within %s are answered", async (within) => {
		const good = await backend(answering(OK));
		const first = bench(factory, [within === "error" ? await refusingUrl() : good.url]);
		const { ask } = bench(factory, [good.url], { connections: 2 });
		for (let round = 0; round < 5; round += 1) {
			const answers: ReturnType<typeof ask>[] = [];
			await once(first.upstream, within, () => {
				for (let count = 0; count < 5; count += 1) {
					answers.push(ask(), ask({ method: "POST", body: wholeBody("hello") }));
				}
			});
			expect(answers.length).toBe(10);
			for (const answer of answers) expect((await answer).body.toString()).toBe("ok");
		}
	});

	test.each(places)("others aborted from within %s hear nothing more", async (within) => {
		const good = await backend(answering(OK));
		const first = bench(factory, [within === "error" ? await refusingUrl() : good.url]);
		const { probe, ask } = bench(factory, [good.url], { connections: 3 });
		for (let round = 0; round < 10; round += 1) {
			const others = Array.from({ length: 6 }, () => probe({}));
			await once(first.upstream, within, () => {
				for (const other of others) if (!other.ended) other.abort();
			});
			expect((await ask()).body.toString()).toBe("ok");
		}
	});

	test.each(places)("closing from within %s lets what is under way finish", async (within) => {
		const good = await backend(answering(OK));
		const first = bench(factory, [within === "error" ? await refusingUrl() : good.url]);
		const { ask, upstream } = bench(factory, [good.url], { connections: 2 });
		const answers = Array.from({ length: 6 }, () => ask());
		let closing: Promise<unknown> | undefined;
		await once(first.upstream, within, () => {
			closing = Promise.all([first.upstream.close(), upstream.close()]);
		});
		for (const answer of answers) expect((await answer).body.toString()).toBe("ok");
		await closing;
		for (const connection of good.connections) await connection.closed;
	});
};
