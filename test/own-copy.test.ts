/** A copy is the same text, and keeps nothing else. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ownCopy } from "../src/own-copy.ts";
import { heldBytes } from "./held-bytes.ts";

it("is the same text", () => {
	fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => ownCopy(text) === text));
});

it("keeps nothing of the text that it was a part of", () => {
	const [texts, bytes] = [200, 100_000];
	const before = heldBytes();
	const kept = Array.from({ length: texts }, (_, n) =>
		ownCopy(Buffer.alloc(bytes, `${n}`).toString("latin1").slice(100, 150)),
	);
	expect(heldBytes() - before).toBeLessThan((texts * bytes) / 4);
	expect(new Set(kept.map(({ length }) => length))).toEqual(new Set([50]));
});
