/** Bytes between a backend's stream and the front: each side waits for the other, and each end is told once. */
import { once } from "node:events";
import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { StreamPort } from "../../../src/edge/tunnels/stream-port.ts";
import type { TunnelStart } from "../../../src/http/tunnel.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { FakeTunnel } from "./fake-tunnel.ts";

const start: TunnelStart = { head: "", idleMs: 0, isWebSocket: false, onEnd() {} };

/** A backend that takes what it gets when the test says so. */
function spliced() {
	const taken: string[] = [];
	const waiting: (() => void)[] = [];
	const stream = new Duplex({
		allowHalfOpen: false,
		highWaterMark: 4,
		read() {},
		write(chunk, _encoding, done) {
			taken.push(String(chunk));
			waiting.push(done);
		},
	});
	stream.on("error", () => {});
	const port = new StreamPort(stream);
	const tunnel = new FakeTunnel(start, port);
	port.begin(tunnel);
	const take = () => {
		for (const done of waiting.splice(0)) done();
	};
	return { stream, port, tunnel, taken, take };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("what the backend sends waits while the client takes no more", async () => {
	const { stream, tunnel, port } = spliced();
	tunnel.hasRoom = false;
	stream.push("ab");
	stream.push("cd");
	await turn();
	expect(tunnel.did).toEqual(["write ab"]);
	tunnel.hasRoom = true;
	port.onRoom();
	await turn();
	expect(tunnel.did).toEqual(["write ab", "write cd"]);
});

it("what the client sends is copied, and waits while the backend takes no more", async () => {
	const { port, tunnel, taken, take } = spliced();
	const chunk = Buffer.from("ab");
	expect(port.onData(chunk)).toBe(true);
	chunk.fill("x");
	// The stream is full by its own account, and holds less than it may.
	expect(port.onData(Buffer.from("cdef"))).toBe(true);
	const much = "y".repeat(LIMITS.tunnelStreamBytes);
	expect(port.onData(Buffer.from(much))).toBe(false);
	for (let each = 0; each < 3; each++) {
		expect(tunnel.did).toEqual([]);
		take();
		await turn();
	}
	expect(taken.join("")).toBe(`abcdef${much}`);
	expect(tunnel.did).toEqual(["resume"]);
	expect(port.onData(Buffer.from("fewer"))).toBe(true);
	take();
	await turn();
	expect(tunnel.did).toEqual(["resume"]);
});

it("either side may end first, and the other goes on", async () => {
	const { stream, port, tunnel, taken } = spliced();
	stream.push(null);
	await turn();
	expect(tunnel.did).toEqual(["end"]);
	expect(port.onData(Buffer.from("ab"))).toBe(true);
	expect(taken).toEqual(["ab"]);
	const other = spliced();
	other.port.onClientEnd();
	other.stream.push("still");
	await turn();
	expect(other.tunnel.did).toEqual(["write still"]);
});

it("a connection that breaks is no end", async () => {
	const { stream, tunnel } = spliced();
	stream.destroy(new Error("reset"));
	await turn();
	expect(tunnel.did).toEqual(["abort"]);
});

it("a tunnel that is over lets go of the backend, but not of what the client sent before its end", async () => {
	const broken = spliced();
	broken.port.onData(Buffer.from("ab"));
	broken.port.onClose();
	expect(broken.stream.destroyed).toBe(true);
	const whole = spliced();
	whole.port.onData(Buffer.from("ab"));
	whole.port.onClientEnd();
	whole.port.onClose();
	expect(whole.stream.destroyed).toBe(false);
	whole.take();
	await once(whole.stream, "close");
	expect([whole.taken, whole.tunnel.did]).toEqual([["ab"], []]);
	expect(broken.tunnel.did).toEqual([]);
});
