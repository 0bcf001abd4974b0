/** Calls of library functions: what they take by their operands' sizes, and what their results hold. */
import { describe, expect, it } from "vitest";
import { DECLARATIONS } from "../../../src/cel/check/declarations.ts";
import { largest } from "../../../src/cel/cost/bound.ts";
import { functionCall, patternCost } from "../../../src/cel/cost/functions.ts";
import { countOf } from "../../../src/cel/cost/part.ts";
import { SCALAR, type Size, sized, text, texts, tree, weight } from "../../../src/cel/cost/size.ts";
import { preparePattern } from "../../../src/cel/pattern/pattern.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

/** Ten texts with 100 characters together. */
const LIST = sized(10, texts(50, 100));

function call(name: string, first: string, operands: readonly Size[]) {
	const overload = DECLARATIONS.get(name)?.find(({ signature }) => signature.startsWith(first));
	if (overload === undefined) throw new Error(`${first} is not declared`);
	const part = functionCall(name, [overload], operands, overload.result);
	return { cost: largest(part.cost), size: part.size, count: largest(countOf(part.size)) };
}

describe("a function's result", () => {
	it.each([
		["contains", "string.contains", [text(100), text(3)], 1],
		["split", "string.split(string)", [text(100), text(1)], 101],
		["join", "list<string>.join(string)", [LIST, text(2)], 120],
		["format", "string.format", [text(10), LIST], LIMITS.evaluationTextCharacters],
		["lists.range", "lists.range", [SCALAR], LIMITS.rangeElements],
		["lowerAscii", "string.lowerAscii", [text(100)], 100],
		["sort", "list<string>.sort", [LIST], 10],
		["first", "list<A>.first", [LIST], 50],
		["sets.contains", "sets.contains", [LIST, LIST], 1],
		["optional.of", "optional.of", [text(7)], 7],
		["orValue", "optional<A>.orValue", [text(7), text(9)], 9],
		["json.decode", "json.decode", [text(7)], 8],
	])("of %s", (name, signature, operands, count) => {
		expect(call(name, signature, operands).count).toBe(count);
	});

	it("holds no more than the operands", () => {
		expect(largest(weight(call("split", "string.split(string)", [text(100), text(1)]).size))).toBe(
			201,
		);
		const nested = sized(3, { each: 4, all: 10, element: texts(5, 20) });
		const flat = call("flatten", "list<list<A>>.flatten", [nested]);
		expect(flat.count).toBeGreaterThanOrEqual(10);
		expect(largest(weight(call("reverse", "list<A>.reverse", [LIST]).size))).toBe(110);
	});
});

describe("a function's cost", () => {
	it("is no less for larger operands", () => {
		for (const [name, overloads] of DECLARATIONS) {
			if (!/^[a-z]/.test(name) || name === "matches") continue;
			for (const overload of overloads) {
				const cost = (count: number): number => {
					const operands = overload.parameters.map(() =>
						sized(count, texts(count, count * count), texts(count, count)),
					);
					return largest(functionCall(name, [overload], operands, overload.result).cost);
				};
				let before = 0;
				for (const count of [0, 1, 2, 30, 31, 32, 33, 1000, 65_536]) {
					expect([overload.signature, cost(count) >= before]).toEqual([overload.signature, true]);
					before = cost(count);
				}
			}
		}
	});

	it("with several overloads is that of the most expensive, and the choice", () => {
		const overloads = DECLARATIONS.get("size") ?? [];
		const operands = [tree(1000, 1000)];
		const each = overloads.map((one) =>
			largest(functionCall("size", [one], operands, one.result).cost),
		);
		const whole = overloads[0] && functionCall("size", overloads, operands, overloads[0].result);
		expect(largest(whole?.cost ?? 0)).toBeGreaterThanOrEqual(Math.max(...each));
	});

	it("of a pattern grows with the text", () => {
		const program = preparePattern("^[a-z]+$");
		const cost = (length: number): number => largest(patternCost(program, text(length)));
		expect(cost(10)).toBeLessThan(cost(1000));
		expect(cost(1000)).toBeLessThan(cost(65_536));
	});
});
