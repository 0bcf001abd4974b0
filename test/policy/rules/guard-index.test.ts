/** The index finds the rules that a look at each rule's guards finds, in the same order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guard } from "../../../src/cel/expression.ts";
import { bothOf, guardHolds } from "../../../src/cel/guard/algebra.ts";
import { GuardIndex, ruleGuards } from "../../../src/policy/rules/guard-index.ts";
import { ATTRIBUTES } from "../../cel/attributes.ts";

/** nothing is asked of it without a fusion */
const NOBODY = ATTRIBUTES;

const METHODS = ["GET", "POST", "PUT", ""];
const HOSTS = ["a.example", "b.example", "example"];
const PATHS = ["/", "/a", "/a/b", "/a/bc", "/ab", "/b/a/c", "/a/b/c/d", "/é"];

interface Request {
	readonly method: string;
	readonly host: string;
	readonly path: string;
}
const requests: fc.Arbitrary<Request> = fc.record({
	method: fc.constantFrom(...METHODS),
	host: fc.constantFrom(...HOSTS),
	path: fc.constantFrom(...PATHS),
});

function guardOn(attribute: Guard["attribute"], values: readonly string[]): fc.Arbitrary<Guard> {
	// beginnings of the texts that requests have, the empty one and whole ones among them
	const prefix = fc
		.tuple(fc.constantFrom(...values), fc.nat(6))
		.map(([text, end]) => text.slice(0, end));
	return fc.oneof(
		fc.record({
			attribute: fc.constant(attribute),
			test: fc.constant("equals" as const),
			values: fc.array(fc.constantFrom(...values), { maxLength: 3 }),
		}),
		fc.record({
			attribute: fc.constant(attribute),
			test: fc.constant("starts_with" as const),
			values: fc.array(prefix, { maxLength: 3 }),
		}),
	);
}

const guards: fc.Arbitrary<readonly Guard[]> = fc
	.tuple(
		fc.option(guardOn("method", METHODS), { nil: undefined }),
		fc.option(guardOn("host", HOSTS), { nil: undefined }),
		fc.option(guardOn("path", PATHS), { nil: undefined }),
	)
	.map((all) => all.filter((guard) => guard !== undefined));

const admits = (all: readonly Guard[], request: Request): boolean =>
	all.every((guard) => guardHolds(guard, request[guard.attribute]));

function selected(index: GuardIndex, request: Request): number[] {
	const { method, host, path } = request;
	index.select({ method, host, url: { path } });
	const rules: number[] = [];
	for (let rule = index.next(0, NOBODY); rule >= 0; rule = index.next(rule + 1, NOBODY))
		rules.push(rule);
	return rules;
}

describe("GuardIndex", () => {
	it("selects what a look at each rule selects, request after request", () => {
		fc.assert(
			fc.property(
				fc.array(guards, { maxLength: 100 }),
				fc.array(requests, { minLength: 1, maxLength: 5 }),
				(rules, several) => {
					const index = new GuardIndex(rules);
					for (const request of several) {
						const expected = rules.flatMap((all, rule) => (admits(all, request) ? [rule] : []));
						expect(selected(index, request)).toEqual(expected);
					}
				},
			),
		);
	});

	it("goes on from any rule, itself included", () => {
		fc.assert(
			fc.property(
				fc.array(guards, { maxLength: 100 }),
				requests,
				fc.nat(130),
				(rules, one, from) => {
					const index = new GuardIndex(rules);
					const all = selected(index, one);
					expect(index.next(from, NOBODY)).toBe(all.find((rule) => rule >= from) ?? -1);
				},
			),
		);
	});

	it("reads only the attributes that some rule asks for", () => {
		const index = new GuardIndex([[{ attribute: "method", test: "equals", values: ["GET"] }], []]);
		const exchange = {
			method: "PUT",
			get host(): string {
				throw new Error("nobody asked for the host");
			},
			get url(): never {
				throw new Error("nobody asked for the path");
			},
		};
		index.select(exchange);
		expect([index.next(0, NOBODY), index.next(2, NOBODY)]).toEqual([1, -1]);
	});

	it("pays for many guarded rules, not for few, and not for many without guards", () => {
		const method: readonly Guard[] = [{ attribute: "method", test: "equals", values: ["GET"] }];
		expect(GuardIndex.pays(new Array(500).fill(method))).toBe(true);
		expect(GuardIndex.pays([method, method])).toBe(false);
		expect(GuardIndex.pays(new Array(500).fill([]))).toBe(false);
	});
});

describe("ruleGuards", () => {
	const predicates = fc.array(fc.record({ canFail: fc.boolean(), guards }), { maxLength: 4 });

	it("counts later expressions as long as none before can fail", () => {
		fc.assert(
			fc.property(predicates, (all) => {
				const failing = all.findIndex(({ canFail }) => canFail);
				const read = failing < 0 ? all : all.slice(0, failing + 1);
				expect(ruleGuards(all)).toEqual(read.map((each) => each.guards).reduce(bothOf, []));
			}),
		);
	});
});
