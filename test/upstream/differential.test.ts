/**
 * Proves that both implementations of `Upstream` make the same of a backend's bytes, right or wrong, however
 * they are cut and however the connection ends: what one accepts and another refuses is where attacks live.
 * `DIFFERENTIAL_CASES` asks for more cases than the usual run has, with a seed of their own.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createUndiciUpstream } from "../../src/upstream/undici/undici-upstream.ts";
import { differenceOf, isKnown } from "./known-differences.ts";
import { createNativeUpstream } from "./native-upstream-alone.ts";
import { scriptedAnswer } from "./odd-responses.ts";
import { Side } from "./side-by-side.ts";

const asked = process.env.DIFFERENTIAL_CASES;
const runs = asked === undefined ? { numRuns: 300, seed: 7 } : { numRuns: Number(asked) };

test("implementations agree about every answer, but for what is known and why", async () => {
	const undici = await Side.start(createUndiciUpstream);
	const native = await Side.start(createNativeUpstream);
	await fc.assert(
		fc.asyncProperty(scriptedAnswer, async (script) => {
			const [one, other] = await Promise.all([undici.hear(script), native.hear(script)]);
			const difference = differenceOf(one, other);
			if (difference === undefined || isKnown(difference, script)) return;
			expect({ difference, native: other }).toEqual({ difference, native: one });
		}),
		runs,
	);
}, 600_000);
