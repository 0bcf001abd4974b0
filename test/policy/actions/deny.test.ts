import { expect, test } from "vitest";
import { compiled, exchangeOf, inbound } from "../support.ts";

test.each([
	[undefined, 403],
	[{}, 403],
	[{ status_code: 404 }, 404],
	[{ status_code: 200 }, 200],
	[{ status_code: 599 }, 599],
])("config %j answers %i", (config, statusCode) => {
	const policy = compiled(inbound({ type: "deny", ...(config && { config }) }));
	const outcome = policy.inbound(exchangeOf());
	expect(outcome).toEqual({ kind: "deny", statusCode });
	// made once: every request gets the same object
	expect(policy.inbound(exchangeOf())).toBe(outcome);
});
