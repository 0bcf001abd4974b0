/** Which servers a fleet may stand on, and what is said of the others. */
import { describe, expect, it } from "vitest";
import {
	isAtLeast,
	serverProblem,
	serverWarning,
} from "../../../../src/fleet/log/nats/server-rules.ts";

const NEEDED_BYTES = 2_162_688;
const facts = (version: string, cluster?: string, payload = 8_388_608) => ({
	version,
	max_payload: payload,
	...(cluster !== undefined && { cluster }),
});
const problem = (...given: Parameters<typeof facts>) =>
	serverProblem("nats-1:4222", facts(...given), NEEDED_BYTES);

describe("versions", () => {
	it("are compared as numbers", () => {
		expect(isAtLeast("2.9.10", [2, 10])).toBe(false);
		expect(isAtLeast("2.10.0", [2, 9])).toBe(true);
		expect(isAtLeast("3.0.1", [2, 12])).toBe(true);
		expect(isAtLeast("2.12.0-RC.1", [2, 12])).toBe(true);
		expect(isAtLeast("", [2, 0])).toBe(false);
	});
});

describe("a server", () => {
	it("may be 2.9 alone, and not in a cluster", () => {
		expect(problem("2.9.10")).toBeUndefined();
		expect(problem("2.9.10", "weir")).toMatch(/2\.9\.10 in the cluster weir.*2\.12 or newer/);
		expect(problem("2.10.27", "weir")).toBeUndefined();
		expect(problem("2.8.4")).toContain("too old");
	});

	it("must take a policy in one message", () => {
		expect(problem("2.15.1", undefined, 1_048_576)).toContain("`max_payload: 8MB`");
		expect(serverProblem("a:1", facts("2.15.1"), 20_000_000)).toContain("`max_payload: 20MB`");
		expect(problem("2.15.1", undefined, NEEDED_BYTES)).toBeUndefined();
	});

	it("is warned of before 2.12", () => {
		expect(serverWarning("a:1", facts("2.12.0"))).toBeUndefined();
		expect(serverWarning("a:1", facts("2.10.27"))).toContain("compare-and-set");
		expect(serverWarning("a:1", facts("2.9.10"))).toContain("sync_interval");
	});
});
