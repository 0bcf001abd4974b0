/** Proves the retry rule as undici's calls ask for it: what was sent and may not repeat is never sent again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decideRetry } from "../../../src/upstream/undici/retry.ts";

const failed = fc.record({
	idempotent: fc.boolean(),
	sent: fc.boolean(),
	reused: fc.boolean(),
	responseByte: fc.boolean(),
	bodyTouched: fc.boolean(),
	timedOut: fc.boolean(),
	attempts: fc.integer({ min: 1, max: 5 }),
	addresses: fc.integer({ min: 1, max: 4 }),
});

test("nothing is repeated once it could have had an effect, an answer or a body", () => {
	fc.assert(
		fc.property(failed, (attempt) => {
			const again = decideRetry(attempt) !== "no";
			if (attempt.responseByte || attempt.bodyTouched) expect(again).toBe(false);
			if (attempt.sent && !attempt.idempotent) expect(again).toBe(false);
			if (attempt.sent && attempt.timedOut) expect(again).toBe(false);
			if (attempt.attempts >= attempt.addresses + 1) expect(again).toBe(false);
		}),
	);
});

test("what is safe is repeated", () => {
	fc.assert(
		fc.property(failed, (attempt) => {
			fc.pre(!attempt.responseByte && !attempt.bodyTouched);
			fc.pre(attempt.attempts <= attempt.addresses);
			if (!attempt.sent) expect(decideRetry(attempt)).toBe("other_address");
			else if (attempt.idempotent && !attempt.timedOut) {
				expect(decideRetry(attempt)).toBe(attempt.reused ? "fresh_connection" : "other_address");
			}
		}),
	);
});
