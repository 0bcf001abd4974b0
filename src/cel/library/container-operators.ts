/**
 * `a[b]`, `a.?b`, `a[?b]` and `in`: what looks into lists and maps (CEL specification, "Standard Definitions", and its
 * optional types extension). Joined by `operators.ts`.
 */
import { index, membership, optionalIndex } from "../cost/operators.ts";
import type { OperatorDefinition } from "./operator-definition.ts";
import { always, unlessContainer, unlessEveryName } from "./operator-failures.ts";

export const CONTAINERS: readonly OperatorDefinition[] = [
	{
		name: "@in",
		written: "a in b",
		doc: "Is it an element of the list, or a key of the map? A list of literals is looked up, however long. Text within a text is `.contains()`.",
		examples: [
			["req.method in ['PUT', 'POST']", "true"],
			["'x-api-key' in req.headers", "false"],
		],
		signatures: ["(A, list<A>) -> bool", "(A, map<A, B>) -> bool"],
		mayFail: unlessContainer,
		estimate: membership,
	},
	{
		name: "_[_]",
		written: "a[b]",
		doc: "An element of a list by its place, counted from 0, or a value of a map by its key; for a key that is a name also `a.b`. Fails if there is none; header, cookie and query maps have `[]` for a missing name, so only a place in that list can fail.",
		examples: [
			["req.headers['Accept'][0]", "'text/html'"],
			["req.headers['x-none']", "[]"],
		],
		signatures: [
			"(list<A>, int) -> A",
			"(map<A, B>, A) -> B",
			"(optional<list<A>>, int) -> optional<A>",
			"(optional<map<A, B>>, A) -> optional<B>",
		],
		mayFail: unlessEveryName,
		estimate: index,
	},
	{
		name: "_[?_]",
		written: "a[?b]",
		doc: "An optional of `a[b]`; without a value if there is none.",
		examples: [["getReqHeader('x-none')[?0].orValue('none')", "'none'"]],
		signatures: [
			"(list<A>, int) -> optional<A>",
			"(map<A, B>, A) -> optional<B>",
			"(optional<list<A>>, int) -> optional<A>",
			"(optional<map<A, B>>, A) -> optional<B>",
		],
		mayFail: always,
		neverNull: true,
		estimate: optionalIndex,
	},
	{
		name: "_?._",
		written: "a.?b",
		doc: "An optional of `a.b`; without a value if there is none.",
		examples: [["{'plan': 'pro'}.?plan.orValue('free')", "'pro'"]],
		signatures: [],
		mayFail: always,
		neverNull: true,
	},
];
