/** Sizes of what expressions yield, and what reading variables takes. */
import { describe, expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { INPUT_BOUNDS, INPUTS } from "../../../src/cel/cost/input-sizes.ts";
import { countOf } from "../../../src/cel/cost/part.ts";
import { weight } from "../../../src/cel/cost/size.ts";
import { CostWalk } from "../../../src/cel/cost/walk.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { checkedTree } from "../checked.ts";

function walked(source: string) {
	const { scope, expr } = checkedTree(source);
	const walk = new CostWalk(scope, INPUTS);
	const { size, cost } = walk.part(expr);
	return {
		count: largest(countOf(size)),
		weight: largest(weight(size)),
		cost: largest(cost),
		reading: walk.reading,
	};
}

const CHARACTERS = INPUT_BOUNDS.requestHeaderBytes;
const LINES = INPUT_BOUNDS.requestHeaderLines;

describe("the size of a value", () => {
	it.each([
		["'abc'", 3],
		["[1, 2, 3]", 3],
		["{'a': 1, 'b': 2}", 2],
		["true ? 'ab' : 'abcd'", 4],
		["['ab', 'abcd'][0]", 4],
		["{'a': 'xyz'}.a", 3],
		["{'a': 'xyz'}[?'a'].orValue('12345')", 5],
		["cel.bind(x, 'abc', x + x)", 6],
		["['a', 'bc'].map(x, x + 'd')", 2],
		["['a', 'bc'].map(x, x + 'd')[0]", 3],
		["['a', 'bc'].filter(x, x == 'a')", 2],
		["['a', 'bc'].exists(x, x == 'a')", 1],
		["has({'a': 'xyz'}.a)", 1],
		["req.headers", LINES],
		["req.headers.map(h, req.headers[h])", LINES],
		["optional.of('abc').optMap(x, x + 'd').value()", 4],
		["[3, 1].sortBy(x, -x)", 2],
		["lists.range(10)", 10],
		["lists.range(0)", 0],
		["lists.range(-1)", 0],
		["lists.range(1000000000000)", LIMITS.rangeElements],
		["lists.range(req.content_length)", LIMITS.rangeElements],
		["lists.range(5 + 5)", LIMITS.rangeElements],
		["lists.range(10).slice(2, 5)", 3],
		["lists.range(10).slice(2, 500)", 10],
		["lists.range(10).slice(5, 2)", 0],
		["lists.range(10).slice(req.content_length, 7)", 7],
		["lists.range(10).slice(7, req.content_length)", 10],
		["req.user_agent.split('/')", CHARACTERS + 1],
		["req.user_agent.split('/', 3)", 3],
		["req.user_agent.split('/', 0)", 0],
		["req.user_agent.split('/', -1)", CHARACTERS + 1],
		["req.user_agent.split('/', req.content_length)", CHARACTERS + 1],
		["req.user_agent.split('/', 3)[0]", CHARACTERS],
		["req.user_agent.split('/').slice(0, 2)", 2],
		["req.user_agent.split('/').slice(0, 2)[0]", CHARACTERS],
		["req.user_agent.split('/').slice(0, 2).join()", CHARACTERS],
		["['a', 'bcdef', 'gh'].slice(1, 2).join()", 5],
		["['a', 'bcdef', 'gh'].slice(0, 2).join()", 8],
		["json.decode(req.user_agent).slice(0, 2)", CHARACTERS + 1],
	])("%s is at most %d", (source, count) => {
		expect(walked(source).count).toBe(count);
	});

	it("made of all entries of a map holds what the map holds", () => {
		const all = walked("req.headers.map(h, req.headers[h])").weight;
		expect(all).toBeLessThanOrEqual(LINES + LINES + CHARACTERS);
		const entries = walked("req.headers.transformMap(k, v, v)").weight;
		expect(entries).toBeLessThanOrEqual(LINES + LINES + 2 * CHARACTERS);
	});

	it("made of another map's entries may be the largest of them every time", () => {
		const others = walked("req.headers.map(h, res.headers[h])").weight;
		expect(others).toBeGreaterThan(LINES * CHARACTERS);
	});

	it("decoded from a text is no larger than the text, however deep", () => {
		const decoded = "json.decode(req.headers['x'][0])";
		expect(walked(`${decoded}.a.b.c`).count).toBeLessThanOrEqual(CHARACTERS + 1);
		expect(walked(`${decoded}.map(x, x)`).weight).toBeLessThanOrEqual(3 * (CHARACTERS + 1));
	});
});

describe("reading", () => {
	it("a variable that is parsed is counted once, however often it is named", () => {
		const once = walked("'a' in req.cookies").reading;
		expect(once).toBeGreaterThan(CHARACTERS);
		expect(walked("'a' in req.cookies || 'b' in req.cookies").reading).toBe(once);
		expect(walked("req.method == 'GET'").reading).toBe(0);
	});
});

it("a branch that is not taken costs nothing beside the other", () => {
	const [a, b] = ["req.url.path.contains('abc')", "req.user_agent.contains('abc')"];
	const both = walked(`${a} || ${b}`).cost;
	expect(walked(`req.method == 'GET' ? ${a} : ${b}`).cost).toBeLessThan(both);
});
