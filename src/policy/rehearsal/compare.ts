/**
 * What of a test's expectations did not come true, in sentences with their places (contract 3, "Tests"). Used by
 * `run-tests.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { quoted } from "../../documents/nearest.ts";
import type { Expectation, ExpectedFields } from "../document/tests.ts";
import type { Place } from "../exchange.ts";
import type { HeaderList } from "./header-list.ts";
import type { Rehearsed } from "./rehearse.ts";

export interface Difference {
	/** within `expect`, or within the test */
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

export function differences(expected: Expectation, came: Rehearsed): readonly Difference[] {
	const found: Difference[] = [];
	const { outcome, status, rule } = expected;
	if (outcome !== undefined && outcome !== came.outcome)
		found.push({ path: ["outcome"], message: `expected ${outcome}, got ${told(came)}` });
	if (status !== undefined && status !== came.status)
		found.push({ path: ["status"], message: `expected ${status}, got ${told(came)}` });
	if (rule !== undefined && !isRule(rule, came.endedBy)) {
		const wanted = typeof rule === "number" ? `rule ${rule}` : `the rule ${quoted(rule)}`;
		const message = `expected ${wanted} to end the request, but ${ender(came)}`;
		found.push({ path: ["rule"], message });
	}
	found.push(...fieldDifferences(expected.headers, came.headers, ["headers"]));
	found.push(...upstreamDifferences(expected.upstream, came));
	return found;
}

const isRule = (rule: string | number, place: Place | undefined): boolean =>
	place !== undefined && (typeof rule === "number" ? place.ruleIndex : place.ruleName) === rule;

function upstreamDifferences(
	expected: Expectation["upstream"],
	came: Rehearsed,
): readonly Difference[] {
	if (expected === undefined) return [];
	const { upstream } = came;
	if (upstream === undefined) {
		const message = `the backend is not asked: ${told(came)}`;
		return [{ path: ["upstream"], message }];
	}
	const found: Difference[] = [];
	const { url } = expected;
	const got = url?.startsWith("/") ? upstream.uri : upstream.url;
	if (url !== undefined && url !== got)
		found.push({
			path: ["upstream", "url"],
			message: `expected ${quoted(url)}, got ${quoted(got)}`,
		});
	return [
		...found,
		...fieldDifferences(expected.headers, upstream.headers, ["upstream", "headers"]),
	];
}

function fieldDifferences(
	expected: ExpectedFields | undefined,
	came: HeaderList,
	path: readonly PropertyKey[],
): readonly Difference[] {
	return Object.entries(expected ?? {}).flatMap(([name, value]) => {
		const wanted = value === null ? [] : [value].flat();
		const lines = came.lines(asciiLowerCase(name));
		if (wanted.length === lines.length && wanted.every((each, at) => each === lines[at])) return [];
		return [{ path: [...path, name], message: `expected ${shown(wanted)}, got ${shown(lines)}` }];
	});
}

const shown = (lines: readonly string[]): string =>
	lines.length === 0 ? "no such field" : lines.map(quoted).join(" and ");

/** "403 (deny by the rule "No bots")" */
export function told(came: Rehearsed): string {
	const status = came.status === undefined ? "no answer" : `${came.status}`;
	if (came.outcome === "pass") return `${status} (pass: no rule ends the request)`;
	return `${status} (${came.outcome} by ${namedPlace(came.endedBy)})${reasons(came)}`;
}

const ender = (came: Rehearsed): string =>
	came.outcome === "pass" ? "no rule did" : `it was ${namedPlace(came.endedBy)}${reasons(came)}`;

function namedPlace(place: Place | undefined): string {
	if (place === undefined) return "the policy";
	const name = place.ruleName === "" ? "" : ` ${quoted(place.ruleName)}`;
	return `${place.phase} rule ${place.ruleIndex}${name}`;
}

/** Expressions that failed are most often why something else came. */
function reasons({ failures, outcome }: Rehearsed): string {
	const [first] = failures;
	if (first === undefined || outcome !== "failed") return "";
	return `; ${namedPlace(first.place)}: ${first.message}`;
}
