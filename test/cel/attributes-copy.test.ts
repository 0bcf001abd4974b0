/** Whatever is read through a copy is what the original says; what was not copied can't be read at all. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attributes, HeaderLines } from "../../src/cel/attributes.ts";
import { attributesFrom, copyAttributes, SINGLE_PATHS } from "../../src/cel/attributes-copy.ts";
import { headerLines, ATTRIBUTES as USED } from "./attributes.ts";

/** Without what others in this process have derived from it, which is kept there. */
const { derived: _, ...ATTRIBUTES } = USED;

/** What is at `url.path` and the like. */
const at = (attributes: object, path: string): unknown =>
	path.split(".").reduce<unknown>((value, name) => Object(value)[name], attributes);

/** Every single value there is, found in an exchange rather than in the table. */
const leaves = (value: object, prefix = ""): string[] =>
	Object.entries(value).flatMap(([name, member]) => {
		if (name.endsWith("Headers")) return [];
		return typeof member === "object" ? leaves(member, `${name}.`) : [`${prefix}${name}`];
	});

const name = fc.constantFrom("a", "b", "cookie", "__proto__", "constructor");
const lines = fc.array(fc.tuple(name, fc.string()), { maxLength: 8 }).map(headerLines);
const attributes: fc.Arbitrary<Attributes> = fc.record({
	...Object.fromEntries(
		Object.entries(ATTRIBUTES).map(([key, value]) => [
			key,
			typeof value === "number" ? fc.double({ noNaN: true }) : fc.string(),
		]),
	),
	url: fc.record(recordOf(ATTRIBUTES.url)),
	geo: fc.record(recordOf(ATTRIBUTES.geo)),
	requestHeaders: lines,
	responseHeaders: lines,
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Attributes>;

function recordOf(value: object): Record<string, fc.Arbitrary<unknown>> {
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			key,
			typeof member === "number" ? fc.integer() : fc.string(),
		]),
	);
}

const sides = ["requestHeaders", "responseHeaders"] as const;
const path = fc.oneof(
	fc.constantFrom(...SINGLE_PATHS),
	fc.constantFrom(...sides),
	fc.tuple(fc.constantFrom(...sides), name).map(([side, each]) => `${side}:${each}`),
);

/** As it arrives in another thread. */
const across = (original: Attributes, reads: readonly string[]): Attributes =>
	attributesFrom(structuredClone(copyAttributes(original, reads)));

const all = (headers: HeaderLines): unknown[] =>
	headers.names().map((each) => [each, headers.lines(each)]);

describe("a copy of attributes", () => {
	it("knows every member of an exchange", () => {
		expect([...SINGLE_PATHS].sort()).toEqual(leaves(ATTRIBUTES).sort());
	});

	it("says what the original says, and nothing else", () => {
		fc.assert(
			fc.property(attributes, fc.array(path, { maxLength: 6 }), (original, reads) => {
				const copy = across(original, reads);
				for (const single of SINGLE_PATHS) {
					if (reads.includes(single)) expect(at(copy, single)).toBe(at(original, single));
					else expect(() => at(copy, single)).toThrow("not copied");
				}
				for (const side of sides) {
					const complete = reads.includes(side);
					if (complete) expect(all(copy[side])).toEqual(all(original[side]));
					else expect(() => copy[side].names()).toThrow("not copied");
					for (const each of ["a", "b", "cookie", "__proto__", "constructor", "other"]) {
						if (complete || reads.includes(`${side}:${each}`)) {
							expect(copy[side].lines(each)).toEqual(original[side].lines(each));
						} else expect(() => copy[side].lines(each)).toThrow("not copied");
					}
				}
			}),
		);
	});

	it("reads of the exchange what is asked for and no more", () => {
		const asked: string[] = [];
		const spied = new Proxy(ATTRIBUTES, {
			get(target, member, receiver) {
				asked.push(String(member));
				return Reflect.get(target, member, receiver);
			},
		});
		copyAttributes(spied, ["method", "requestHeaders:accept"]);
		expect(asked).toEqual(["method", "requestHeaders"]);
	});

	it("can't be made of what there is not", () => {
		for (const wrong of ["", "url", "geo", "toString", "url.nothing", "requestHeadersX"]) {
			expect(() => copyAttributes(ATTRIBUTES, [wrong])).toThrow("no attribute");
		}
	});
});
