/** Upstreams: one per distinct backend, from its first route to its last. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Backend, Backends } from "../../../src/edge/routing/backends.ts";
import type { BackendDocument } from "../../../src/store/resources.ts";
import { backendSchema } from "../../../src/store/resources.ts";
import type { Upstream, UpstreamFailure, UpstreamOptions } from "../../../src/upstream/upstream.ts";
import { NO_CALL, NO_LOAD } from "../../upstream/idle.ts";

const options: UpstreamOptions = {
	connectTimeoutMs: 1,
	responseTimeoutMs: 1,
	idleTimeoutMs: 1,
	connections: 1,
	queue: 1,
	onAttemptFailed() {},
	onRetry() {},
};
const call = { ...NO_CALL, resume() {}, abort() {} };

/** Its upstreams tell how often they were closed, and are done closing when the test says so. */
class Made {
	readonly closes = new Map<Upstream, number>();
	readonly finish: (() => void)[] = [];
	readonly factory = (): Upstream => {
		const upstream: Upstream = {
			...NO_LOAD,
			send: () => call,
			close: () => {
				this.closes.set(upstream, (this.closes.get(upstream) ?? 0) + 1);
				return new Promise((resolve) => this.finish.push(resolve));
			},
		};
		this.closes.set(upstream, 0);
		return upstream;
	};
	get open(): number {
		return [...this.closes.values()].filter((closes) => closes === 0).length;
	}
}

const URLS = ["http://a", "http://b"];
const document: fc.Arbitrary<BackendDocument> = fc.record(
	{
		urls: fc.shuffledSubarray(URLS, { minLength: 1 }),
		host_header: fc.constantFrom("h", "1"),
		connect_timeout_ms: fc.constantFrom(1, 2),
		response_timeout_ms: fc.constantFrom(1, 2),
		tunnel_idle_timeout_ms: fc.constantFrom(1, 2),
		max_connections: fc.constantFrom(1, 2),
		max_tunnels: fc.constantFrom(1, 2),
		pipelining: fc.constantFrom(1, 2),
		tls: fc.record(
			{
				ca: fc.constant("/a"),
				server_name: fc.constant("n"),
				verify: fc.boolean(),
				client_cert: fc.constant("/c"),
				client_key: fc.constant("/k"),
			},
			{ requiredKeys: [] },
		),
	},
	{ requiredKeys: ["urls"] },
);
/** What makes two documents one backend, whatever the order of their members. */
const meaning = (document: BackendDocument): string =>
	JSON.stringify(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)));

describe("Backends", () => {
	it("the documents drawn here have every member there is", () => {
		const drawn = fc.sample(document, 200).flatMap((each) => Object.keys(each));
		expect(new Set(drawn)).toEqual(new Set(Object.keys(backendSchema.shape)));
	});

	it("keeps one upstream per document in use, and closes it once, with its last route", () => {
		// Few documents, so that they are shared.
		const commandsOf = (documents: BackendDocument[]) =>
			fc.array(fc.oneof(fc.constantFrom(...documents), fc.nat(20)), { maxLength: 40 });
		const few = fc.array(document, { minLength: 1, maxLength: 4 }).chain(commandsOf);
		fc.assert(
			fc.property(few, (commands) => {
				const made = new Made();
				const backends = new Backends(made.factory, options);
				const held: { readonly backend: Backend; readonly document: BackendDocument }[] = [];
				for (const command of commands) {
					if (typeof command !== "number") {
						const backend = backends.acquire(command);
						for (const other of held) {
							const same = meaning(other.document) === meaning(command);
							expect(other.backend.upstream === backend.upstream).toBe(same);
						}
						held.push({ backend, document: command });
					} else {
						const [given] = held.splice(command % Math.max(held.length, 1), 1);
						if (given !== undefined) backends.release(given.backend);
					}
					expect(made.open).toBe(new Set(held.map(({ document }) => meaning(document))).size);
					expect(held.every(({ backend }) => made.closes.get(backend.upstream) === 0)).toBe(true);
				}
				expect(Math.max(0, ...made.closes.values())).toBeLessThanOrEqual(1);
			}),
		);
	});

	it("close ends when all are done, those released before as well", async () => {
		const made = new Made();
		const backends = new Backends(made.factory, options);
		backends.release(backends.acquire({ urls: ["http://a"] }));
		backends.acquire({ urls: ["http://b"] });
		let closed = false;
		const closing = backends.close().then(() => {
			closed = true;
		});
		expect([...made.closes.values()]).toEqual([1, 1]);
		made.finish[1]?.();
		await new Promise((resolve) => setImmediate(resolve));
		expect(closed).toBe(false);
		made.finish[0]?.();
		await closing;
	});

	it("an upstream that fails to close keeps nobody from closing", async () => {
		const backends = new Backends(
			() => ({ ...NO_LOAD, send: () => call, close: () => Promise.reject(new Error("no")) }),
			options,
		);
		backends.acquire({ urls: ["http://a"] });
		await expect(backends.close()).resolves.toBeUndefined();
	});

	it("one that can't be made fails its own requests, after send has returned", async () => {
		const backends = new Backends(() => {
			throw new Error("bad port");
		}, options);
		const { upstream } = backends.acquire({ urls: ["http://a"] });
		let returned = false;
		const failed = new Promise<[boolean, UpstreamFailure, string]>((resolve) => {
			upstream.send(
				{ method: "GET", target: "/", lines: "", more: "", body: undefined },
				{
					onResponse() {},
					onData: () => true,
					onEnd() {},
					onWhole() {},
					onError: (failure, message) => resolve([returned, failure, message]),
				},
			);
		});
		returned = true;
		expect(await failed).toEqual([true, "connect", expect.stringContaining("bad port")]);
		await expect(backends.close()).resolves.toBeUndefined();
	});
});

it("knows whether the files of its tls are those that were read", async () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-backends-"));
	const ca = join(folder, "ca.pem");
	writeFileSync(ca, "one");
	const backends = new Backends(new Made().factory, options);
	backends.acquire({ urls: ["http://a"] });
	expect(backends.areFresh).toBe(true);
	const backend = backends.acquire({ urls: ["https://a"], tls: { ca } });
	expect(backends.areFresh).toBe(true);
	writeFileSync(ca, "another");
	expect(backends.areFresh).toBe(false);
	backends.release(backend);
	expect(backends.areFresh).toBe(true);
	rmSync(folder, { recursive: true });
});
