/** Streams of events over real sockets: with the front and without it, and every way in which they end. */
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { createApiKey } from "../../../src/management/api-keys.ts";
import { LiveApi } from "../../../src/management/live/live-api.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { type Api, edge, expectError, header, READERS, raw, startApi } from "../api.ts";
import { FakeSource } from "../live/source.ts";

const EVENTS = "/live/events";

/** Opens a stream. */
async function watch(api: Api, key = api.key) {
	const url = `http://127.0.0.1:${api.port}${EVENTS}`;
	const leaving = new AbortController();
	const headers = { authorization: `Bearer ${key}` };
	const response = await fetch(url, { headers, signal: leaving.signal });
	let text = "";
	const ended = (async () => {
		const decoder = new TextDecoder();
		for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
	})().catch(() => {});
	const saw = (what: string | RegExp) =>
		vi.waitUntil(() => text.match(what) !== null, { timeout: 10_000 });
	return { response, saw, ended, leave: () => leaving.abort(), text: () => text };
}

describe.each(READERS)("a stream, %s", (_how, frontSettings) => {
	it("begins with the history, and is told of changes and each second", async () => {
		const api = await startApi({ frontSettings });
		const { response, saw, text } = await watch(api);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(response.headers.get("cache-control")).toBe("no-store");
		await saw(/^: weir\n\nevent: history\ndata: \{"points":\[/);
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await saw(/event: overview\n/);
		api.store.refresh();
		expect(text()).not.toContain("event: end");
	});

	it("ends when the server stops, which does not wait for it", async () => {
		const api = await startApi({ frontSettings });
		const { saw, ended, text } = await watch(api);
		await saw("history");
		const beganMs = performance.now();
		await api.close();
		await ended;
		expect(performance.now() - beganMs).toBeLessThan(LIMITS.managementDrainMs / 2);
		expect(text()).toMatch(/event: end\ndata: \{"reason":"stopping"\}\n\n$/);
	});

	it("ends when its key is revoked", async () => {
		const api = await startApi({ frontSettings });
		const { id, key } = await createApiKey(api.store, "watcher", { role: "read" });
		const { saw, ended } = await watch(api, key);
		await saw("history");
		await api.store.revokeKey(id);
		await saw(/event: end\ndata: \{"reason":"key"\}\n\n$/);
		await ended;
	});

	it("gives its place back when its client leaves", async () => {
		const api = await startApi({ frontSettings });
		const watchers = await Promise.all(
			Array.from({ length: LIMITS.liveStreams }, () => watch(api)),
		);
		await Promise.all(watchers.map(({ saw }) => saw("history")));
		expectError(await api.send("GET", EVENTS), 503, "ERR_TOO_MANY_STREAMS");
		for (const { leave } of watchers) leave();
		await vi.waitUntil(
			async () => {
				const { text } = await raw(api.port, header(api.key, `GET ${EVENTS}`), (all) =>
					all.includes("}"),
				);
				return text.startsWith("HTTP/1.1 200");
			},
			{ timeout: 10_000, interval: 200 },
		);
	});

	it("is answered to HEAD with its header alone, and goes on with the connection", async () => {
		const api = await startApi({ frontSettings });
		const head = header(api.key, `HEAD ${EVENTS}`);
		const { text } = await raw(api.port, head + header(api.key, "GET /healthz"), (all) =>
			all.endsWith("}"),
		);
		expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
	});

	it("needs a key that may read", async () => {
		const api = await startApi({ frontSettings });
		expectError(await api.send("GET", EVENTS, { key: null }), 401, "ERR_UNAUTHORIZED");
		const { key } = await createApiKey(api.store, "", { role: "metrics" });
		expectError(await api.send("GET", EVENTS, { key }), 403, "ERR_ROLE_REQUIRED");
	});
});

it("needs chunks, which HTTP/1.0 has not", async () => {
	const api = await startApi();
	const request = header(api.key, `GET ${EVENTS}`).replace("HTTP/1.1", "HTTP/1.0");
	const { text } = await raw(api.port, request);
	expect(text).toMatch(/^HTTP\/1\.[01] 505 /);
});

it("is given up by clients that don't read, whoever writes it, and goes on for others", async () => {
	await Promise.all(
		READERS.map(async ([, frontSettings]) => {
			const store = openStore(temporaryFolder());
			const source = new FakeSource();
			const live = new LiveApi({ source, store, counts: () => undefined, version: "1" });
			const api = await startApi({ frontSettings, store, live });
			const good = await watch(api);
			await good.saw("history");
			const lazy = connect({ port: api.port, host: "127.0.0.1" });
			const gone = new Promise((resolve) => lazy.on("error", () => {}).on("close", resolve));
			lazy.pause();
			lazy.write(header(api.key, `GET ${EVENTS}`));
			const change = { kind: "policy", edgeId: "e".repeat(128), routeId: "r".repeat(128) } as const;
			// More than kernels keep.
			const flood = setInterval(() => {
				for (let count = 0; count < 50; count++) live.changed(Array(50).fill(change));
			}, 20);
			await vi.waitUntil(() => lazy.bytesRead === 0 && good.text().length > 30_000_000, {
				timeout: 20_000,
			});
			clearInterval(flood);
			await vi.waitUntil(() => live.streams === 1, { timeout: 15_000 });
			lazy.resume();
			await gone;
			const length = good.text().length;
			await vi.waitUntil(() => good.text().length > length, { timeout: 5000 });
			good.leave();
		}),
	);
}, 60_000);
