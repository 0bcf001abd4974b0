/** What a backend's document says wins over the options of all backends, each field for itself. */
import { expect, it } from "vitest";
import { backendOptions } from "../../src/upstream/backend-options.ts";

const OPTIONS = {
	connectTimeoutMs: 1,
	responseTimeoutMs: 2,
	idleTimeoutMs: 3,
	connections: 4,
	queue: 5,
	onAttemptFailed: () => {},
	onRetry: () => {},
};
const urls = ["http://127.0.0.1:1"];

it("is the options where the document says nothing", () => {
	expect(backendOptions({ urls }, OPTIONS)).toEqual(OPTIONS);
});

it("is what the document says, in either direction", () => {
	for (const [field, option] of [
		["connect_timeout_ms", "connectTimeoutMs"],
		["response_timeout_ms", "responseTimeoutMs"],
		["max_connections", "connections"],
	] as const) {
		for (const value of [1, 10]) {
			const own = backendOptions({ urls, [field]: value }, OPTIONS);
			expect(own).toEqual({ ...OPTIONS, [option]: value });
		}
	}
});
