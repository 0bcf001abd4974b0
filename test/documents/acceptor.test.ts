/** What an acceptor takes is what its schema takes, and it makes the same of it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { acceptorOf, REFUSED, tested } from "../../src/documents/acceptor.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const short = tested(
	z.string().superRefine((value, context) => {
		if (value.length > 3) context.addIssue({ code: "custom", message: "is long" });
	}),
	(value) => value.length <= 3,
);

const leaf = fc.constantFrom<z.ZodType>(
	...[z.string(), z.string().max(2), z.string().min(2), z.string().regex(/^a/), short],
	...[short.describe("short"), short.max(2), z.boolean(), z.int(), z.int().min(0).max(5)],
	...[z.int().gt(2), z.number(), z.literal("a"), z.literal(1), z.enum(["a", "b"]), z.null()],
	...[z.unknown(), z.record(z.string(), z.string()), z.union([z.int(), z.string()])],
);
const variant = (name: string, fields: Record<string, z.ZodType>) =>
	z.strictObject({ type: z.literal(name), ...fields });
const nested = (inner: fc.Arbitrary<z.ZodType>): fc.Arbitrary<z.ZodType> =>
	fc.oneof(
		inner.map((each) => z.array(each)),
		inner.map((each) => z.array(each).max(1)),
		inner.map((each) => each.nullable()),
		fieldsOf(inner).map((fields) => z.strictObject(fields)),
		fieldsOf(inner).map((fields) => z.object(fields)),
		fieldsOf(inner).map((fields) => z.strictObject(fields).refine((all) => "a" in all)),
		fc
			.tuple(fieldsOf(inner), fieldsOf(inner))
			.map(([one, other]) =>
				z.discriminatedUnion("type", [variant("a", one), variant("b", other)]),
			),
	);
const schema = fc.oneof(leaf, nested(leaf), nested(nested(leaf)));

function fieldsOf(inner: fc.Arbitrary<z.ZodType>): fc.Arbitrary<Record<string, z.ZodType>> {
	const field = fc.oneof(
		inner,
		inner.map((each) => each.optional()),
		fc.constantFrom<z.ZodType>(
			z.array(z.string()).default([]),
			z.string().default("x"),
			z.boolean().default(true),
			z.strictObject({}).default({}),
		),
	);
	return fc.dictionary(fc.constantFrom("a", "b", "c"), field, { noNullPrototype: true });
}

const plain = fc.constantFrom<unknown>(
	...["", "a", "ab", "abcd", true, false, null, 0, -0, 1, 3, 7, 1.5, 2 ** 60],
	...[JSON.parse('{"__proto__":1}'), new Map(), [undefined]],
);
const held = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
	fc.oneof(
		fc.array(inner, { maxLength: 3 }),
		fc
			.tuple(fc.constantFrom("a", "b", "z"), dictionaryOf(inner))
			.map(([type, rest]) => ({ type, ...rest })),
		dictionaryOf(inner),
	);
const value = fc.oneof(plain, held(plain), held(fc.oneof(plain, held(plain))));

function dictionaryOf(inner: fc.Arbitrary<unknown>) {
	return fc.dictionary(fc.constantFrom("a", "b", "c", "z"), inner, { noNullPrototype: true });
}

it("takes nothing that the schema refuses, and makes the same of what it takes", () => {
	let taken = 0;
	fc.assert(
		fc.property(schema, value, (of, given) => {
			const before = JSON.stringify(given);
			const accepted = acceptorOf(of)(given);
			if (accepted === REFUSED) return;
			taken++;
			const result = of.safeParse(given);
			expect(result.success).toBe(true);
			expect(accepted).toEqual(result.data);
			expect(JSON.stringify(accepted)).toBe(JSON.stringify(result.data));
			expect(JSON.stringify(given)).toBe(before);
		}),
		{ numRuns: 3000 },
	);
	expect(taken).toBeGreaterThan(100);
});

it("takes what is usual", () => {
	const policy = z.strictObject({
		name: short.describe("of it").default(""),
		on: z.boolean().optional(),
		rules: z
			.array(z.discriminatedUnion("type", [variant("a", { n: z.int().min(1) }), variant("b", {})]))
			.default([]),
	});
	const accept = acceptorOf(policy);
	expect(accept({})).toEqual({ name: "", rules: [] });
	const given = { rules: [{ n: 1, type: "a" }, { type: "b" }], on: false, name: "abc" };
	expect(accept(given)).toEqual(given);
	expect(accept({ on: null })).toBe(REFUSED);
	expect((accept({}) as { rules: object }).rules).not.toBe((accept({}) as { rules: object }).rules);
});

it("refuses what is long without a look at each member", () => {
	let looks = 0;
	const each = z.string().refine(() => {
		looks++;
		return true;
	});
	const members = Array.from({ length: LIMITS.usualMembers + 1 }, () => "a");
	const known = acceptorOf(z.array(each));
	const asked = acceptorOf(z.array(each).min(1));
	const record = acceptorOf(z.record(z.string(), z.array(each)));
	for (const accept of [known, asked]) expect(accept(members)).toBe(REFUSED);
	expect(record({ a: members.slice(1), b: [] })).toBe(REFUSED);
	expect(looks).toBe(0);
	expect(known(members.slice(1))).toEqual(members.slice(1));
	expect(looks).toBe(LIMITS.usualMembers);
});
