/** What users write never becomes code, and code is data that another thread can run. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { predicateProgram } from "../../../src/cel/compile.ts";
import { codeText } from "../../../src/cel/lower/open.ts";
import { openPredicate, type PredicateProgram } from "../../../src/cel/program.ts";
import { ATTRIBUTES } from "../attributes.ts";

function programOf(source: string): PredicateProgram {
	const program = predicateProgram(source, "outbound");
	if (!program.ok) throw new Error(JSON.stringify(program.error));
	return program.value;
}

/** Places where a text of the user's goes into an expression. */
const PLACES: readonly ((literal: string) => string)[] = [
	(text) => `req.method == ${text}`,
	(text) => `req.host.startsWith(${text})`,
	(text) => `req.headers[${text}].exists(v, v.contains(${text}))`,
	(text) => `${text} in req.cookies && req.url.query_params[${text}] == [${text}]`,
	(text) => `req.method in [${text}, 'b', 'c', 'd', 'e', 'f']`,
	(text) => `{${text}: 1, 'other': req.content_length}[${text}] > 0`,
	(text) => `json.decode(req.host)[${text}] == ${text}`,
	(text) => `dyn(req.host).contains(${text})`,
	(text) => `[${text}, req.host].map(v, v + ${text}).size() > 1`,
];

test("property: no text of an expression is in its code", () => {
	const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(fc.constantFrom(...PLACES), text, (place, written) => {
			// the same code for a text that could break out of it, and for one that could not
			const evil = `x${written}');process.exit(1);//\`\${1}\n\u2028*/`.toLowerCase();
			const codeOf = (value: string): string =>
				codeText(programOf(place(JSON.stringify(value))).code.shape);
			expect(codeOf(evil)).toBe(codeOf("xsafe"));
		}),
		{ numRuns: 300 },
	);
});

test.each([
	"req.method == 'POST' && req.content_length > 10",
	"req.headers.accept.exists(v, v.matches('^text/(html|plain)$'))",
	"inCidrRange(conn.client_ip, '203.0.113.0/24')",
	"time.now > timestamp('2020-01-01T00:00:00Z') + duration('1h')",
	"req.content_length in [1, 2, 3, 4, 10001] && 5u in [1u, 5u]",
	"{'a': [1u, 2u], 'b': []}.a[1] == 2u && b'ab' != b'ac'",
	"optional.of(req.host).hasValue() && type(req.host) == string",
	"size(dyn(req.headers.accept)) == 2",
])("%s gives the same when it has been through another thread", (source) => {
	const program = programOf(source);
	const copied = structuredClone(program);
	expect(openPredicate(program).evaluate(ATTRIBUTES)).toBe(true);
	expect(openPredicate(copied).evaluate(ATTRIBUTES)).toBe(true);
});

test("literals that no request can change are evaluated once, when compiled", () => {
	expect(codeText(programOf("req.host == 'a' + 'b'").code.shape)).toBe(
		codeText(programOf("req.host == 'ab'").code.shape),
	);
	const { code } = programOf("time.now - duration('1h') > timestamp('2024-01-01T00:00:00Z')");
	expect(code.shape.functions).toEqual([]);
	expect(codeText(programOf("[1, 2].exists(x, x > 1) && req.host == 'a'").code.shape)).toBe(
		codeText(programOf("req.host == 'a'").code.shape),
	);
});
