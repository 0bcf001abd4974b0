/** What a mould refuses to make; that it makes what compiling makes is in `moulds.test.ts`. */
import { describe, expect, test } from "vitest";
import { type Making, Mould } from "../../../src/cel/alike/mould.ts";
import { type Skeleton, skeletonOf } from "../../../src/cel/alike/skeleton.ts";
import { type CheckedExpression, checkExpression } from "../../../src/cel/compile.ts";
import type { ExpressionProgram } from "../../../src/cel/expression-program.ts";
import { assemble } from "../../../src/cel/lower/assemble.ts";
import { written } from "../../../src/cel/tree/written.ts";

const program = (source: string, code: ExpressionProgram["code"]): ExpressionProgram => ({
	source,
	phase: "inbound",
	wants: "bool",
	code,
	canFail: false,
	isHeavy: false,
	reads: code.shape.reads,
	type: undefined,
	results: undefined,
});
const MAKING: Making<ExpressionProgram> = {
	lower: (source, { scope, expr }) => program(source, assemble(scope, expr, "bool", false).code),
	recast: (_, source, code) => program(source, code),
};

function parts(source: string): [Skeleton, CheckedExpression] {
	const skeleton = skeletonOf(source);
	const checked = checkExpression(source, "inbound", () => undefined);
	if (skeleton === undefined || !checked.ok) throw new Error(source);
	return [skeleton, checked.value];
}

function mouldOf(
	source: string,
	longest = 32,
	making = MAKING,
): Mould<ExpressionProgram> | undefined {
	const [skeleton, checked] = parts(source);
	return Mould.of(making, skeleton, checked, making.lower(source, checked), longest);
}

describe("a mould", () => {
	test("casts other texts", () => {
		const cast = mouldOf("req.host == 'a' || req.method in ['b', 'c']")?.cast("source", [
			"x",
			"y",
			"z",
		]);
		expect(cast?.source).toBe("source");
		expect(cast?.code.constants).toEqual(
			["x", "y", "z"].map((value) => ({ kind: "value", value })),
		);
	});

	test("puts texts into lists, sets and ranges", () => {
		const lists = mouldOf("req.headers['n'] == ['a', 'b']")?.cast("", ["n", "x", "y"]);
		expect(lists?.code.constants).toContainEqual({ kind: "value", value: ["x", "y"] });
		const sets = mouldOf("req.host in ['a', 'b', 'c', 'd', 'e']")?.cast("", [
			"v",
			"w",
			"x",
			"y",
			"z",
		]);
		expect(sets?.code.constants).toEqual([{ kind: "set", members: ["v", "w", "x", "y", "z"] }]);
		const ranges = mouldOf("inCidrRange(conn.client_ip, '10.0.0.0/8')")?.cast("", ["192.0.2.0/24"]);
		expect(ranges?.code.constants).toEqual([{ kind: "ranges", texts: ["192.0.2.0/24"] }]);
	});

	test("does not cast two texts that are the same, few or many", () => {
		expect(mouldOf("req.host == 'a' || req.method == 'b'")?.cast("", ["x", "x"])).toBeUndefined();
		const letters = Array.from("abcdefghij");
		const many = mouldOf(`req.host in [${letters.map((each) => `'${each}'`).join()}]`);
		expect(many?.cast("", letters.toReversed())).toBeDefined();
		expect(many?.cast("", letters.with(9, "a"))).toBeUndefined();
	});

	test("does not cast a text that the code has besides", () => {
		const mould = mouldOf("req.headers['name'] == ['a'] && req.host == 'b'");
		expect(mould?.cast("", ["name", "a", "name"])).toBeUndefined();
		expect(mould?.cast("", ["name", "a", "other"])).toBeDefined();
	});

	test("does not cast what is no address range", () => {
		const mould = mouldOf("inCidrRange(conn.client_ip, '10.0.0.0/8')");
		expect(mould?.cast("", ["10.0.0.0/33"])).toBeUndefined();
	});

	test("shows the tree with its texts", () => {
		const seen: string[] = [];
		mouldOf("req.host == 'a'")?.cast("", ["b"], (expr) =>
			seen.push(String(expr.kind === "binary" && written(expr.right))),
		);
		expect(seen.join()).toBe("'b'");
	});

	test("is not made where texts may change what becomes of it by its cost", () => {
		const source = "'a' in req.headers['x']";
		expect(mouldOf(source, 8)).toBeDefined();
		expect(mouldOf(source, 400)).toBeUndefined();
	});

	test("is not made where code comes out otherwise with other texts", () => {
		const fickle: Making<ExpressionProgram> = {
			...MAKING,
			lower(source, checked) {
				const made = MAKING.lower(source, checked);
				const isOwn = JSON.stringify(made.code.constants).includes('"a"');
				return isOwn ? made : { ...made, canFail: true };
			},
			recast: (like, source, code) => ({ ...like, source, code }),
		};
		expect(mouldOf("req.host == 'a'", 32, fickle)).toBeUndefined();
	});

	test("tells which texts it keeps", () => {
		const [skeleton, checked] = parts("req.headers['n'] == ['a'] && 'm' in req.headers");
		expect(Mould.kept(checked, skeleton)).toEqual([0, 2]);
	});
});
