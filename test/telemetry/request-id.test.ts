/** Which ids of a proxy in front are taken, and what weir's own look like. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { isRequestId, newRequestId } from "../../src/telemetry/request-id.ts";

it("takes what makers of ids use", () => {
	for (const id of [
		"a",
		"0",
		"f7a1c0de-0000-4000-8000-123456789abc",
		"Root=1-67891233-abcdef012345678912345678",
		"AAAA+bb/==",
		"weir.example:8080_7~@x",
		"x".repeat(LIMITS.requestIdCharacters),
	]) {
		expect([id, isRequestId(id)]).toEqual([id, true]);
	}
});

it("takes nothing that could end a text or a line, and nothing too long", () => {
	for (const id of [
		...["", " a", "a b", 'a"b', "a\\b", "a\nb", "a\r\nx: y", "a\tb", "a,b", "a;b", "<a>", "{a}"],
		...["ä", "\u2028", "a\u0000", "%0a", "$(a)", "a'b", "x".repeat(LIMITS.requestIdCharacters + 1)],
	]) {
		expect([id, isRequestId(id)]).toEqual([id, false]);
	}
});

it("makes ids that it would take", () => {
	expect(newRequestId()).toMatch(/^[0-9a-f]{32}$/);
	expect(isRequestId(newRequestId())).toBe(true);
});
