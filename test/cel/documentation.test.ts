/**
 * What docs/expressions.md says is so: every example of a variable, record, operator, macro and function is parsed,
 * checked and evaluated over the exchange that the page shows, and has the value that is told.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Attributes } from "../../src/cel/attributes.ts";
import { MACROS } from "../../src/cel/library/macros.ts";
import { OPERATORS } from "../../src/cel/library/operators.ts";
import { FUNCTIONS } from "../../src/cel/library/table.ts";
import { MACRO_USAGE } from "../../src/cel/parse/macros.ts";
import { RECORD_TABLE } from "../../src/cel/variables/records.ts";
import { VARIABLE_TABLE } from "../../src/cel/variables/table.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { validatePolicy } from "../../src/policy/document/validate.ts";
import { resultOf, typeOf } from "./sources.ts";

const lib = join(import.meta.dirname, "..", "..", "scripts", "docs", "lib");
const { ATTRIBUTES }: { readonly ATTRIBUTES: Attributes } = await import(
	pathToFileURL(join(lib, "sample-exchange.mjs")).href
);

const evaluated = (source: string): string => resultOf(source, ATTRIBUTES);

function holds(expression: string, value: string): void {
	const expected = evaluated(value);
	expect(expected, value).not.toMatch(/^(?:failure|refused)/);
	expect(evaluated(expression), expression).toBe(expected);
}

describe("variables", () => {
	it.each(VARIABLE_TABLE)("$name", ({ name, type, example, use, outboundOnly }) => {
		expect(typeOf(name)).toBe(type);
		expect(typeOf(name, "inbound")).toBe(outboundOnly ? "wrong_phase" : type);
		// records have no text of their own
		expect(evaluated(`${name} == ${example}`)).toBe("bool true");
		if (use !== undefined) holds(...use);
	});

	it.each(RECORD_TABLE)("records: $name", ({ name, of, fields }) => {
		expect(typeOf(of)).toBe(name);
		for (const field of fields) {
			expect(typeOf(`${of}.${field.name}`)).toBe(field.type);
			holds(`${of}.${field.name}`, field.example);
		}
	});
});

describe("operators", () => {
	it.each(OPERATORS)("$written", ({ examples }) => {
		for (const example of examples) holds(...example);
	});
});

describe("macros", () => {
	it("are those that the parser knows", () => {
		const known = ["has", ...MACRO_USAGE.keys()];
		expect(MACROS.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
	});

	it.each(MACROS)("$name", ({ name, written, examples }) => {
		for (const form of written) expect(form).toContain(`${name}(`);
		expect(examples.length).toBeGreaterThan(0);
		for (const example of examples) holds(...example);
	});
});

describe("functions", () => {
	it.each([...FUNCTIONS.values()])("$name", ({ name, examples }) => {
		for (const [expression, value] of examples) {
			expect(expression).toContain(name);
			holds(expression, value);
		}
	});
});

it("the policy at the top of the page is valid and not warned of", () => {
	const text = readFileSync(join(lib, "..", "..", "..", "docs", "expressions.md"), "utf8");
	const policy = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
	expect(validatePolicy(parse(policy), { rulesPerPhase: LIMITS.rulesPerPhase })).toMatchObject({
		ok: true,
		value: { warnings: [] },
	});
});
