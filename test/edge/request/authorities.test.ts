/** Hosts taken apart once: what is remembered is what the parser says, and bounded. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { AUTHORITIES_KEPT, Authorities } from "../../../src/edge/request/authorities.ts";
import { parseAuthority } from "../../../src/http/target.ts";

it("says what the parser says, whatever was asked before", () => {
	const host = fc.constantFrom("a", "A", "a:80", "a.:80", "", "a b", "[::1]", "b", "a:99999");
	fc.assert(
		fc.property(fc.array(host), (hosts) => {
			const authorities = new Authorities();
			for (const each of hosts) expect(authorities.of(each)).toEqual(parseAuthority(each));
		}),
	);
});

it("gives the same object as long as it remembers, and forgets what are too many", () => {
	const authorities = new Authorities();
	const first = authorities.of("first");
	authorities.of("second");
	expect(authorities.of("first")).toBe(first);
	for (let each = 0; each < 2 * AUTHORITIES_KEPT; each++) authorities.of(`host-${each}`);
	const again = authorities.of("first");
	expect(again).toEqual(first);
	expect(again).not.toBe(first);
});

it("keeps a host that is met again and again, however many others pass by", () => {
	const authorities = new Authorities();
	const kept = authorities.of("kept");
	for (let each = 0; each < 10 * AUTHORITIES_KEPT; each++) {
		authorities.of(`host-${each}`);
		if (each % (AUTHORITIES_KEPT / 2) === 0) expect(authorities.of("kept")).toBe(kept);
	}
});
