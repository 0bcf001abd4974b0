/** The digest depends on keys and etags, and on nothing else; kept or computed anew, it is the same. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EMPTY_DIGEST, StateDigest } from "../../src/fleet/digest.ts";
import { encode } from "../../src/store/layout.ts";

it("is XOR over SHA-256 of key, zero and etag", () => {
	const { value, stored } = encode({ a: 1 });
	const digest = new StateDigest();
	expect(digest.hex).toBe(EMPTY_DIGEST);
	digest.toggle("p/e/r", value);
	const mark = stored.etag.slice(1, -1);
	const hash = createHash("sha256").update(`p/e/r\0${mark}`).digest("hex");
	expect(digest.hex).toBe(hash.slice(0, 32));
});

it("is the same in whatever order, and from wherever it goes on", () => {
	const entries = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([key]) => key });
	fc.assert(
		fc.property(entries, fc.nat(), (list, at) => {
			const [whole, back] = [new StateDigest(), new StateDigest()];
			for (const [key, value] of list) whole.toggle(key, value);
			for (const [key, value] of list.slice(at).toReversed()) back.toggle(key, value);
			const on = new StateDigest(back.hex);
			for (const [key, value] of list.slice(0, at)) on.toggle(key, value);
			expect(on.hex).toBe(whole.hex);
			for (const [key, value] of list) on.toggle(key, value);
			expect(on.hex).toBe(EMPTY_DIGEST);
		}),
	);
});
