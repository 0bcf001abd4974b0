/** Whom the native client's records reach, by the numbers in them, and what reaches the native client. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import {
	addon as native,
	type UpstreamAddon,
	type UpstreamBackendOptions,
} from "../../../src/native-addon.ts";
import type { UpstreamClientOptions } from "../../../src/native-addon-upstream.ts";
import { type BackendListener, NativeClient } from "../../../src/upstream/native/client.ts";
import { KIND } from "../../../src/upstream/native/records.ts";
import type { ResponseHead } from "../../../src/upstream/response-head.ts";
import type { UpgradedBackend, UpstreamRequest } from "../../../src/upstream/upstream.ts";
import { type Fields, HandBody, memory, RecordingPort, RecordingSink, settle } from "./support.ts";

/** An addon that only records, and hands out the numbers that it is told to. */
class RecordingAddon extends RecordingPort implements UpstreamAddon {
	shared: ReturnType<typeof memory> | undefined;
	options: UpstreamClientOptions | undefined;
	nextBackend = 0;
	nextCall = 0;
	#onBatch: (count: number) => void = () => {};

	createClient(
		records: ArrayBuffer,
		arena: ArrayBuffer,
		onBatch: (count: number) => void,
		options: UpstreamClientOptions,
	): void {
		this.shared = memory(records, arena);
		this.options = options;
		this.#onBatch = onBatch;
	}

	openBackend(options: UpstreamBackendOptions): number {
		this.called.push(`openBackend ${Object.values(options).join(" ")}`);
		return this.nextBackend;
	}

	setAddresses(...[backend, addresses]: Parameters<UpstreamAddon["setAddresses"]>): void {
		const texts = addresses.map(({ id, ip, port }) => `${id} ${ip} ${port}`);
		this.called.push(`setAddresses ${backend} ${texts.join("\n")}`);
	}

	failWaiting(backend: number, reason: string): void {
		this.called.push(`failWaiting ${backend} ${reason}`);
	}

	closeBackend(backend: number): void {
		this.called.push(`closeBackend ${backend}`);
	}

	send(...values: readonly (string | number)[]): number {
		this.called.push(`send ${values.map(String).join("|")}`);
		return this.nextCall;
	}

	bodyBytes(): number {
		return 0;
	}
	pressed(): number {
		return 0;
	}
	occupancy(): number {
		return 0;
	}
	takeStates(): readonly number[] {
		return [0];
	}

	/** @param texts what a record's body or text is */
	tell(...records: readonly (Fields & { readonly text?: string })[]): void {
		const { shared } = this;
		if (shared === undefined) throw new Error("there is no client");
		for (const [at, { text = "", ...fields }] of records.entries()) {
			const offset = shared.put(text);
			const place = { bodyOffset: offset, textOffset: offset };
			const length = { bodyLength: text.length, textLength: text.length };
			shared.write(at, { ...place, ...length, ...fields });
		}
		this.#onBatch(records.length);
		shared.spoil();
	}
}

const { bodyWanted: BODY_WANTED } = native.upstreamLayout;
const limits = {
	...{ connectTimeoutMs: 1, responseTimeoutMs: 2, idleTimeoutMs: 3 },
	...{ connections: 4, queue: 5, pipelining: 6 },
};

const setUp = () => {
	const addon = new RecordingAddon();
	return { addon, client: new NativeClient(addon) };
};

const request = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
	method: "GET",
	target: "/t",
	lines: "host: a\r\n",
	more: "",
	body: undefined,
	...change,
});

const listener = (): BackendListener & { heard: string[] } => {
	const heard: string[] = [];
	return {
		heard,
		attemptFailed: (...values) => heard.push(`failed ${values.join(" ")}`),
		retried: () => heard.push("retried"),
		closed: () => heard.push("closed"),
	};
};

/** @returns messages of what is thrown while nobody can catch it */
async function uncaught(act: () => void): Promise<string[]> {
	const before = process.listeners("uncaughtException");
	const messages: string[] = [];
	process.removeAllListeners("uncaughtException");
	process.on("uncaughtException", ({ message }) => messages.push(message));
	act();
	await settle();
	process.removeAllListeners("uncaughtException");
	for (const each of before) process.on("uncaughtException", each);
	return messages;
}

it("is made with the bounds that hold for all backends", () => {
	const { addon } = setUp();
	expect(addon.options).toEqual({
		...{ headBytes: LIMITS.responseHeaderBytes, headerLines: LIMITS.responseHeaderLines },
		interimResponses: LIMITS.responseInterims,
		...{ idleMs: LIMITS.upstreamIdleMs, idleHintedMs: LIMITS.upstreamIdleHintedMs },
		...{ idleMarginMs: LIMITS.upstreamIdleMarginMs, reuseMs: LIMITS.upstreamReuseMs },
		bodyBufferBytes: LIMITS.upstreamBodyBufferBytes,
		setAsideFirstMs: LIMITS.upstreamSetAsideFirstMs,
		setAsideLastMs: LIMITS.upstreamSetAsideLastMs,
		...{ pipeliningMax: LIMITS.upstreamPipeliningMax, seed: expect.any(Number) },
	});
	expect(addon.options?.seed).not.toBe(setUp().addon.options?.seed);
});

describe("a request", () => {
	it("goes as its strings, with what its method means and the length of its body", () => {
		const { addon, client } = setUp();
		client.send(3, request(), new RecordingSink());
		client.send(
			3,
			request({ method: "POST", more: "b: c\r\n", body: new HandBody(9) }),
			new RecordingSink(),
		);
		client.send(3, request({ method: "HEAD", body: new HandBody(-1) }), new RecordingSink());
		expect(addon.called).toEqual([
			"send 3|GET|/t|host: a\r\n||2|0",
			"send 3|POST|/t|host: a\r\n|b: c\r\n|4|9",
			"send 3|HEAD|/t|host: a\r\n||3|-1",
		]);
	});

	it("begins its body at once if the native client says so", () => {
		const { addon, client } = setUp();
		const [waits, begins] = [new HandBody(), new HandBody()];
		client.send(0, request({ body: waits }), new RecordingSink());
		addon.nextCall = BODY_WANTED + 1;
		client.send(0, request({ body: begins }), new RecordingSink());
		expect([waits.asked, begins.asked]).toEqual([[], ["start"]]);
		begins.push("x");
		addon.tell({ kind: KIND.bodyWanted, call: 0 });
		waits.push("y");
		expect(addon.called.slice(2)).toEqual(["write 1 x", "write 0 y"]);
	});

	it("may be asked for, as long as the call is there", () => {
		const { addon, client } = setUp();
		const told: string[] = [];
		const expects = {
			onAttempt: () => told.push("attempt"),
			onContinue: () => told.push("continue"),
		};
		addon.nextCall = BODY_WANTED + 1;
		const asks = request({ method: "POST", more: "b: c\r\n", body: new HandBody(9), expects });
		const call = client.send(0, asks, new RecordingSink());
		expect(addon.called).toEqual([
			"send 0|POST|/t|host: a\r\n|b: c\r\nexpect: 100-continue\r\n|20|9",
		]);
		addon.tell({ kind: KIND.continue, call: 1 });
		call.abort();
		addon.tell({ kind: KIND.continue, call: 1 });
		expect(told).toEqual(["attempt", "continue"]);
	});

	it.each([
		["a wide target", { target: "/\u0141" }, 0],
		["a wide line", { lines: "a: \u010d\u010ab: c\r\n" }, 0],
		["a wide method", { method: "GE\u0154" }, 0],
		["what the native client refuses", { target: "/a b" }, 1],
	])("with %s fails, but not before send has returned", async (_, change, asked) => {
		const { addon, client } = setUp();
		addon.nextCall = -1;
		const sink = new RecordingSink();
		const call = client.send(0, request(change), sink);
		expect(sink.heard).toEqual([]);
		call.resume();
		await settle();
		expect(sink.heard).toEqual(["error broken the request can't be written as HTTP/1.1"]);
		expect(addon.called.length).toBe(asked);
	});
});

describe("a batch", () => {
	it("reaches the sinks of its calls, in its order", () => {
		const { addon, client } = setUp();
		const sinks = [0, 1, 2].map((number) => {
			addon.nextCall = number;
			const sink = new RecordingSink();
			client.send(0, request(), sink);
			return sink;
		});
		addon.tell(
			{ kind: KIND.response, call: 1, code: 200, length: 3 },
			{ kind: KIND.whole, call: 0, code: 204, text: "w" },
			{ kind: KIND.data, call: 1, text: "abc" },
			{ kind: KIND.failed, call: 2, code: 3, text: "late" },
			{ kind: KIND.end, call: 1 },
		);
		expect(sinks.map(({ heard }) => heard)).toEqual([
			["whole 204  -1 w"],
			["response 200  3", "data abc", "end"],
			["error timeout late"],
		]);
	});

	it("means nothing to the next call of a number", () => {
		const { addon, client } = setUp();
		const [first, second] = [new RecordingSink(), new RecordingSink()];
		client.send(0, request(), first).abort();
		addon.tell({ kind: KIND.whole, call: 0, code: 200 });
		client.send(0, request(), second);
		addon.tell({ kind: KIND.whole, call: 0, code: 201 });
		expect([first.heard, second.heard]).toEqual([[], ["whole 201  -1 "]]);
	});

	it("is heard to its end by the others if a sink throws, whose call is aborted", async () => {
		const { addon, client } = setUp();
		const [bad, good] = [new RecordingSink(), new RecordingSink()];
		bad.take = () => {
			throw new Error("bad sink");
		};
		client.send(0, request(), bad);
		addon.nextCall = 1;
		client.send(0, request(), good);
		const messages = await uncaught(() =>
			addon.tell(
				{ kind: KIND.response, call: 0, code: 200 },
				{ kind: KIND.data, call: 0, text: "a" },
				{ kind: KIND.data, call: 0, text: "b" },
				{ kind: KIND.whole, call: 1, code: 200 },
			),
		);
		expect(messages).toEqual(["bad sink"]);
		expect(bad.heard).toEqual(["response 200  -1", "data a"]);
		expect(good.heard).toEqual(["whole 200  -1 "]);
		expect(addon.called).toContain("abort 0");
	});

	it("may make sinks send, abort and resume", () => {
		const { addon, client } = setUp();
		const other = new RecordingSink();
		addon.nextCall = 1;
		const victim = client.send(0, request(), other);
		addon.nextCall = 0;
		const sink = new RecordingSink();
		sink.take = () => {
			addon.nextCall = 2;
			client.send(0, request({ target: "/next" }), new RecordingSink());
			victim.abort();
			return true;
		};
		client.send(0, request(), sink);
		addon.tell(
			{ kind: KIND.response, call: 0, code: 200 },
			{ kind: KIND.data, call: 0, text: "x" },
			{ kind: KIND.whole, call: 1, code: 200 },
		);
		expect(other.heard).toEqual([]);
		expect(addon.called.slice(2)).toEqual(["send 0|GET|/next|host: a\r\n||2|0", "abort 1"]);
	});
});

describe("a backend", () => {
	it("is told of failed attempts, retries and its end, and then no more", () => {
		const { addon, client } = setUp();
		const [first, second] = [listener(), listener()];
		expect(client.openBackend(limits, first)).toBe(0);
		addon.nextBackend = 1;
		client.openBackend(limits, second);
		addon.tell(
			{ kind: KIND.attemptFailed, call: 9, code: 1, backend: 1, address: 7, text: "why" },
			{ kind: KIND.retry, call: 9, code: 1, backend: 0, address: 7 },
			{ kind: KIND.backendClosed, call: 0, backend: 1 },
			{ kind: KIND.retry, call: 9, backend: 0 },
		);
		expect(first.heard).toEqual(["retried", "closed"]);
		expect(second.heard).toEqual(["failed connect 7 why"]);
		expect(addon.called[0]).toBe("openBackend 1 2 3 4 5 6");
	});

	it("has its addresses as lines", () => {
		const { addon, client } = setUp();
		const url = "http://a.test";
		client.setAddresses(2, [
			{ id: 0, url, ip: "127.0.0.1", port: 80 },
			{ id: 5, url, ip: "::1", port: 8080 },
		]);
		client.failWaiting(2, "no name");
		client.closeBackend(2);
		expect(addon.called).toEqual([
			"setAddresses 2 0 127.0.0.1 80\n5 ::1 8080",
			"failWaiting 2 no name",
			"closeBackend 2",
		]);
	});

	it("whose listener throws costs no call anything", async () => {
		const { addon, client } = setUp();
		const sink = new RecordingSink();
		client.send(0, request(), sink);
		const closed = () => {
			throw new Error("listener");
		};
		client.openBackend(limits, { ...listener(), closed });
		const messages = await uncaught(() =>
			addon.tell({ kind: KIND.backendClosed, call: 0 }, { kind: KIND.whole, call: 0, code: 200 }),
		);
		expect(messages).toEqual(["listener"]);
		expect(sink.heard).toEqual(["whole 200  -1 "]);
	});
});

describe("a request that asks to upgrade", () => {
	const { kind, requestFlag } = native.upstreamLayout;
	class AgreeingSink extends RecordingSink {
		backend: UpgradedBackend | undefined;
		onUpgrade(head: ResponseHead, backend: UpgradedBackend): void {
			this.heard.push(`upgrade ${head.lines().join(" ")}`);
			this.backend = backend;
		}
	}

	it("says so to the backend and to the addon, in lines that nobody else writes", () => {
		const { addon, client } = setUp();
		client.send(0, request({ more: "b: c\r\n", upgrade: "websocket" }), new AgreeingSink());
		const own = "connection: upgrade\r\nupgrade: websocket\r\n";
		const flags = requestFlag.idempotent + requestFlag.upgrade;
		expect(addon.called).toEqual([`send 0|GET|/t|host: a\r\n|b: c\r\n${own}|${flags}|0`]);
	});

	it("is told of a 101 as the last thing, with a number that stays its own", () => {
		const { addon, client } = setUp();
		const sink = new AgreeingSink();
		addon.nextCall = 3;
		const call = client.send(0, request({ upgrade: "x" }), sink);
		addon.tell({ kind: kind.upgraded, call: 3, code: 101, backend: 5, text: "upgrade: x\r\n" });
		expect(sink.heard).toEqual(["upgrade upgrade x"]);
		expect(sink.backend?.call).toBe(5 * native.upgradedSerialOne + 3);
		addon.called.length = 0;
		// The call is over for its exchange: the connection is another matter.
		call.abort();
		expect(addon.called).toEqual([]);
		sink.backend?.abort();
		sink.backend?.abort();
		expect(addon.called).toEqual([`abortUpgraded ${5 * native.upgradedSerialOne + 3}`]);
		expect(sink.backend?.call).toBeUndefined();
	});

	it("loses the connection to a sink that throws", async () => {
		const { addon, client } = setUp();
		const sink = new AgreeingSink();
		sink.onUpgrade = () => {
			throw new Error("bug");
		};
		client.send(0, request({ upgrade: "x" }), sink);
		addon.called.length = 0;
		const tell = (): void => addon.tell({ kind: kind.upgraded, call: 0, code: 101, backend: 1 });
		expect(await uncaught(tell)).toEqual(["bug"]);
		expect(addon.called).toEqual([`abortUpgraded ${native.upgradedSerialOne}`]);
	});

	it("gives the connection up if its sink takes none, or has gone", () => {
		const { addon, client } = setUp();
		for (const isGone of [false, true]) {
			const call = client.send(0, request({ upgrade: "x" }), new RecordingSink());
			if (isGone) call.abort();
			addon.called.length = 0;
			addon.tell({ kind: kind.upgraded, call: 0, code: 101, backend: 1 });
			expect(addon.called).toEqual(isGone ? [] : [`abortUpgraded ${native.upgradedSerialOne}`]);
		}
	});
});
