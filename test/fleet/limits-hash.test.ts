/** Equal bounds have equal hashes, whatever their order. */
import { expect, it } from "vitest";
import { limitsHash } from "../../src/fleet/limits-hash.ts";

it("tells bounds apart, and not their order", () => {
	const hash = limitsHash({ rules: 500, policyBytes: 1 });
	expect(hash).toMatch(/^[0-9a-f]{16}$/);
	expect(limitsHash({ policyBytes: 1, rules: 500 })).toBe(hash);
	expect(limitsHash({ policyBytes: 2, rules: 500 })).not.toBe(hash);
});
