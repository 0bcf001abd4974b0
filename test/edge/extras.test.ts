/** What few requests have: there is no object for it until one of them is set, and each is what was set last. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WithExtras } from "../../src/edge/extras.ts";

class Request extends WithExtras {
	get hasObject(): boolean {
		return this.extras !== undefined;
	}
}

const NAMES = Object.entries(Object.getOwnPropertyDescriptors(WithExtras.prototype))
	.filter(([, { set }]) => set !== undefined)
	.map(([name]) => name as Exclude<keyof WithExtras, symbol>);

it("a request that is asked for all of them has no object more", () => {
	const request = new Request();
	expect(NAMES.length).toBeGreaterThan(10);
	expect(NAMES.map((name) => request[name])).toEqual(NAMES.map(() => undefined));
	expect(request.hasObject).toBe(false);
});

it("each is what was set last, and no other is changed", () => {
	const set = fc.tuple(fc.constantFrom(...NAMES), fc.option(fc.integer(), { nil: undefined }));
	fc.assert(
		fc.property(fc.array(set), (changes) => {
			const request = new Request();
			const expected = new Map<string, unknown>();
			for (const [name, value] of changes) {
				Reflect.set(request, name, value);
				expected.set(name, value);
				for (const each of NAMES) expect(request[each]).toBe(expected.get(each));
			}
			expect(request.hasObject).toBe(changes.length > 0);
		}),
	);
});
