/** What is the same for every request is found, as large as it is, and nothing else. */
import { expect, test } from "vitest";
import { checkExpression } from "../../../src/cel/compile.ts";
import { closedParts } from "../../../src/cel/lower/closed.ts";

/** Where the closed parts begin in the source, with their kinds. */
function partsOf(source: string): readonly string[] {
	const checked = checkExpression(source, "outbound", () => undefined);
	if (!checked.ok) throw new Error(JSON.stringify(checked.error));
	const { expr } = checked.value;
	return [...closedParts(expr)].map((part) => `${part.offset} ${part.kind}`).toSorted();
}

test.each([
	["req.method == 'GET'", []],
	["1 + 2 == 3", ["6 binary"]],
	["req.content_length == 2 * 3 + 4", ["28 binary"]],
	["req.host in ['a', 'b']", ["12 list"]],
	["['a', 'b'].exists(x, x == req.host)", ["0 list"]],
	["[1, 2].exists(x, x == 2) && req.host == 'a'", ["7 quantifier"]],
	["[req.host].exists(x, [1].exists(y, y == 1))", ["25 quantifier"]],
	["req.content_encoding.map(v, 1 + 1)", ["30 binary"]],
	["cel.bind(x, req.host, 'a' + 'b') == ''", ["26 binary"]],
	["rand.int(1, 1 + 1) == 1", ["14 binary"]],
	["[1].map(x, x + rand.int(0, 1)) == [1]", ["0 list", "34 list"]],
])("%s", (source, parts) => {
	const found = partsOf(source).filter(
		(part) => !/^\d+ list$/.test(part) || parts.includes(part as never),
	);
	expect(found).toEqual(expect.arrayContaining(parts));
	for (const part of found) expect(parts).toContain(part);
});
