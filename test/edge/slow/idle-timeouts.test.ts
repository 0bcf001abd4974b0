import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IdleTimeouts, type Waiting } from "../../../src/edge/slow/idle-timeouts.ts";
import { Pace } from "../../../src/edge/slow/slow-clients.ts";
import { get, RawClient, RawUpstream, startEdge } from "../harness.ts";

class Client implements Waiting {
	readonly direction = "upload";
	readonly waitedSinceMs = Number.POSITIVE_INFINITY;
	readonly movedBytes = 0;
	readonly rated = true;
	readonly pace = new Pace(0);
	readonly upstream = undefined;
	readonly heldBytes = 0;
	readonly address = "";
	lastProgressMs: number;
	readonly calls: string[] = [];
	constructor(lastProgressMs: number) {
		this.lastProgressMs = lastProgressMs;
	}
	look(): void {}
	drop(): void {}
	renew(): void {
		this.calls.push("renew");
	}
	giveUp(): void {
		this.calls.push("give up");
	}
}

describe("IdleTimeouts", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("renews those that made progress within the idle time and gives up on the rest, once", () => {
		const idleTimeouts = new IdleTimeouts(60_000);
		const fresh = new Client(50_000);
		const stale = new Client(30_000);
		idleTimeouts.add(fresh);
		idleTimeouts.add(stale);
		idleTimeouts.sweep(90_000);
		idleTimeouts.sweep(90_001);
		expect([fresh.calls, stale.calls]).toEqual([["renew", "renew"], ["give up"]]);
		idleTimeouts.delete(fresh);
		idleTimeouts.sweep(90_002);
		expect(fresh.calls.length).toBe(2);
	});

	it("sweeps by itself, often enough for the library's clock, only while somebody waits", () => {
		const idleTimeouts = new IdleTimeouts(60_000);
		expect(vi.getTimerCount()).toBe(0);
		const client = new Client(performance.now());
		idleTimeouts.add(client);
		vi.advanceTimersByTime(8000);
		expect(client.calls.length).toBeGreaterThanOrEqual(2);
		idleTimeouts.delete(client);
		vi.advanceTimersByTime(8000);
		expect(vi.getTimerCount()).toBe(0);
	});
});

// Mostly waiting: side by side, each with an edge of its own.
describe.concurrent("slow clients", () => {
	it("an upload of a few bytes every few seconds passes, though the library's limits are tighter", async ({
		expect,
	}) => {
		const upstream = new RawUpstream();
		const edge = await startEdge({ urls: [await upstream.listen()] });
		const client = new RawClient(edge.port).send(
			"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\na",
		);
		for (const byte of ["b", "c", "d"]) {
			// The pace is what is tested here.
			await new Promise((resolve) => setTimeout(resolve, 6000));
			client.send(byte);
		}
		expect((await client.response()).status).toBe(200);
		client.destroy();
		await edge.close();
		await upstream.close();
	}, 40_000);

	it("a body that stops coming is given up after the idle time, and the upstream is let go", async ({
		expect,
	}) => {
		const upstream = new RawUpstream();
		const edge = await startEdge({
			urls: [await upstream.listen()],
			config: {
				timeouts: {
					requestHeaderMs: 10_000,
					idleMs: 100,
					tunnelIdleMs: 1000,
					upstreamConnectMs: 2000,
					upstreamResponseMs: 60_000,
					drainMs: 1000,
				},
			},
		});
		const client = new RawClient(edge.port).send(
			"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\na",
		);
		await client.untilClosed();
		expect(client.received).toMatch(/^HTTP\/1.1 408 /);
		expect(client.received).toContain("ERR_REQUEST_TIMEOUT");
		const counts = edge.metrics.snapshot();
		expect(counts['weir_slow_clients_total{direction="upload",reason="idle"}']).toBe(1);
		expect(counts.weir_client_aborts_total ?? 0).toBe(0);
		await expect.poll(() => edge.metrics.snapshot().weir_requests_in_flight).toBe(0);
		await edge.close();
		await upstream.close();
	});

	it("an upstream may take longer than the library's idle time to answer", async () => {
		const upstream = new RawUpstream();
		upstream.onRequest = (socket) => {
			setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 14_000);
		};
		const edge = await startEdge({
			urls: [await upstream.listen()],
			backend: { response_timeout_ms: 20_000 },
		});
		const client = new RawClient(edge.port).send(get("/"));
		await client.until(({ received }) => received.endsWith("ok"), 20_000);
		client.destroy();
		await edge.close();
		await upstream.close();
	}, 30_000);

	it("a reader that stops for longer than the library's idle time gets the rest when it goes on", async ({
		expect,
	}) => {
		const total = 32 * 1_048_576;
		const upstream = new RawUpstream();
		upstream.onRequest = (socket) => {
			socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
			socket.write(Buffer.alloc(total, "x"));
		};
		const edge = await startEdge({ urls: [await upstream.listen()] });
		const client = new RawClient(edge.port).send(get("/"));
		client.socket.removeAllListeners("data");
		client.socket.pause();
		await new Promise((resolve) => setTimeout(resolve, 15_000));
		let received = 0;
		client.socket.on("data", (data: Buffer) => {
			received += data.length;
		});
		client.socket.resume();
		await expect.poll(() => received, { timeout: 20_000 }).toBeGreaterThanOrEqual(total);
		client.destroy();
		await edge.close();
		await upstream.close();
	}, 60_000);
});
