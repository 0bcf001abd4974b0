/** Ints of any size come out as 64-bit integers do, whether they travel as numbers or as bigints. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTRIBUTES } from "../attributes.ts";
import { resultOf } from "../sources.ts";

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);

interface Term {
	readonly source: string;
	/** undefined: an overflow, or a division by zero */
	readonly value: bigint | undefined;
}

const EDGES = [0n, 1n, -1n, 2n, 7n, -3n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const literal = fc
	.oneof(
		fc.constantFrom(...EDGES, ...EDGES.map((edge) => -edge), INT_MAX, INT_MIN + 1n),
		fc.bigInt({ min: -1000n, max: 1000n }),
		fc.bigInt({ min: INT_MIN + 1n, max: INT_MAX }),
	)
	.map((value): Term => ({ source: value < 0n ? `(${value})` : String(value), value }));

const PORT = BigInt(ATTRIBUTES.serverPort);
const LENGTH = BigInt(ATTRIBUTES.requestContentLength);
const variable = fc.constantFrom<Term>(
	{ source: "conn.server_port", value: PORT },
	{ source: "req.content_length", value: LENGTH },
	{ source: "size('äb😀')", value: 3n },
	{ source: "int(string(conn.server_port))", value: PORT },
);

const OPERATORS: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
	"+": (a, b) => a + b,
	"-": (a, b) => a - b,
	"*": (a, b) => a * b,
	"/": (a, b) => (b === 0n ? undefined : a / b),
	"%": (a, b) => (b === 0n || (a === INT_MIN && b === -1n) ? undefined : a % b),
};

const bounded = (value: bigint | undefined): bigint | undefined =>
	value === undefined || value > INT_MAX || value < INT_MIN ? undefined : value;

const { term } = fc.letrec<{ term: Term }>((tie) => ({
	term: fc.oneof(
		{ maxDepth: 5, depthIdentifier: "term" },
		literal,
		variable,
		fc
			.tuple(fc.constantFrom(...Object.keys(OPERATORS)), tie("term"), tie("term"))
			.map(([operator, left, right]): Term => {
				const { value: a } = left;
				const { value: b } = right;
				const value = a === undefined || b === undefined ? undefined : OPERATORS[operator]?.(a, b);
				return {
					source: `(${left.source} ${operator} ${right.source})`,
					value: bounded(value),
				};
			}),
		tie("term").map(({ source, value }): Term => {
			return { source: `(-${source})`, value: bounded(value === undefined ? undefined : -value) };
		}),
	),
}));

test("property: arithmetic is that of 64-bit integers, or a failure", () => {
	fc.assert(
		fc.property(term, ({ source, value }) => {
			const result = resultOf(source);
			if (value === undefined) expect(result, source).toMatch(/^failure: /);
			else expect(result, source).toBe(`int ${value}`);
		}),
		{ numRuns: 600 },
	);
});

test("property: ints compare as integers do", () => {
	const relations = ["<", "<=", ">", ">=", "==", "!="] as const;
	fc.assert(
		fc.property(term, term, fc.constantFrom(...relations), (left, right, relation) => {
			const { value: a } = left;
			const { value: b } = right;
			fc.pre(a !== undefined && b !== undefined);
			if (a === undefined || b === undefined) return;
			const expected = {
				"<": a < b,
				"<=": a <= b,
				">": a > b,
				">=": a >= b,
				"==": a === b,
				"!=": a !== b,
			}[relation];
			const source = `${left.source} ${relation} ${right.source}`;
			expect(resultOf(source), source).toBe(`bool ${expected}`);
		}),
		{ numRuns: 400 },
	);
});

test.each(["/", "%"])("the smallest int %s -1 fails, also where a request decides", (operator) => {
	const smallest = [
		"-9223372036854775808",
		"(-9223372036854775807 - 1)",
		"(-9223372036854775807 - conn.server_port / conn.server_port)",
		"dyn(-9223372036854775808)",
	];
	const minusOne = ["-1", "(req.content_length - req.content_length - 1)", "dyn(-1)"];
	for (const a of smallest) {
		for (const b of minusOne) {
			expect(resultOf(`${a} ${operator} ${b}`)).toBe(
				`failure: int overflow: ${INT_MIN} ${operator} -1 does not fit into 64 bits`,
			);
		}
		expect(resultOf(`${a} ${operator} 1`)).toBe(`int ${operator === "/" ? INT_MIN : 0}`);
	}
	expect(resultOf(`-9223372036854775807 ${operator} -1`)).toBe(
		`int ${operator === "/" ? INT_MAX : 0}`,
	);
});

test("doubles are JavaScript's", () => {
	expect(resultOf("1.5 * 2.0 - 0.25")).toBe("double 2.75");
	expect(resultOf("1.0 / 0.0")).toBe("double Infinity");
	expect(resultOf("-(0.0)")).toBe("double -0");
	expect(resultOf("double(req.content_length) / 2.0")).toBe("double 5000.5");
});
