/** Texts of clients can't change what a person sees of the line around them. */
import { expect, it } from "vitest";
import { elapsedMs, shown } from "../../../src/management/audit/shown.ts";

it.each([
	["short", "short"],
	["0123456789", "0123456789"],
	["0123456789a", "012345678…"],
	["01234567😀9a", "01234567…"],
	["a\u009b31mb", "a\ufffd31mb"],
	["a\u202eb\u2028c\u007f", "a\ufffdb\ufffdc\ufffd"],
	// JSON escapes these
	['a\n"b\u001b', 'a\n"b\u001b'],
])("%j is shown as %j", (text, expected) => {
	expect(shown(text, 10)).toBe(expected);
});

it("tells times to a tenth of a millisecond", () => {
	const ms = elapsedMs(performance.now() - 12.34);
	expect(ms).toBeGreaterThan(12.2);
	expect(Math.round(ms * 10) / 10).toBe(ms);
});
