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
			for (const each of hosts) {
				const [met, parsed] = [authorities.of(each), parseAuthority(each)];
				expect(met === undefined).toBe(parsed === undefined);
				expect([met?.host, met?.port]).toEqual([parsed?.host, parsed?.port]);
			}
		}),
	);
});

it("finds a host within a text as it does alone", () => {
	const host = fc.constantFrom("a", "a:80", "ab", "b", "", "a b", "[::1]");
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.constantFrom("", "a", "host: "), host, host)), (asked) => {
			const [authorities, alone] = [new Authorities(), new Authorities()];
			for (const [before, each, behind] of asked) {
				const met = authorities.within(`${before}${each}${behind}`, before.length, each.length);
				expect(met).toEqual(alone.of(each));
				expect(met?.text).toBe(met && each);
			}
		}),
	);
});

it("takes the longest host with the longest port, and nothing longer", () => {
	const longest = `${"a".repeat(63)}.`.repeat(4).slice(0, -1);
	for (const host of [`${longest}:65535`, `${longest}:655350`, `${longest}:80${"0".repeat(9)}`]) {
		expect(new Authorities().of(host)?.host).toBe(parseAuthority(host)?.host);
	}
	expect(new Authorities().of(`${longest}:65535`)?.port).toBe(65535);
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
