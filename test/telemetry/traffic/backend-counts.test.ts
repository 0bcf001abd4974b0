import { expect, it } from "vitest";
import { BackendCounts } from "../../../src/telemetry/traffic/backend-counts.ts";

const A = { address: "http://a", requests: 2, connections: 3, idle: 1, setAsideMs: 0 };

it("adds up the upstreams of an address, those that are closed, and what failed", () => {
	const counts = new BackendCounts();
	counts.readFrom(() => [
		{ waiting: 2, addresses: [A] },
		{ waiting: 3, addresses: [{ ...A, requests: 5, setAsideMs: 700 }] },
	]);
	counts.closed([{ ...A, requests: 4 }]);
	counts.failed("http://a", "connect");
	counts.failed("http://a", "connect");
	counts.failed("http://b", "timeout");
	expect(counts.take()).toEqual([
		{
			address: "http://a",
			requests: 11,
			connections: 6,
			idle: 2,
			setAsideMs: 700,
			failures: { connect: 2 },
		},
		{
			address: "http://b",
			requests: 0,
			connections: 0,
			idle: 0,
			setAsideMs: 0,
			failures: { timeout: 1 },
		},
	]);
	expect(counts.waiting).toBe(5);
	counts.readFrom(() => []);
	expect(counts.take()).toEqual([]);
});
