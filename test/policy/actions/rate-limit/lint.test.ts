/** Rate-limits keyed on what any client can change. */
import { expect, test } from "vitest";
import { clientControlledKey } from "../../../../src/policy/actions/rate-limit/lint.ts";

const keyed = (...bucket_key: string[]) => clientControlledKey.inspect({ bucket_key }, "inbound");

test("headers, but not host", () => {
	expect(
		keyed("conn.client_ip", "req.headers['X-Key']", "req.host", "req.headers['host']"),
	).toEqual([
		{
			path: ["bucket_key", 1],
			message:
				'any client can change the header "x-key" and get a bucket of its own; write conn.client_ip, or deny other values of it before',
		},
	]);
	expect(keyed("getReqHeader('X-Key')")).toHaveLength(1);
});

test("nothing of a key without headers, or of none", () => {
	expect(keyed()).toEqual([]);
	expect(clientControlledKey.inspect({}, "inbound")).toEqual([]);
});
