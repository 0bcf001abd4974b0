/** `strictFault` beside a reader of whole JSON that visits every token, over texts with and without faults. */
import fc from "fast-check";
import { visit } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { strictFault } from "../../src/documents/json-strictness.ts";
import { type FaultAt, hasUnpairedSurrogate } from "../../src/documents/text.ts";

function visitedFault(text: string): FaultAt | undefined {
	let first: FaultAt | undefined;
	const refuse = (message: string, offset: number) => {
		first ??= { message, offset };
	};
	const names: Set<string>[] = [];
	const refuseSurrogate = (value: string, offset: number) => {
		if (hasUnpairedSurrogate(value)) refuse("unpaired surrogate in a string", offset);
	};
	visit(text, {
		onObjectBegin: () => {
			names.push(new Set());
		},
		onObjectEnd: () => {
			names.pop();
		},
		onObjectProperty: (name, offset) => {
			const seen = names.at(-1);
			if (seen?.has(name)) refuse(`duplicate key ${JSON.stringify(name)}`, offset);
			if (name === "__proto__") refuse('the key "__proto__" is not allowed', offset);
			refuseSurrogate(name, offset);
			seen?.add(name);
		},
		onLiteralValue: (value: unknown, offset) => {
			if (typeof value === "number" && !Number.isFinite(value))
				refuse("the number is too large", offset);
			if (typeof value === "string") refuseSurrogate(value, offset);
		},
	});
	return first;
}

/** Half characters only as escapes, as in whatever was UTF-8. */
const piece = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.string({ maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
	},
	fc.constantFrom(
		'\\"',
		"\\\\",
		"\\\\\\\\",
		"\\u0061",
		"\\n",
		"\\/",
		":",
		"{",
		"}",
		",",
		"[",
		" : ",
	),
	fc.constantFrom(
		"\\ud83d\\ude00",
		"\\ud83d",
		"\\ude00",
		"\\u005f_proto__",
		"__proto__",
		"\u{1f600}",
	),
);
const quotedText = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join("")}"`);
const name = fc.oneof(quotedText, fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '""'));
const number = fc.oneof(
	fc.constantFrom("0", "-0", "-1.5e3", "1e999", "-1E+400", "1e-999", "12.25", "9".repeat(309)),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const space = fc.constantFrom("", "", " ", "\n", "\r\n\t");

const { json } = fc.letrec<{ json: string }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 4, depthSize: "small" },
		fc.oneof(fc.constantFrom("true", "false", "null"), number, quotedText),
		fc
			.array(fc.tuple(space, tie("json"), space), { maxLength: 4 })
			.map((elements) => `[${elements.map((each) => each.join("")).join(",")}]`),
		fc
			.array(fc.tuple(space, name, space, fc.constant(":"), space, tie("json"), space), {
				maxLength: 5,
			})
			.map((members) => `{${members.map((each) => each.join("")).join(",")}}`),
	),
}));

describe("the first fault of valid JSON, and its place", () => {
	test("are those that a visit of all tokens finds", () => {
		let faults = 0;
		fc.assert(
			fc.property(json, (text) => {
				JSON.parse(text);
				const expected = visitedFault(text);
				if (expected !== undefined) faults += 1;
				expect(strictFault(text)).toEqual(expected);
			}),
			{ numRuns: 3000 },
		);
		expect(faults).toBeGreaterThan(300);
	});

	test("half a million escapes in a string take as long as they are many", () => {
		const text = `{"a":"${'\\n\\"'.repeat(250_000)}","b":"${"\\n".repeat(500_000)}"}`;
		expect(strictFault(text)).toBeUndefined();
		expect(strictFault(`[${text},{"a":1,"a":1}]`)).toMatchObject({ message: 'duplicate key "a"' });
	});
});
