/** `! && || ?:` and comparisons (CEL specification, "Standard Definitions"). Joined by `operators.ts`. */
import { equality, order } from "../cost/operators.ts";
import type { Example } from "./definition.ts";
import type { OperatorDefinition } from "./operator-definition.ts";
import { never, unlessBools, unlessConditionIsBool, unlessOrdered } from "./operator-failures.ts";

/** `a < b` and its like: same kinds, and numbers of any two kinds. */
const ORDERED = [
	"(bool, bool)",
	"(string, string)",
	"(bytes, bytes)",
	"(timestamp, timestamp)",
	"(duration, duration)",
	...["int", "uint", "double"].flatMap((left) =>
		["int", "uint", "double"].map((right) => `(${left}, ${right})`),
	),
].map((parameters) => `${parameters} -> bool`);

const relation = (
	written: "<" | "<=" | ">" | ">=",
	doc: string,
	example: Example,
): OperatorDefinition => ({
	name: `_${written}_`,
	written: `a ${written} b`,
	doc,
	examples: [example],
	signatures: ORDERED,
	mayFail: unlessOrdered,
	estimate: order,
});

const EXPLAINED_ORDER =
	"Numbers of all kinds compare with each other; texts by the code points of their characters, `false` before `true`.";

export const LOGIC: readonly OperatorDefinition[] = [
	{
		name: "!_",
		written: "!a",
		doc: "The opposite.",
		examples: [["!(req.method in ['GET', 'HEAD'])", "true"]],
		signatures: ["(bool) -> bool"],
		mayFail: unlessBools,
	},
	{
		name: "_&&_",
		written: "a && b",
		doc: "Are both true? An operand that is `false` decides, whichever side it stands on, and even if the other one fails.",
		examples: [["req.method == 'GET' && int(req.url.query) > 1", "false"]],
		signatures: ["(bool, bool) -> bool"],
		mayFail: unlessBools,
	},
	{
		name: "_||_",
		written: "a || b",
		doc: "Is one of them true, or both? An operand that is `true` decides, whichever side it stands on, and even if the other one fails.",
		examples: [["int(req.url.query) > 1 || req.method == 'POST'", "true"]],
		signatures: ["(bool, bool) -> bool"],
		mayFail: unlessBools,
	},
	{
		name: "_?_:_",
		written: "c ? a : b",
		doc: "`a` if the condition is true, else `b`; the other one is not evaluated.",
		examples: [["res.status_code < 400 ? 'fine' : 'not so'", "'fine'"]],
		signatures: ["(bool, A, A) -> A"],
		mayFail: unlessConditionIsBool,
	},
];

export const COMPARISONS: readonly OperatorDefinition[] = [
	{
		name: "_==_",
		written: "a == b",
		doc: "Are they equal? Both have the same type (an int is compared with `1`, a double with `1.0`); lists and maps are equal if everything in them is.",
		examples: [
			["req.method == 'POST'", "true"],
			["getReqHeader('x-none') == []", "true"],
		],
		signatures: ["(A, A) -> bool"],
		mayFail: never,
		estimate: equality,
	},
	{
		name: "_!=_",
		written: "a != b",
		doc: "Are they different? Types as for `==`.",
		examples: [["conn.geo.country_code != 'BR'", "false"]],
		signatures: ["(A, A) -> bool"],
		mayFail: never,
		estimate: equality,
	},
	relation("<", `Is the first less? ${EXPLAINED_ORDER}`, ["res.status_code < 500", "true"]),
	relation("<=", "Is it less or equal?", ["'a' <= 'b'", "true"]),
	relation(">", "Is it more?", ["req.content_length > 1048576", "false"]),
	relation(">=", "Is it more or equal?", ["time.now >= timestamp('2026-01-01T00:00:00Z')", "true"]),
];
