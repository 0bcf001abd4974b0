/** The table of lints of actions has all of them. */
import { expect, test } from "vitest";
import { inspectAction } from "../../../src/policy/lint/actions.ts";

test("finds what each of them finds", () => {
	expect(
		inspectAction({ type: "url-rewrite", config: { from: "^/a", to: "\\1" } }).map(
			({ code }) => code,
		),
	).toEqual(["anchored_path", "backslash_group"]);
	expect(
		inspectAction({
			type: "rate-limit",
			config: { capacity: 1, rate: "60s", bucket_key: ["req.headers['x']"] },
		}),
	).toHaveLength(1);
	expect(inspectAction({ type: "deny", config: {} })).toEqual([]);
});
