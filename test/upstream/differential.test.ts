/**
 * Proves that all implementations of `Upstream` make the same of a backend's bytes, right or wrong, however they
 * are cut and however the connection ends: what one accepts and another refuses is where attacks live.
 * `DIFFERENTIAL_CASES` asks for more cases than the usual run has, with a seed of their own.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createUndiciUpstream } from "../../src/upstream/undici/undici-upstream.ts";
import { scriptedAnswer } from "./odd-responses.ts";
import { type Outcome, Side } from "./side-by-side.ts";

const asked = process.env.DIFFERENTIAL_CASES;
const runs = asked === undefined ? { numRuns: 300, seed: 7 } : { numRuns: Number(asked) };

const compared = ({ message: _, ...outcome }: Outcome): Omit<Outcome, "message"> => outcome;

test("implementations agree about every answer", async () => {
	const first = await Side.start(createUndiciUpstream);
	const second = await Side.start(createUndiciUpstream);
	await fc.assert(
		fc.asyncProperty(scriptedAnswer, async (script) => {
			const [one, other] = await Promise.all([first.hear(script), second.hear(script)]);
			expect(compared(other)).toEqual(compared(one));
		}),
		runs,
	);
}, 600_000);
