/** Operators by the sizes of their operands. */
import { describe, expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { conditional, literalMembership, lookUp } from "../../../src/cel/cost/operators.ts";
import { countOf } from "../../../src/cel/cost/part.ts";
import { SCALAR, type Size, sized, text, texts } from "../../../src/cel/cost/size.ts";
import { operatorNamed } from "../../../src/cel/library/operators.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

function part(name: string, left: Size, right: Size) {
	const made = operatorNamed(name)?.estimate?.(left, right);
	if (made === undefined) throw new Error(`no operator ${name}`);
	return { cost: largest(made.cost), count: largest(countOf(made.size)), size: made.size };
}

const LIST = sized(10, texts(50, 100));
const MAP = sized(10, texts(50, 100), texts(20, 60));

describe("operators", () => {
	it("compare no more than the smaller of two values has", () => {
		const { cost } = part("_==_", text(65_536), text(3));
		expect(cost).toBeLessThan(100);
		expect(part("_==_", text(65_536), text(65_536)).cost).toBeGreaterThan(2000);
		expect(part("_!=_", MAP, MAP).cost).toBeGreaterThan(10 * 150);
	});

	it("order texts at the price of all of their characters", () => {
		expect(part("_<_", text(1000), text(1000)).cost).toBeGreaterThan(10_000);
		expect(part("_<_", SCALAR, SCALAR).cost).toBeLessThan(100);
	});

	it("put texts and lists together, texts up to the bound", () => {
		expect(part("_+_", text(3), text(4)).count).toBe(7);
		expect(part("_+_", LIST, LIST).count).toBe(20);
		const most = LIMITS.evaluationTextCharacters;
		expect(part("_+_", text(most), text(most)).count).toBe(most);
	});

	it("take elements out of what has them", () => {
		expect(part("_[_]", LIST, SCALAR).count).toBe(50);
		expect(part("_[_]", MAP, text(5)).count).toBe(50);
		expect(part("_[_]", MAP, text(5000)).cost).toBeGreaterThan(part("_[_]", MAP, text(5)).cost);
		expect(part("_[?_]", SCALAR, SCALAR).count).toBe(1);
	});

	it("look for an element in a list at the price of the list", () => {
		const few = part("@in", text(5), LIST).cost;
		const many = part("@in", text(5), sized(1000, texts(50, 1000))).cost;
		expect(many).toBeGreaterThan(50 * few);
		expect(largest(literalMembership(text(5), LIST))).toBeLessThan(few);
	});
});

it("takes the condition and the dearer of two outcomes", () => {
	const [condition, one, other] = [1, 20, 300].map((cost) => ({ cost, size: text(cost) }));
	if (!condition || !one || !other) throw new Error("bad test");
	const { cost, size } = conditional(condition, one, other);
	expect(largest(cost)).toBeGreaterThanOrEqual(301);
	expect(largest(cost)).toBeLessThan(320);
	expect(largest(countOf(size))).toBe(300);
});

it("hashes no more characters of a key than the platform does", () => {
	expect(lookUp(text(1_000_000))).toBe(lookUp(text(20_000)));
});
