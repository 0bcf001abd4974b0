import fc from "fast-check";
import { expect, test } from "vitest";
import { ok } from "../../../src/errors.ts";
import { Memo } from "../../../src/policy/programs/memo.ts";

test("property: a text is found as what it came to, in its phase and in no other", () => {
	const text = fc.tuple(fc.constantFrom("inbound", "outbound"), fc.string({ maxLength: 3 }));
	const texts = fc.uniqueArray(text, { maxLength: 30, selector: (each) => each.join() });
	fc.assert(
		fc.property(texts, fc.array(text), (known, others) => {
			const memo = new Memo<number>();
			const model = new Map<string, unknown>();
			for (const [at, [phase, source]] of known.entries()) {
				expect(memo.get(phase, source)).toBeUndefined();
				const compiled = ok(at);
				memo.set(phase, source, compiled);
				model.set([phase, source].join(), compiled);
			}
			for (const [phase, source] of [...known, ...others])
				expect(memo.get(phase, source)).toBe(model.get([phase, source].join()));
		}),
	);
});
