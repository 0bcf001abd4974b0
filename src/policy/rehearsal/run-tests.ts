/**
 * Runs the tests of a valid policy document (contract 3, "Tests"), each with rate-limits that have counted nothing and a
 * clock of its own. Called by `threads/policy-check.ts` for the management API, and by the commands `weir check` and
 * `weir test`. Reads no clock: who calls says when the time is over.
 */

import { addressRangeOf } from "../../http/address-range.ts";
import { AddressSet } from "../../http/address-set.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { AddressList, AddressLists } from "../address-lists.ts";
import type { PolicyDocument } from "../document/schema.ts";
import type { Expectation, PolicyTest } from "../document/tests.ts";
import type { Running } from "../document/validate.ts";
import { type PreparedPolicy, preparePolicy } from "../rules/compile.ts";
import { type Difference, differences, told } from "./compare.ts";
import { ModelLimiters } from "./limit-model.ts";
import { type Rehearsed, rehearse } from "./rehearse.ts";

export interface TestResult {
	readonly name: string;
	/** in the document */
	readonly index: number;
	/** with places within the test; empty: it holds */
	readonly differences: readonly Difference[];
}

export interface TestOptions {
	readonly running?: Running | undefined;
	/** is there time left? Asked between requests and within long expressions */
	readonly goesOn: () => boolean;
}

const BY_DEFAULT: Running = { expressionErrors: "reject", ipv6Prefix: LIMITS.ipv6Prefix };

const FIRST_MS = Date.parse("2026-01-01T00:00:00Z");

/** One result for each test, as it ends; of those behind the end of the time none. */
export function* runTests(
	document: PolicyDocument,
	options: TestOptions,
): Generator<TestResult, void, undefined> {
	const { tests } = document;
	if (tests === undefined || tests.length === 0) return;
	// One that is switched off is tested for the day on which it is switched on.
	const prepared = prepare({ ...document, enabled: true });
	const budget = { requests: LIMITS.policyTestRequests };
	for (const [index, test] of tests.entries()) {
		const found = runTest(test, prepared, options, budget);
		yield { name: test.name, index, differences: found };
		if (found.some(({ message }) => message === TOO_LONG || message === TOO_MANY)) return;
	}
}

const TOO_LONG = `the tests take longer than ${LIMITS.policyTestsMs} ms; those from here on were not run: make them fewer, or "repeat" smaller`;
const TOO_MANY = `all tests together send more than ${LIMITS.policyTestRequests} requests; those from here on were not run: make "repeat" or "limited_after" smaller`;

function prepare(document: PolicyDocument): PreparedPolicy {
	const steps = preparePolicy(document);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

function runTest(
	test: PolicyTest,
	prepared: PreparedPolicy,
	options: TestOptions,
	budget: { requests: number },
): readonly Difference[] {
	let nowMs = test.now === undefined ? FIRST_MS : Date.parse(test.now);
	const policy = prepared.open({
		...{ edgeId: "edge", routeId: "route" },
		limiters: new ModelLimiters(() => nowMs),
		addressLists: listsOf(test),
		...(options.running ?? BY_DEFAULT),
	});
	const { limited_after: after } = test.expect;
	const times = Math.max(test.repeat ?? 1, after === undefined ? 1 : after + 1);
	let limitedAt: number | undefined;
	let last: Rehearsed | undefined;
	try {
		for (let sent = 0; sent < times; sent++) {
			if (!options.goesOn()) return [{ path: [], message: TOO_LONG }];
			if (budget.requests-- <= 0) return [{ path: [], message: TOO_MANY }];
			last = rehearse(policy, test, nowMs, options.goesOn);
			if (last.outcome === "limited") limitedAt ??= sent;
			nowMs += test.every_ms ?? 0;
		}
	} finally {
		policy.close();
	}
	if (last === undefined) return [];
	const all = [
		...limitDifferences(test.expect, limitedAt, times, last),
		...differences(test.expect, last),
	];
	return all.map(({ path, message }) => ({ path: ["expect", ...path], message }));
}

function limitDifferences(
	{ limited_after: after }: Expectation,
	limitedAt: number | undefined,
	times: number,
	last: Rehearsed,
): readonly Difference[] {
	if (after === undefined || limitedAt === after) return [];
	const wanted = `expected a rate-limit to let ${requests(after)} through and no more`;
	const got =
		limitedAt === undefined
			? `none of ${requests(times)} was limited; the last one got ${told(last)}`
			: `it let ${requests(limitedAt)} through`;
	return [{ path: ["limited_after"], message: `${wanted}, but ${got}` }];
}

const requests = (count: number): string => `${count} request${count === 1 ? "" : "s"}`;

/** A test says what is in the lists that its policy asks, so that it says the same wherever it is run. */
function listsOf({ ip_lists = {} }: PolicyTest): AddressLists {
	const known = new Map<string, AddressList>();
	return {
		find(name) {
			const entries = Object.hasOwn(ip_lists, name) ? (ip_lists[name] ?? []) : [];
			const list = known.get(name) ?? { set: setOf(entries) };
			known.set(name, list);
			return list;
		},
	};
}

function setOf(entries: readonly string[]): AddressSet {
	const ranges = entries.flatMap((text) => {
		const range = addressRangeOf(text);
		return range.ok ? [range.value] : [];
	});
	return AddressSet.of(ranges);
}
