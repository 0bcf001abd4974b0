/** Rate-limits keyed on what any client can change. */
import { expect, test } from "vitest";
import { clientControlledKeys } from "../../../../src/policy/actions/rate-limit/lint.ts";

const keyed = (...bucket_key: string[]) =>
	clientControlledKeys({ type: "rate-limit", config: { capacity: 1, rate: "60s", bucket_key } });

test("headers, but not host", () => {
	expect(
		keyed("conn.client_ip", "req.headers['X-Key']", "req.host", "req.headers['host']"),
	).toEqual([
		{
			path: ["bucket_key", 1],
			code: "client_controlled_key",
			message:
				'any client can change the header "x-key" and get a bucket of its own; write conn.client_ip, or deny other values of the header before',
		},
	]);
	expect(keyed("getReqHeader('X-Key')")).toHaveLength(1);
});

test("no other action", () => {
	expect(keyed()).toEqual([]);
	expect(clientControlledKeys({ type: "deny", config: {} })).toEqual([]);
});
